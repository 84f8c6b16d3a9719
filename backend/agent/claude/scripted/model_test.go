package scripted_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/agent/claude/scripted"
	"beckon/backend/beckon"
)

// api is a Messages API that gives its answers one after the other, and keeps what it is
// sent.
type api struct {
	mu      sync.Mutex
	answers []string // the content of each, as JSON
	sent    []string // the messages of each request, as JSON
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var request struct {
		Messages json.RawMessage `json:"messages"`
		Tools    []struct{ Name string }
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil || r.URL.Path != "/v1/messages" ||
		len(request.Tools) == 0 {
		http.Error(w, "no such request", http.StatusBadRequest)
		return
	}
	if a.sent = append(a.sent, string(request.Messages)); len(a.sent) <= len(a.answers) {
		_, _ = w.Write([]byte(`{"content":[` + a.answers[len(a.sent)-1] + `]}`))
	}
}

// newest returns the messages of the last request.
func (a *api) newest() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.sent[len(a.sent)-1]
}

// ofModel are options of an agent that does what the API answers.
func ofModel(t *testing.T, answers ...string) (cli.Options, *api) {
	a := &api{answers: answers}
	served := httptest.NewServer(a)
	t.Cleanup(served.Close)
	o := scripted.Options(t, "-- script --\nmodel: yes\n")
	o.SessionID = beckon.NewUUID()
	o.Env = append(o.Env, "ANTHROPIC_BASE_URL="+served.URL, "CLAUDE_CONFIG_DIR="+t.TempDir())
	return o, a
}

// resuming are the options of the process that goes on with the session.
func resuming(o cli.Options) cli.Options {
	o.SessionID, o.Resume = "", o.SessionID
	return o
}

func TestTheModelSaysWhatIsDone(t *testing.T) {
	t.Parallel()
	o, a := ofModel(t,
		`{"type":"text","text":"I write."},{"type":"tool_use","name":"Write","input":{"file_path":"a.txt","content":"one\n"}},{"type":"tool_use","name":"Bash","input":{"command":"echo it is ${answer}"}}`,
		`{"type":"text","text":"Written."}`,
		`{"type":"text","text":"And on."}`,
		`{"type":"text","text":"Resumed."}`)
	said := run(t, o, "Write it.", "More.")
	if got := results(said); got != "Written. / And on." {
		t.Errorf("results %q", got)
	}
	if text, err := os.ReadFile(filepath.Join(o.Dir, "a.txt")); err != nil || string(text) != "one\n" {
		t.Errorf("file %q, %v", text, err)
	}
	if got := results(run(t, resuming(o), "Still there?")); got != "Resumed." {
		t.Errorf("results %q", got)
	}
	var roles []string
	var heard []struct{ Role string }
	if err := json.Unmarshal([]byte(a.newest()), &heard); err != nil {
		t.Fatal(err)
	}
	for _, m := range heard {
		roles = append(roles, m.Role)
	}
	if got := strings.Join(roles, " "); got != "user assistant user assistant user assistant user" {
		t.Errorf("the roles are %s", got)
	}
	for _, words := range []string{
		"Write it.", "I write.", `"tool_result"`, "it is ${answer}", "Written.", "More.",
		"And on.", "Still there?",
	} {
		if got := a.newest(); !strings.Contains(got, words) {
			t.Errorf("the model has not heard %q: %s", words, got)
		}
	}
}

// TestAnUnansweredCallIsNotHeardAgain: the process was killed while its call ran.
func TestAnUnansweredCallIsNotHeardAgain(t *testing.T) {
	t.Parallel()
	o, a := ofModel(t, `{"type":"text","text":"I wait."},{"type":"tool_use","name":"Bash","input":{"command":"kill -9 $PPID"}}`, `{"type":"text","text":"Done."}`)
	run(t, o, "Go.")
	if got := results(run(t, resuming(o), "Go on.")); got != "Done." {
		t.Errorf("results %q", got)
	}
	if got := a.newest(); strings.Contains(got, "tool_use") || !strings.Contains(got, "I wait.") ||
		!strings.Contains(got, "Go on.") {
		t.Errorf("the model heard %s", got)
	}
}

func TestASessionWithoutARecordIsNotResumed(t *testing.T) {
	t.Parallel()
	o, _ := ofModel(t)
	p, err := cli.Start(t.Context(), resuming(o))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = p.Stop(ctx) })()
	for err == nil {
		_, err = p.Next()
	}
	if e := p.Wait(); e.Code != 1 || !strings.Contains(e.Stderr, "No conversation found with session ID: "+o.SessionID) {
		t.Errorf("it ended with %+v", e)
	}
}
