package web_test

import (
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"beckon/backend/assets"
)

func TestThePageIsSentCompressedAndOnlyOnce(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := visitor(t, s)
	const app = "/assets/app-Ab3_x9-Q.js"
	res := b.get(s.base()+app, "Accept-Encoding", "gzip, deflate, br")
	z, err := gzip.NewReader(strings.NewReader(res.body))
	if err != nil || res.header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("%v, %v", err, res.header)
	}
	if text, err := io.ReadAll(z); err != nil || string(text) != script {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if len(res.body) > len(script)/10 || res.header.Get("Content-Type") != "text/javascript; charset=utf-8" {
		t.Errorf("%d bytes of %s", len(res.body), res.header.Get("Content-Type"))
	}
	if got := res.header.Get("Cache-Control"); !strings.Contains(got, "immutable") {
		t.Errorf("a file with its hash in its name is %q", got)
	}
	again := b.get(s.base()+app, "Accept-Encoding", "gzip", "If-None-Match", res.header.Get("ETag"))
	if again.status != 304 || again.body != "" {
		t.Errorf("the same again: %d", again.status)
	}
	for _, accept := range []string{"", "identity", "gzip;q=0", "br"} {
		if plain := b.get(s.base()+app, "Accept-Encoding", accept); plain.body != script || plain.header.Get("ETag") == res.header.Get("ETag") {
			t.Errorf("accepting %q: %d bytes, tag %s", accept, len(plain.body), plain.header.Get("ETag"))
		}
	}
}

func TestWhatTheBuildCompressedIsSentAsItIs(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := visitor(t, s)
	for accept, want := range map[string]string{"gzip, br": "BROTLI", "gzip": "GZIP", "": "a{}"} {
		if res := b.get(s.base()+"/assets/pre-12345678.css", "Accept-Encoding", accept); res.body != want {
			t.Errorf("accepting %q: %q", accept, res.body)
		}
	}
}

func TestNothingButThePageCanBeRead(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := visitor(t, s)
	for path, want := range map[string]int{
		"/": 200, "/index.html": 200, "/favicon.svg": 200, "/board": 200, "/task/KES-1": 200, "/assets": 200,
		"/assets/": 200, "/no.js": 404, "/assets/pre-12345678.css.br": 404, "/../server.go": 307, "/..%2fserver.go": 404,
		"/assets/..%2f..%2fserver.go": 404, "/.git/config.x": 404, "/%00.x": 404, "//evil.test/x": 307,
	} {
		res := b.get(s.base() + path)
		if res.status != want {
			t.Errorf("%s: %d, want %d", path, res.status, want)
		}
		if to := res.header.Get("Location"); strings.HasPrefix(to, "//") || strings.Contains(to, "evil.test/x") && to != "/evil.test/x" {
			t.Errorf("%s leads to %s", path, to)
		}
		if want == 200 && path != "/favicon.svg" && !strings.Contains(res.body, "<title>Beckon") {
			t.Errorf("%s is %q", path, res.body)
		}
	}
}

func TestThePageLivesUnderAStrictPolicy(t *testing.T) {
	t.Parallel()
	s := start(t)
	res := visitor(t, s).get(s.base() + "/")
	for name, want := range map[string]string{
		"Content-Security-Policy": assets.CSP, "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff",
		"Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
		"Cross-Origin-Opener-Policy": "same-origin", "Cache-Control": "no-cache",
	} {
		if got := res.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, hole := range []string{"unsafe", "*", "http:", "https:"} {
		if strings.Contains(assets.CSP, hole) {
			t.Errorf("the policy has %s", hole)
		}
	}
}
