//go:build !js

package cli

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/server"
	"github.com/foretick/foretick/transport"
)

// serverFlags are those that serve and demo share.
type serverFlags struct {
	addr    string
	players int
	every   int
	budget  int
	link    link

	datagrams       bool // WebTransport
	cert, key, acme string
	acmeDir         string
}

func (o *serverFlags) secure(f *flag.FlagSet) {
	f.BoolVar(&o.datagrams, "webtransport", true, "take WebTransport too, on UDP at the same port")
	f.StringVar(&o.cert, "cert", "", "certificate `file` (PEM), with -key: https; empty: self-signed, for WebTransport only")
	f.StringVar(&o.key, "key", "", "its key `file` (PEM)")
	f.StringVar(&o.acme, "acme", "", "`hosts`, by commas, to get certificates for from Let's Encrypt; it needs -addr :443")
	f.StringVar(&o.acmeDir, "acmedir", "certificates", "`directory` to keep those in")
}

// certificates by the flags; nil for none.
func (o *serverFlags) certificates() (*transport.Certificates, error) {
	switch {
	case (o.cert == "") != (o.key == ""):
		return nil, usageError("-cert and -key belong together")
	case o.cert != "" && o.acme != "":
		return nil, usageError("-cert or -acme, not both")
	case o.cert != "":
		return transport.CertificateFiles(o.cert, o.key)
	case o.acme != "":
		return transport.ACME(o.acmeDir, strings.Split(o.acme, ",")...), nil
	case o.datagrams:
		return transport.SelfSigned(), nil
	}
	return nil, nil
}

func (a *app) serve(args []string) error {
	var o serverFlags
	f := a.flags("serve", "run a server until interrupted")
	f.StringVar(&o.addr, "addr", ":7777", "`host:port` to listen on")
	f.IntVar(&o.players, "players", 16, "most players")
	f.IntVar(&o.every, "every", 1, "ticks between snapshots to a client")
	f.IntVar(&o.budget, "budget", 64000, "bytes a second to a client")
	o.secure(f)
	linkFlags(f, &o.link)
	if err := a.parse(f, args); err != nil {
		return err
	}
	certs, err := o.certificates()
	if err != nil {
		return err
	}
	l, err := a.listen(o.addr)
	if err != nil {
		return err
	}
	u := a.datagrams(&o, l.Addr())
	s := server.New(a.game, o.config(certs))
	if u != nil {
		fmt.Fprintf(a.out, "%s takes WebTransport at %s\n", a.game.Name(), address(scheme("http", certs), l.Addr()))
	}
	fmt.Fprintf(a.out, "%s: %d ticks a second, clients connect to %s\n", a.game.Name(), a.game.Hz(), address(scheme("ws", certs), l.Addr()))
	return a.until(s, l, u)
}

// scheme is the secure one where clients trust the certificates.
func scheme(plain string, c *transport.Certificates) string {
	if c != nil && c.Trusted() {
		return plain + "s"
	}
	return plain
}

// datagrams opens the socket for WebTransport, nil for none: the game can do
// without.
func (a *app) datagrams(o *serverFlags, at net.Addr) net.PacketConn {
	if !o.datagrams {
		return nil
	}
	u, err := server.ListenDatagrams(at)
	if err != nil {
		fmt.Fprintln(a.out, err, "- clients use WebSocket")
		return nil
	}
	return u
}

func (o *serverFlags) config(certs *transport.Certificates) server.Config {
	c := server.Config{Up: o.link.config(), Down: o.link.config(), Certificates: certs}
	c.Authority.MaxPlayers, c.Authority.SnapshotEvery, c.Authority.Budget = o.players, o.every, o.budget
	return c
}

func (a *app) listen(addr string) (net.Listener, error) {
	l, err := server.Listen(addr)
	if err != nil {
		return nil, errors.New(err.Error() + " with -addr")
	}
	return l, nil
}

// until serves until the context ends, and reports. u may be nil.
func (a *app) until(s *server.Server, l net.Listener, u net.PacketConn) error {
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	if u != nil {
		go func() { // WebSocket stays
			if err := s.ServeDatagrams(u); err != nil {
				fmt.Fprintln(a.out, "WebTransport ended, clients use WebSocket:", err)
			}
		}()
	}
	var err error
	reason := "the server was stopped"
	look := time.NewTicker(time.Minute)
	defer look.Stop()
	for told, going := "", true; going; {
		select {
		case <-a.ctx.Done():
			going = false
		case err = <-served:
			reason, going = "the server cannot be reached any more", false
		case <-look.C:
			if why := s.Problem(); why != told && why != "" {
				fmt.Fprintln(a.out, "the certificate needs you:", why)
			} else if why != told {
				fmt.Fprintln(a.out, "the certificate is good again")
			}
			told = s.Problem()
		}
	}
	var n authority.Counters
	s.Do(func(a *authority.Authority) { n = a.Counters() })
	stats := s.Stats()
	s.Close(reason)
	if err == nil {
		err = <-served
	}
	fmt.Fprintln(a.out, report(stats, n))
	return err
}

// address is what to write into a client, for a listener that may listen
// everywhere.
func address(scheme string, at net.Addr) string {
	host, port, err := net.SplitHostPort(at.String())
	if err != nil {
		return scheme + "://" + at.String() + "/"
	}
	if ip := net.ParseIP(host); ip != nil && (ip.IsUnspecified() || ip.IsLoopback()) {
		host = "localhost"
		if ip.IsLoopback() {
			host = ip.String()
		}
	}
	return scheme + "://" + net.JoinHostPort(host, port) + "/"
}

func report(s server.Stats, n authority.Counters) string {
	us := func(d time.Duration) time.Duration { return d.Round(time.Microsecond) }
	return fmt.Sprintf("server ticks=%d players=%d late=%d skipped=%d tick_mean=%v tick_p99=%v tick_max=%v "+
		"joins=%d leaves=%d resumes=%d refused=%d holes=%d malformed=%d strangers=%d in=%d out=%d",
		s.Ticks, s.Players, s.Late, s.Skipped, us(s.TickMean), us(s.TickP99), us(s.TickMax),
		n.Joins, n.Leaves, n.Resumes, n.Refused, n.Holes, n.Malformed, n.Stranger, n.Bytes, n.SentBytes)
}
