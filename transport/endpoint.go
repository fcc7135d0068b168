package transport

import (
	"errors"
	"strconv"
	"strings"
)

// EndpointPath is where a server answers, over HTTP, with its Endpoint.
const EndpointPath = "/webtransport"

// Endpoint says where a server takes WebTransport and which certificates a
// client may accept there. As text it is one line:
//
//	webtransport 127.0.0.1:7777 sha-256=<64 hex digits> ...
type Endpoint struct {
	Host   string     // "": the host that gave the Endpoint
	Port   int        // UDP
	Hashes [][32]byte // SHA-256 of certificates; none: those of a trusted authority
}

var errNoOffer = errors.New("transport: the server offers no WebTransport")

const maxHashes = 8 // a renewal needs two

func (e Endpoint) String() string {
	var b strings.Builder
	b.WriteString("webtransport ")
	if strings.Contains(e.Host, ":") {
		b.WriteString("[" + e.Host + "]")
	} else {
		b.WriteString(e.Host)
	}
	b.WriteString(":" + strconv.Itoa(e.Port))
	for _, h := range e.Hashes {
		b.WriteString(" sha-256=")
		for _, x := range h {
			const hex = "0123456789abcdef"
			b.WriteByte(hex[x>>4])
			b.WriteByte(hex[x&15])
		}
	}
	return b.String()
}

// ParseEndpoint reads what String wrote.
func ParseEndpoint(text string) (e Endpoint, err error) {
	words := strings.Fields(text)
	if len(words) < 2 || len(words) > 2+maxHashes || words[0] != "webtransport" {
		return e, errNoOffer
	}
	bad := errors.New("transport: no endpoint: " + `"` + cleanReason(text) + `"`)
	i := strings.LastIndexByte(words[1], ':')
	if i < 0 {
		return e, bad
	}
	e.Host = words[1][:i]
	if n := len(e.Host); n > 1 && e.Host[0] == '[' && e.Host[n-1] == ']' {
		e.Host = e.Host[1 : n-1]
	}
	if strings.ContainsAny(e.Host, "[]/?#@\\") {
		return e, bad
	}
	port, err := strconv.ParseUint(words[1][i+1:], 10, 16)
	if err != nil || port == 0 {
		return e, bad
	}
	e.Port = int(port)
	for _, w := range words[2:] {
		digits, ok := strings.CutPrefix(w, "sha-256=")
		if !ok || len(digits) != 64 {
			return e, bad
		}
		var h [32]byte
		for j := range h {
			x, err := strconv.ParseUint(digits[2*j:2*j+2], 16, 8)
			if err != nil {
				return e, bad
			}
			h[j] = byte(x)
		}
		e.Hashes = append(e.Hashes, h)
	}
	return e, nil
}

// url of the Endpoint that a page at base, a URL, gave.
func (e Endpoint) url(base string) string {
	host := e.Host
	if host == "" {
		host = hostOf(base)
	}
	if host == "localhost" {
		host = "127.0.0.1" // a browser would try ::1 and nothing else
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return "https://" + host + ":" + strconv.Itoa(e.Port) + "/"
}

// hostOf returns the host of a URL, without port and brackets.
func hostOf(url string) string {
	if i := strings.Index(url, "://"); i >= 0 {
		url = url[i+3:]
	}
	if i := strings.IndexAny(url, "/?#"); i >= 0 {
		url = url[:i]
	}
	if i := strings.LastIndexByte(url, '@'); i >= 0 {
		url = url[i+1:]
	}
	if strings.HasPrefix(url, "[") {
		if i := strings.IndexByte(url, ']'); i > 0 {
			return url[1:i]
		}
	}
	if i := strings.LastIndexByte(url, ':'); i >= 0 {
		url = url[:i]
	}
	return url
}
