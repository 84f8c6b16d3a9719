package door

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon/problem"
)

func TestOnlyAnOriginIsAnAddressForPhones(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"https://studio-pc.tail1234.ts.net": "https://studio-pc.tail1234.ts.net", " https://Studio-PC.Tail1234.ts.net/ \n": "https://studio-pc.tail1234.ts.net",
		"https://phone.test:8443": "https://phone.test:8443", "https://phone.test:443": "https://phone.test", "HTTPS://phone.test:0443/": "https://phone.test",
		"https://bücher.example": "https://xn--bcher-kva.example", "https://192.168.0.10:8443": "https://192.168.0.10:8443", "https://[2001:DB8::1]": "https://[2001:db8::1]",
		"https://[2001:db8::1]:8443": "https://[2001:db8::1]:8443", "https://studio-pc": "https://studio-pc", "https://localhost:8443": "https://localhost:8443",
	} {
		if got, err := ParseOrigin(given); err != nil || got != want {
			t.Errorf("%q: %q, %v", given, got, err)
		}
	}
	for _, given := range []string{
		"", "phone.test", "http://phone.test", "https://", "https:///", "https://phone.test/beckon", "https://phone.test//", "https://phone.test?x", "https://phone.test?",
		"https://phone.test#x", "https://phone.test#", "https://me@phone.test", "https://me:pw@phone.test", "https://phone.test:", "https://phone.test:0", "https://phone.test:65536",
		"https://phone.test:x", "https://phone test", "https://phone_.test", "https://*.test", "https://phone.test.", "https://127.1", "https://2130706433", "https://0x7f.1",
		"https://[fe80::1%25lo]", "https://[::1", "https://a..b", "https://" + strings.Repeat("a.", 130) + "b", "https:phone.test", "javascript:alert(1)", "https://evil.test\\@phone.test",
	} {
		got, err := ParseOrigin(given)
		if kind, _ := problem.From(err); kind != problem.BadOrigin {
			t.Errorf("%q: %q, %v", given, got, err)
		}
	}
}

func FuzzAnOriginIsOneOrNone(f *testing.F) {
	for _, seed := range []string{"https://phone.test:8443/", "https://[::1]:1", "https://bücher.example", "https://\x95"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		got, err := ParseOrigin(given)
		if err != nil {
			return
		}
		if again, err := ParseOrigin(got); err != nil || again != got || strings.ContainsAny(strings.TrimPrefix(got, "https://"), "/?#@\\ ") {
			t.Errorf("%q is %q, and that %q, %v", given, got, again, err)
		}
	})
}

func TestACertificateThatCannotBeUsedIsSaid(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good, key := pair(t, dir, "good", time.Now().Add(time.Hour))
	_, other := pair(t, dir, "other", time.Now().Add(time.Hour))
	old, oldKey := pair(t, dir, "old", time.Now().Add(-time.Hour))
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadCertificate(good, key); err != nil {
		t.Error(err)
	}
	for name, c := range map[string]struct{ cert, key, says string }{
		"no certificate": {filepath.Join(dir, "none"), key, "none"}, "no key": {good, filepath.Join(dir, "none"), "none"}, "of another key": {good, other, "good.pem"},
		"empty": {empty, key, "empty"}, "a folder": {dir, key, "is no file"}, "ended": {old, oldKey, "ended on"}, "turned round": {key, good, "cannot be used"},
	} {
		if _, err := LoadCertificate(c.cert, c.key); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func pair(t *testing.T, dir, name string, until time.Time) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: until}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, name+".pem"), filepath.Join(dir, name+".key")
	if err := errors.Join(
		os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600),
		os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}), 0o600)); err != nil {
		t.Fatal(err)
	}
	return cert, key
}

func TestTheChosenPortIsKeptOrNotTaken(t *testing.T) {
	t.Parallel()
	kept := 0
	l, err := Choose(func(port int) error { kept = port; return nil })
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if kept < firstPort || kept >= firstPort+ports || l.Addr().String() != net.JoinHostPort("127.0.0.1", strconv.Itoa(kept)) {
		t.Errorf("%d, %v", kept, l.Addr())
	}
	if _, err := Local(kept); err == nil {
		t.Error("the port is not taken")
	}
	time.AfterFunc(heldFor/10, func() { _ = l.Close() })
	again, err := Local(kept)
	if err != nil {
		t.Fatalf("a port that is free in a moment: %v", err)
	}
	defer again.Close()
	full := errors.New("the disk is full")
	if l, err := Choose(func(int) error { return full }); !errors.Is(err, full) || l != nil {
		t.Errorf("%v, %v", l, err)
	}
}
