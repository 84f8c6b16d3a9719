package tunnel

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// errOther is why a connection ends whose TLS is not with the host that it was made to.
var errOther = errors.New("its TLS names another host than its connection")

// handshake is the first byte of TLS.
const handshake = 22

// hello reads the beginning of TLS from a connection that was made to a host and a port, and
// returns what it read. It fails where that names another host: behind one address there may
// be many. An address alone has no name to be given. Only the port of HTTPS has to speak TLS,
// for the address of an API may be one without.
func hello(ctx context.Context, conn net.Conn, at string) (read []byte, err error) {
	host, port, err := net.SplitHostPort(at)
	if err == nil {
		err = conn.SetReadDeadline(time.Now().Add(headIn))
	}
	if err != nil {
		return nil, err
	}
	first := make([]byte, 1)
	if _, err := io.ReadFull(conn, first); err != nil || first[0] != handshake && port != "443" {
		return first, errors.Join(err, conn.SetReadDeadline(time.Time{}))
	}
	kept := *bytes.NewBuffer(bytes.Clone(first))
	named := errOther
	quiet := listening{conn, io.MultiReader(bytes.NewReader(first), io.TeeReader(io.LimitReader(conn, headMost), &kept))}
	server := tls.Server(quiet, &tls.Config{MinVersion: tls.VersionTLS12, GetConfigForClient: func(info *tls.ClientHelloInfo) (*tls.Config, error) {
		if info.ServerName == host || info.ServerName == "" && net.ParseIP(host) != nil {
			named = nil
		} else {
			named = fmt.Errorf("%w: %.200q, not %q", errOther, info.ServerName, host)
		}
		return nil, errOther // the rest is between the two
	}})
	_ = server.HandshakeContext(ctx)
	return kept.Bytes(), errors.Join(named, conn.SetReadDeadline(time.Time{}))
}

// listening is a connection to which nothing is said.
type listening struct {
	net.Conn
	from io.Reader
}

func (l listening) Read(p []byte) (int, error)  { return l.from.Read(p) }
func (l listening) Write(p []byte) (int, error) { return len(p), nil }
func (listening) Close() error                  { return nil }
