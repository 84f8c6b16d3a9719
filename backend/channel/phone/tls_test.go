package phone

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel/phone/door"
	"beckon/backend/loopback"
	"beckon/tests/loopbacktest"
)

// certificate writes a certificate for the tunnel's name, and its key.
func certificate(t *testing.T, dir, common string, until time.Time) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: common}, DNSNames: []string{strings.TrimPrefix(tunnel, "https://")},
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: until, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	err = errors.Join(
		os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600),
		os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	return cert, key
}

// public makes a world with a certificate of its own.
func public(t *testing.T) (w *world, dir string) {
	t.Helper()
	dir = t.TempDir()
	own, err := door.LoadCertificate(certificate(t, dir, "first", time.Now().Add(time.Hour)))
	if err != nil {
		t.Fatal(err)
	}
	return start(t, pushes, func(c *Config) { c.Public, c.Certificate = "127.0.0.1:0", own }), dir
}

// shows connects, and returns whose certificate it reads.
func (w *world) shows() string {
	w.t.Helper()
	_, addr := w.Listens()
	conn, err := tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2", "http/1.1"}}) //nolint:gosec // it is only read
	if err != nil {
		w.t.Fatal(err)
	}
	defer conn.Close()
	if got := conn.ConnectionState().NegotiatedProtocol; got == "h2" {
		w.t.Error("many requests go over one connection")
	}
	return conn.ConnectionState().PeerCertificates[0].Subject.CommonName
}

func TestWithItsOwnCertificateOnlyThePublicNameIsServed(t *testing.T) {
	t.Parallel()
	w, _ := public(t)
	_, addr := w.Listens()
	trust := &tls.Config{InsecureSkipVerify: true} //nolint:gosec // the name is not that of the address
	transport := &http.Transport{TLSClientConfig: trust}
	t.Cleanup(transport.CloseIdleConnections)
	for host, want := range map[string]int{strings.TrimPrefix(tunnel, "https://"): 200, addr: 421, "localhost" + addr[strings.Index(addr, ":"):]: 421, "evil.test": 421} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+addr+"/sw.js", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		res, err := transport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("%s: %d, want %d", host, res.StatusCode, want)
		}
	}
	w.desk.ask(colour("q"))
	w.attack(loopbacktest.Server{URL: "https://" + addr, Origin: tunnel, TLS: trust}, `POST /api/question/q/hold {"held":true}`)
	res, err := http.Get("http://" + addr + "/sw.js")
	if err == nil {
		_ = res.Body.Close()
		if res.StatusCode == http.StatusOK {
			t.Error("it is served in clear")
		}
	}
}

func TestARenewedCertificateIsTakenAndABrokenOneIsSaid(t *testing.T) {
	t.Parallel()
	w, dir := public(t)
	if got := w.shows(); got != "first" {
		t.Fatalf("%s", got)
	}
	certificate(t, dir, "the second", time.Now().Add(time.Hour))
	if got := w.shows(); got != "the second" {
		t.Errorf("after it was renewed: %s", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "cert.pem"), []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := w.shows(); got != "the second" {
		t.Errorf("while the file is broken: %s", got)
	}
	if trouble, detail := w.Trouble(); trouble != remote.Certificate || !strings.Contains(detail, "cert.pem") {
		t.Errorf("%q %q", trouble, detail)
	}
	certificate(t, dir, "third one", time.Now().Add(time.Hour))
	if got := w.shows(); got != "third one" {
		t.Errorf("after it was mended: %s", got)
	}
	if err := os.Remove(filepath.Join(dir, "key.pem")); err != nil {
		t.Fatal(err)
	}
	if got := w.shows(); got != "third one" {
		t.Errorf("without the key's file: %s", got)
	}
	if trouble, _ := w.Trouble(); trouble != remote.Certificate {
		t.Errorf("%q", trouble)
	}
}

func TestAPortThatIsTakenIsSaidAndNoOtherIsUsed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l, err := loopback.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	taken := l.Addr().(*net.TCPAddr).Port
	w.port.Store(int64(taken))
	err = w.Start(t.Context())
	if kind, data := problem.From(err); kind != problem.PhonePort || data["port"] != strconv.Itoa(taken) {
		t.Errorf("%v", err)
	}
	if trouble, detail := w.Trouble(); trouble != remote.PortTaken || detail != strconv.Itoa(taken) || w.changes.Load() == 0 {
		t.Errorf("%q %q", trouble, detail)
	}
	if addr, _ := w.Listens(); addr != "" || w.port.Load() != int64(taken) {
		t.Errorf("it listens on %q", addr)
	}
	_ = l.Close()
	if err := w.Start(t.Context()); err != nil {
		t.Error(err)
	}
	if trouble, _ := w.Trouble(); trouble != "" {
		t.Errorf("%q", trouble)
	}
}

func TestThePortIsKnownBeforeAnythingIsServed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	port, err := w.ChosenPort(t.Context())
	if again, err2 := w.ChosenPort(t.Context()); err != nil || err2 != nil || port == 0 || again != port {
		t.Errorf("%d, %d, %v, %v", port, again, err, err2)
	}
	if err := w.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if addr, _ := w.Listens(); addr != net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) {
		t.Errorf("it listens on %s", addr)
	}
}

func TestWithoutAnAddressNothingIsServed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *Config) { c.Origin = func() string { return "" } })
	if kind, _ := problem.From(w.Start(t.Context())); kind != problem.PhoneOrigin {
		t.Errorf("%q", kind)
	}
	if w.port.Load() != 0 {
		t.Error("a port is taken")
	}
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	w = newWorld(t, func(c *Config) { c.Public = taken.Addr().String() })
	if err := w.Start(t.Context()); err == nil {
		t.Error("a public address that is taken is served")
	}
	if addr, _ := w.Listens(); addr != "" {
		t.Errorf("half of it is served on %s", addr)
	}
}
