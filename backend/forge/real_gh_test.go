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
	"beckon/backend/beckon/reviewing"
	"beckon/backend/beckon/starting"
	"beckon/tests/missing"
)

// api is GitHub's, as far as gh is to ask it, on a Unix socket: anything else is not found.
func api(t *testing.T, socket string, answers map[string]string) {
	t.Helper()
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	answers["GET /repos/ada/kestrel/issues/412"], answers["POST /graphql"] = pullIssue, threads
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := answers[r.Method+" "+r.URL.Path]
		if r.Method == http.MethodPost {
			var asked struct {
				Query     string
				Variables map[string]any
				Body      string
				Line      int
			}
			err := json.NewDecoder(r.Body).Decode(&asked)
			ok = err == nil && (strings.Contains(asked.Query, "reviewThreads") && fmt.Sprint(asked.Variables) == "map[name:kestrel number:412 owner:ada]" ||
				strings.Contains(asked.Query, "resolveReviewThread") && fmt.Sprint(asked.Variables) == "map[thread:T2]" ||
				asked.Body == "Why $(twice)?" && asked.Line == 1)
		}
		w.Header().Set("Content-Type", "application/json")
		switch {
		case !ok && r.Method == http.MethodPost:
			w.WriteHeader(http.StatusUnprocessableEntity)
			answer = `{"message":"Validation Failed","errors":[{"resource":"PullRequestReviewComment","code":"custom","field":"pull_request_review_thread.line",
				"message":"pull_request_review_thread.line must be part of the diff"}]}`
		case !ok || r.Host != "api.github.com":
			w.WriteHeader(http.StatusNotFound)
			answer = `{"message":"Not Found"}`
		case strings.HasSuffix(r.URL.Path, "/logs"):
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
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
	api(t, socket, map[string]string{
		"GET /repos/ada/kestrel/pulls/412": fmt.Sprintf(`{"head":{"ref":"missing-shards","sha":%q,"repo":{"full_name":"Ada/Kestrel"},"user":{"login":"ada"}},
			"base":{"ref":"main","sha":%q},"additions":118,"deletions":22}`, f.tip(), f.git("rev-parse", "main")),
		"GET /user": `{"login":"ada"}`,
		"POST /repos/ada/kestrel/pulls/412/comments":                `{"html_url":"https://github.com/ada/kestrel/pull/412#r9"}`,
		"GET /repos/ada/kestrel/commits/" + f.tip() + "/check-runs": `{"check_runs":[{"id":3,"name":"build","conclusion":"failure","app":{"slug":"github-actions"}}]}`,
		"GET /repos/ada/kestrel/commits/" + f.tip() + "/status":     `{"statuses":[]}`,
		"GET /repos/ada/kestrel/actions/jobs/3/logs":                "2026-11-26T10:00:00.1Z one\n##[error]two\nthree\n",
	})
	got, err := f.forge.Find(t.Context(), f.project.ID, "#412")
	if err != nil || got.Kind != starting.Pull || got.Branch != "missing-shards" || len(got.Comments) != 2 {
		t.Errorf("got %+v, %v", got, err)
	}
	_, err = f.forge.Find(t.Context(), f.project.ID, "#7")
	if kind, _ := problem.From(err); kind != problem.NotOnForge {
		t.Errorf("what is not there: %v", err)
	}

	f.onGitHub()
	if list, err := f.forge.Threads(t.Context(), f.task.ID); err != nil || len(list) != 1 || list[0].First != 7 {
		t.Errorf("discussions: %+v, %v", list, err)
	}
	at := reviewing.Placed{Commit: f.tip(), Path: "a", Side: reviewing.After, First: 1, Last: 1}
	if page, err := f.forge.Post(t.Context(), f.task.ID, at, "Why $(twice)?"); err != nil || page != "https://github.com/ada/kestrel/pull/412#r9" {
		t.Errorf("posted: %q, %v", page, err)
	}
	at.First, at.Last = 9, 9
	_, err = f.forge.Post(t.Context(), f.task.ID, at, "Why $(twice)?")
	if kind, _ := problem.From(err); kind != problem.NotInDiff {
		t.Errorf("posted where the diff has no line: %v", err)
	}
	if err := f.forge.ResolveThread(t.Context(), f.task.ID, "T2"); err != nil {
		t.Errorf("closed: %v", err)
	}
	checks, err := f.forge.FailedChecks(t.Context(), f.task.ID)
	if err != nil || len(checks) != 1 {
		t.Fatalf("checks: %+v, %v", checks, err)
	}
	if log, err := f.forge.CheckLog(t.Context(), f.task.ID, checks[0]); err != nil || log != "one\n##[error]two" {
		t.Errorf("the log: %q, %v", log, err)
	}
}
