// Package loopback listens on this machine's loopback address only, and checks
// every request before anything else sees it.
//
// A server on 127.0.0.1 is not private: each web page that the user visits can
// send requests to it, and with DNS rebinding even read the replies. So Middleware
// refuses whatever a foreign page can produce, by host, origin and content
// type, on every route and before routing. Where the user's tunnel leads to a server,
// that is reached by one public name besides; what else a tunnel says is believed of
// nobody. The package does not know who asks: tokens and cookies are the business of
// the servers behind it. A Secret is how two processes of the user prove to each other
// which Beckon they belong to.
package loopback

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"beckon/backend/beckon"
)

// Limits of the servers that NewServer makes. Cookies of 127.0.0.1 are shared
// by all its ports, so a developer's browser may send many that are not ours.
const (
	headerTimeout = 5 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 32 << 10
)

// Listen listens on addr, "127.0.0.1:PORT", "localhost:PORT" or "[::1]:PORT",
// where port 0 lets the system choose. Every other host is ErrInvalid, because
// it would show the user's agents to other machines, or could not be reached
// past Middleware.
func Listen(addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("%q is not HOST:PORT, such as 127.0.0.1:0: %w", addr, beckon.ErrInvalid)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return nil, fmt.Errorf("%q is not a port between 0 and 65535: %w", port, beckon.ErrInvalid)
	}
	switch host {
	case "127.0.0.1", "::1":
	case "localhost":
		host = "127.0.0.1" // not what a hosts file may say
	default:
		return nil, fmt.Errorf("beckon listens on 127.0.0.1, localhost or [::1] only, never on %q, "+
			"where others could reach your agents: %w", host, beckon.ErrInvalid)
	}
	return new(net.ListenConfig).Listen(context.Background(), "tcp", net.JoinHostPort(host, port))
}

// WriteError replies with status and {"code","message"}.
func WriteError(w http.ResponseWriter, status int, code, message string) {
	body, _ := json.Marshal(struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}{code, message})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the peer may be gone, and nobody is left to tell
}
