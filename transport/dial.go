//go:build !js

package transport

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/coder/websocket"
)

// DialWebSocket connects to a Hub at a ws, wss, http or https URL. The context
// bounds the handshake only; without a deadline it is given ten seconds.
func DialWebSocket(ctx context.Context, url string) (Conn, error) {
	s, err := dial(ctx, url, serverLimits(), nil)
	if err != nil {
		return nil, err // not a Conn that holds a nil socket
	}
	return s, nil
}

func dial(ctx context.Context, url string, l limits, secure *tls.Config) (*socket, error) {
	if _, ok := ctx.Deadline(); !ok {
		c, cancel := context.WithTimeout(ctx, dialTimeout)
		defer cancel()
		ctx = c
	}
	var raw *rawConn
	client := &http.Client{Transport: &http.Transport{
		Proxy:             http.ProxyFromEnvironment,
		DisableKeepAlives: true,
		TLSClientConfig:   secure,
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, err := new(net.Dialer).DialContext(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			tune(c)
			raw = newRawConn(c, l)
			return raw, nil
		},
	}}
	ws, resp, err := websocket.Dial(ctx, url, &websocket.DialOptions{
		HTTPClient:     client,
		OnPingReceived: func(context.Context, []byte) bool { return raw.message() == nil },
	})
	if err != nil {
		if resp != nil && resp.StatusCode != http.StatusSwitchingProtocols {
			return nil, fmt.Errorf("transport: %s: %s: %s", url, resp.Status, firstLine(resp.Body))
		}
		return nil, fmt.Errorf("transport: %s: %w", url, cause(err))
	}
	s := newSocket(ws, raw, raw.RemoteAddr().String(), l, client.CloseIdleConnections)
	s.start()
	return s, nil
}

// cause digs out what a person can act on: "connection refused", not how it was
// called for.
func cause(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op
	}
	return err
}

func firstLine(r io.Reader) string {
	line, _ := bufio.NewReader(io.LimitReader(r, MaxReason)).ReadString('\n')
	return cleanReason(strings.TrimSpace(line))
}
