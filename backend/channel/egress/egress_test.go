package egress

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"
)

const patience = 5 * time.Second

// TestOnlyAddressesThatMayBeAreConnectedTo: what the user named may be their own
// network, what a stranger named may not.
func TestOnlyAddressesThatMayBeAreConnectedTo(t *testing.T) {
	t.Parallel()
	for address, may := range map[string][3]bool{ // own over TLS, own in clear, a stranger's over TLS
		"127.0.0.1": {true, true}, "10.1.2.3": {true, true}, "192.168.1.2": {true, true}, "::1": {true, true}, "fd12::1": {true, true},
		"::ffff:127.0.0.1": {true, true}, "100.64.1.2": {true}, "198.18.0.1": {true}, "0.1.2.3": {true}, "240.0.0.1": {true}, "192.0.2.1": {true},
		"64:ff9b::7f00:1": {true}, "64:ff9b::a9fe:a9fe": {true}, "2002:7f00:1::1": {true}, "2001:db8::1": {true},
		"93.184.216.34": {true, false, true}, "2606:2800:220:1::1": {true, false, true}, "::ffff:93.184.216.34": {true, false, true}, "64:ff9b::5db8:d822": {true, false, true},
		"169.254.169.254": {}, "fe80::1%eth0": {}, "::ffff:169.254.169.254": {}, "fd00:ec2::254": {}, "100.100.100.200": {}, "0.0.0.0": {}, "::": {}, "224.0.0.1": {}, "ff02::1": {},
	} {
		ip := netip.MustParseAddr(address)
		if got := [3]bool{Own(ip, false) == nil, Own(ip, true) == nil, Public(ip, false) == nil}; got != may {
			t.Errorf("%s: %v, want %v", address, got, may)
		}
		if Public(ip, true) == nil {
			t.Errorf("%s is sent to without TLS, though a stranger named it", address)
		}
	}
}

// TestANameThatLeadsInsideIsNotFollowed: what counts is where a name leads, not how
// it looks.
func TestANameThatLeadsInsideIsNotFollowed(t *testing.T) {
	t.Parallel()
	reached := make(chan string, 1)
	s := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { reached <- r.Host }))
	defer s.Close()
	url := strings.Replace(s.URL, "127.0.0.1", "localhost", 1) + "/secret"
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := Client(Public, patience).Do(r)
	if err == nil {
		_ = answer.Body.Close()
		t.Fatal("it answered")
	}
	if detail, forbidden := Explain(err); !forbidden || strings.Contains(detail, "secret") || len(reached) > 0 {
		t.Errorf("%q, forbidden %v, reached %d times", detail, forbidden, len(reached))
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, "/again", http.StatusTemporaryRedirect)
	}))
	defer s.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := Client(Own, patience).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusTemporaryRedirect || asked != 1 {
		t.Errorf("status %d after %d requests", answer.StatusCode, asked)
	}
}

func TestAServiceSaysHowLongToWaitWithinReason(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	for said, want := range map[string]time.Duration{
		"120": 2 * time.Minute, "": 0, "-5": 0, "soon": 0, "Mon, 04 May 2026 12:01:00 GMT": time.Minute, "Mon, 04 May 2026 11:00:00 GMT": 0,
		"999999": longest, "99999999999999999999": 0,
	} {
		if got := RetryAfter(http.Header{"Retry-After": {said}}, now); got != want {
			t.Errorf("%q: %s, want %s", said, got, want)
		}
	}
}

// TestAProxyMayBeInTheUsersNetwork, where nothing else is that a stranger named.
func TestAProxyMayBeInTheUsersNetwork(t *testing.T) {
	t.Parallel()
	through := make(chan string, 1)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		through <- r.Method + " " + r.Host
		w.WriteHeader(http.StatusForbidden)
	}))
	defer proxy.Close()
	at, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://push.example.com/secret", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client(Public, patience, http.ProxyURL(at)).Do(r)
	if err == nil {
		_ = answer.Body.Close()
		t.Fatal("it answered")
	}
	if detail, forbidden := Explain(err); forbidden || len(through) != 1 {
		t.Fatalf("%s, through the proxy %d times", detail, len(through))
	}
	if got := <-through; got != "CONNECT push.example.com:443" {
		t.Errorf("through the proxy: %s", got)
	}
}

// TestServicesAreSpokenToByHTTP2, where they want it: RFC 8030 is for nothing else.
func TestServicesAreSpokenToByHTTP2(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Was", r.Proto) }))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	c := Client(Own, patience)
	trust := x509.NewCertPool()
	trust.AddCert(s.Certificate())
	c.Transport.(transport).TLSClientConfig = &tls.Config{RootCAs: trust} //nolint:forcetypeassert // Client made it
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if was := answer.Header.Get("Was"); was != "HTTP/2.0" {
		t.Errorf("it was spoken to by %s", was)
	}
}
