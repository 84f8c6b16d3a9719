// Package conformance has the MCP project's own suite judge Beckon's server.
//
// The suite knows neither tokens nor Beckon's tools, so it goes through a proxy
// of this test that adds the one and translates to the other. The server under
// test is the product's, with nothing switched off.
package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/toolserver"
	"beckon/tests/timeout"
)

// longAsk is answered only after three signs of life: at once, after ten
// seconds, after twenty.
const (
	longAsk = "Take your time"
	long    = 21 * time.Second
)

// calls tells which call of Beckon's own tool shows what a scenario is about:
// the suite's tools have names that no product has.
var calls = map[string]map[string]any{
	"test_simple_text":        {"question": "Which?"},
	"test_error_handling":     {},
	"test_tool_with_progress": {"question": longAsk},
}

// TestTheServerSpeaksMCPAsTheStandardSays runs the suite and compares with
// expected.yml, in both directions: what fails beyond it is an error, and so is
// what stands there and passes.
func TestTheServerSpeaksMCPAsTheStandardSays(t *testing.T) {
	suite, err := filepath.Abs("node_modules/@modelcontextprotocol/conformance/dist/index.js")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(suite); err != nil {
		t.Fatal("the suite is not installed; npm --prefix tests/conformance ci does it")
	}
	ctx, cancel := context.WithTimeout(t.Context(), timeout.For(55*time.Second))
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", suite, "server", "--url", served(t), "--expected-failures", "expected.yml", "--output-dir", t.TempDir())
	out, err := cmd.CombinedOutput()
	text := regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(string(out), "")
	if _, summary, found := strings.Cut(text, "=== SUMMARY ==="); found && err == nil {
		fmt.Println(strings.TrimSpace(summary))
		return
	}
	t.Fatalf("%v\n%s", err, text)
}

// served starts the server with a user who answers, and returns where a client
// without a token reaches it.
func served(t *testing.T) string {
	t.Helper()
	s, err := toolserver.Listen(toolserver.Desk{
		Ask:             answer,
		OnAnswerWritten: func(context.Context, string) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), timeout.For(10*time.Second))
		defer cancel()
		if err := s.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return proxied(t, s.URL(), s.Admit(toolserver.Caller{RunID: "conformance"}))
}

func answer(ctx context.Context, q beckon.Question) (beckon.Question, error) {
	if q.Items[0].Text == longAsk {
		select {
		case <-time.After(long):
		case <-ctx.Done():
			return q, context.Cause(ctx)
		}
	}
	q.Settlement, q.Answer = beckon.Answered, &beckon.Answer{Items: []beckon.ItemAnswer{{Other: "yes"}}}
	return q, nil
}

// proxied puts a proxy before the server that adds the token. It names the
// server as the host where the client named the proxy; any other host, such as
// a rebound one, it leaves for the server to refuse.
func proxied(t *testing.T, serverURL, token string) string {
	t.Helper()
	to, err := url.Parse(serverURL)
	if err != nil {
		t.Fatal(err)
	}
	var proxy *httptest.Server
	own := func(host string) bool {
		name, port, err := net.SplitHostPort(host)
		return err == nil && "127.0.0.1:"+port == proxy.Listener.Addr().String() && (name == "127.0.0.1" || name == "localhost")
	}
	forward := &httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = to.Scheme, to.Host
			r.Out.Header.Set("Authorization", "Bearer "+token)
			if r.Out.Host = to.Host; !own(r.In.Host) {
				r.Out.Host = r.In.Host
			}
			if origin, err := url.Parse(r.In.Header.Get("Origin")); err == nil && own(origin.Host) {
				r.Out.Header.Set("Origin", "http://"+to.Host)
			}
		},
	}
	proxy = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		forward.ServeHTTP(w, translated(t, r))
	}))
	t.Cleanup(proxy.Close)
	return proxy.URL + to.Path
}

// translated returns r with a call of one of the suite's tools made a call of
// ask_user; everything else is left to the last byte.
func translated(t *testing.T, r *http.Request) *http.Request {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	var message map[string]any
	if json.Unmarshal(body, &message) == nil {
		params, _ := message["params"].(map[string]any)
		name, _ := params["name"].(string)
		if arguments, known := calls[name]; known && message["method"] == "tools/call" {
			params["name"], params["arguments"] = "ask_user", arguments
			if body, err = json.Marshal(message); err != nil {
				t.Error(err)
			}
		}
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return r
}
