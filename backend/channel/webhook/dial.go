package webhook

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"syscall"
)

// forbidden is an address that nothing is sent to.
type forbidden struct{ address, why string }

func (f *forbidden) Error() string { return fmt.Sprintf("%s %s", f.address, f.why) }

// metadata are addresses at which clouds tell machines their secrets, besides those
// that only one link reaches.
var metadata = []netip.Addr{
	netip.MustParseAddr("100.100.100.200"), netip.MustParseAddr("192.0.0.192"), netip.MustParseAddr("fd00:ec2::254"), netip.MustParseAddr("fd20:ce::254"),
}

// plainKey marks the context of a request without TLS.
type plainKey struct{}

// proxyOf is the proxy of the environment, for TLS alone: what is in clear goes
// straight to where it may.
func proxyOf(r *http.Request) (*url.URL, error) {
	if r.URL.Scheme != "https" {
		return nil, nil //nolint:nilnil // no proxy, as http.Transport has it
	}
	return http.ProxyFromEnvironment(r)
}

// dial connects to where it may. The address is looked at once it is resolved, so
// that no name leads elsewhere.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	inClear := ctx.Value(plainKey{}) != nil
	d := net.Dialer{Timeout: patience, Control: func(_, resolved string, _ syscall.RawConn) error {
		return allowed(resolved, inClear)
	}}
	return d.DialContext(ctx, network, address)
}

// allowed returns why Beckon does not connect to a resolved address.
func allowed(resolved string, inClear bool) error {
	at, err := netip.ParseAddrPort(resolved)
	if err != nil {
		return err
	}
	ip := at.Addr().Unmap().WithZone("")
	switch {
	case ip.IsLinkLocalUnicast(), ip.IsMulticast(), ip.IsUnspecified(), slices.Contains(metadata, ip):
		return &forbidden{ip.String(), "is no address that Beckon sends to"}
	case inClear && !ip.IsPrivate() && !ip.IsLoopback():
		return &forbidden{ip.String(), "is beyond your own network, so that it takes https://"}
	}
	return nil
}
