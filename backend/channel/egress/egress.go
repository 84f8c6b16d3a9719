// Package egress makes requests to addresses that somebody else named. It follows no
// redirects, and looks at each address once its name is resolved, so that no name
// leads elsewhere. What it says of an error never has the address of the request,
// which may be a secret. It knows nothing of what is sent.
package egress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"syscall"
	"time"
)

// Forbidden is an address that nothing is sent to.
type Forbidden struct{ address, why string }

func (f *Forbidden) Error() string { return fmt.Sprintf("%s %s", f.address, f.why) }

// Rule returns why nothing is sent to an address, with TLS or in clear; nil: it may be.
type Rule func(ip netip.Addr, inClear bool) error

// Client returns a client that connects to where the rule allows. Each step of a
// request, and the whole, takes no longer than patience.
func Client(rule Rule, patience time.Duration) *http.Client {
	return client(rule, patience, http.ProxyFromEnvironment)
}

func client(rule Rule, patience time.Duration, proxy proxies) *http.Client {
	d := dialer{rule, patience, proxy}
	return &http.Client{
		// RFC 8030 has push services speak HTTP/2.
		Transport:     transport{&http.Transport{Proxy: proxy.ofTLS, DialContext: d.dial, DisableKeepAlives: true, TLSHandshakeTimeout: patience, ForceAttemptHTTP2: true}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       patience,
	}
}

// plainKey marks the context of a request without TLS.
type plainKey struct{}

// transport says of each request whether it is in clear to what dials for it.
type transport struct{ *http.Transport }

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" {
		r = r.WithContext(context.WithValue(r.Context(), plainKey{}, true))
	}
	return t.Transport.RoundTrip(r)
}

// proxies says through which proxy a request goes; nil: through none.
type proxies func(*http.Request) (*url.URL, error)

// ofTLS is the proxy for TLS alone: what is in clear goes straight to where it may.
func (p proxies) ofTLS(r *http.Request) (*url.URL, error) {
	if r.URL.Scheme != "https" {
		return nil, nil //nolint:nilnil // no proxy, as http.Transport has it
	}
	return p(r)
}

// has reports whether an address is that of the proxy.
func (p proxies) has(address string) bool {
	proxy, err := p(&http.Request{URL: &url.URL{Scheme: "https", Host: "example.com"}})
	if err != nil || proxy == nil {
		return false
	}
	port := map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}[proxy.Scheme]
	return net.JoinHostPort(proxy.Hostname(), cmp.Or(proxy.Port(), port)) == address
}

type dialer struct {
	rule     Rule
	patience time.Duration
	proxy    proxies
}

// dial connects to where it may. A proxy of the user's may be anywhere in their own
// network; what it connects to is for it to say.
func (d dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	rule, inClear := d.rule, ctx.Value(plainKey{}) != nil
	if d.proxy.has(address) {
		rule = Own
	}
	connect := net.Dialer{Timeout: d.patience, Control: func(_, resolved string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(resolved)
		if err != nil {
			return err
		}
		return rule(at.Addr(), inClear)
	}}
	return connect.DialContext(ctx, network, address)
}

// Explain says why a request of a client's had no answer, and whether that was since
// it may not be made.
func Explain(err error) (detail string, forbidden bool) {
	var refused *Forbidden
	if errors.As(err, &refused) {
		return refused.Error(), true
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		if wrapped.Timeout() {
			return "no answer in time", false
		}
		err = wrapped.Err
	}
	return err.Error(), false
}

// longest is how long a service may have Beckon wait.
const longest = 24 * time.Hour

// RetryAfter is how long the answer of a service says to wait; 0 where it says
// nothing.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	said := h.Get("Retry-After")
	wait := time.Duration(0)
	if seconds, err := strconv.ParseInt(said, 10, 32); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(said); err == nil {
		wait = at.Sub(now)
	}
	return min(max(0, wait), longest)
}
