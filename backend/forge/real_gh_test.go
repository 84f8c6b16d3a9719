package forge_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/starting"
	"beckon/tests/missing"
)

// api is GitHub's, as far as gh is to ask it, on a Unix socket: anything else is not found.
func api(t *testing.T, socket string) {
	t.Helper()
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]string{
		"GET /repos/ada/kestrel/issues/412": pullIssue, "GET /repos/ada/kestrel/pulls/412": pull, "POST /graphql": threads,
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := answers[r.Method+" "+r.URL.Path]
		if r.Method == http.MethodPost {
			var asked struct {
				Query     string
				Variables map[string]any
			}
			err := json.NewDecoder(r.Body).Decode(&asked)
			ok = err == nil && strings.Contains(asked.Query, "reviewThreads") && fmt.Sprint(asked.Variables) == "map[name:kestrel number:412 owner:ada]"
		}
		w.Header().Set("Content-Type", "application/json")
		if !ok || r.Host != "api.github.com" {
			w.WriteHeader(http.StatusNotFound)
			answer = `{"message":"Not Found"}`
		}
		_, _ = w.Write([]byte(answer))
	})}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
}

// TestTheRealGhIsUnderstood: what the fake of the other tests takes, gh takes too.
func TestTheRealGhIsUnderstood(t *testing.T) {
	gh, err := exec.LookPath("gh")
	if err != nil {
		missing.Test(t, "gh is not installed")
	}
	f := begin(t, github)
	if err := os.Remove(filepath.Join(f.folder, "bin", "gh")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(gh, filepath.Join(f.folder, "bin", "gh")); err != nil {
		t.Fatal(err)
	}
	config, err := os.MkdirTemp("", "gh") // the address of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(config) })
	socket := filepath.Join(config, "api")
	for name, text := range map[string]string{
		"config.yml": "http_unix_socket: " + socket + "\n",
		"hosts.yml":  "github.com:\n    user: ada\n    oauth_token: none\n    git_protocol: ssh\n",
	} {
		if err := os.WriteFile(filepath.Join(config, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GH_CONFIG_DIR", config)
	api(t, socket)
	got, err := f.forge.Find(t.Context(), f.project.ID, "#412")
	if err != nil || got.Kind != starting.Pull || got.Branch != "missing-shards" || len(got.Comments) != 2 {
		t.Errorf("got %+v, %v", got, err)
	}
	_, err = f.forge.Find(t.Context(), f.project.ID, "#7")
	if kind, _ := problem.From(err); kind != problem.NotOnForge {
		t.Errorf("what is not there: %v", err)
	}
}
