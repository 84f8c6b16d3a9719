package agents

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"beckon/backend/agent/process"
	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// model is a scripted Responses API: it answers each request that offers the tools of the
// main agent by the next turn, and others, for titles and the like, by a word.
type model struct {
	mu    sync.Mutex
	turns []turn
	asked []string // the bodies of the main requests
}

// turn is a call of a tool whose name ends so, or else words; status is of a refusal.
type turn struct {
	tool   string
	input  map[string]any
	text   string
	status int
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || !strings.HasSuffix(r.URL.Path, "/responses") {
		http.NotFound(w, r)
		return
	}
	var request struct {
		Tools []json.RawMessage `json:"tools"`
	}
	_ = json.Unmarshal(body, &request)
	next := turn{text: "fine"}
	m.mu.Lock()
	if strings.Contains(string(body), `"exec_command"`) {
		m.asked = append(m.asked, string(body))
		if len(m.turns) > 0 {
			next, m.turns = m.turns[0], m.turns[1:]
		}
	}
	n := len(m.asked)
	m.mu.Unlock()
	if next.status != 0 {
		http.Error(w, `{"error":{"message":"Too many requests","type":"rate_limit"}}`, next.status)
		return
	}
	item := map[string]any{"type": "message", "role": "assistant", "id": fmt.Sprint("m", n), "content": []any{map[string]any{"type": "output_text", "text": next.text}}}
	if next.tool != "" {
		input, _ := json.Marshal(next.input)
		item = map[string]any{"type": "function_call", "id": fmt.Sprint("f", n), "call_id": fmt.Sprint("call_", n), "name": next.tool, "arguments": string(input)}
		if space, name, ok := strings.Cut(next.tool, "/"); ok {
			item["namespace"], item["name"] = space, name
		}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range []map[string]any{
		{"type": "response.created", "response": map[string]any{"id": fmt.Sprint("r", n)}},
		{"type": "response.output_item.done", "item": item},
		{"type": "response.completed", "response": map[string]any{"id": fmt.Sprint("r", n), "usage": map[string]any{
			"input_tokens": 10, "input_tokens_details": nil, "output_tokens": 5, "output_tokens_details": nil, "total_tokens": 15,
		}}},
	} {
		raw, _ := json.Marshal(event)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event["type"], raw)
	}
}

// heard returns what the model was sent.
func (m *model) heard() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strings.Join(m.asked, "\n")
}

// codex starts Beckon with Codex, whose model follows a script.
func codex(t *testing.T, turns ...turn) (*fixture.Fixture, *model) {
	t.Helper()
	m := &model{turns: turns}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	modules, err := filepath.Abs("node_modules")
	if err != nil {
		t.Fatal(err)
	}
	home, bin := t.TempDir(), t.TempDir()
	program := filepath.Join(modules, ".bin", "codex-acp")
	if _, err := os.Stat(program); err != nil {
		t.Fatalf("npm ci has not run in tests/agents: %v", err)
	}
	config := fmt.Sprintf(`model = "scripted-1"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = %q
wire_api = "responses"
env_key = "OPENAI_API_KEY"
requires_openai_auth = false
`, server.URL+"/v1")
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := process.WriteProgram(filepath.Join(bin, "codex-acp"), fmt.Sprintf("#!/bin/sh\nexec '%s' \"$@\"\n", program)); err != nil {
		t.Fatal(err)
	}
	return fixture.NewWithEnv(t, []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "CODEX_HOME=" + home, "OPENAI_API_KEY=sk-test"}), m
}

// TestCodexDoesATask from Beckon's question and its own to work that is committed.
func TestCodexDoesATask(t *testing.T) {
	t.Parallel()
	s, m := codex(t,
		turn{tool: "mcp__beckon/ask_user", input: fixture.Questions(fixture.Question("Which greeting?", "Greeting", "Hello", "Good day"))},
		turn{tool: "request_user_input", input: map[string]any{"questions": []any{map[string]any{
			"id": "language", "header": "Language", "question": "Which language?",
			"options": []any{map[string]any{"label": "English", "description": "as it is"}, map[string]any{"label": "German", "description": "another one"}},
		}}}},
		turn{tool: "exec_command", input: map[string]any{
			"cmd": "echo 'Good day' > greeting.txt", "sandbox_permissions": "require_escalated", "justification": "May I write it?",
		}},
		turn{text: "All done."},
	)
	task := s.Create(beckon.NewTask{Title: "Greet the user", Brief: "Ask how.", Agent: "codex"})
	s.Answer(s.Asked(task.ID, "Which greeting?"), "Good day")
	s.Answer(s.Asked(task.ID, "Which language?"), "German")
	wish := s.Asked(task.ID, "greeting.txt")
	if wish.Kind != beckon.Permission || !strings.Contains(wish.Permission.Command, "echo 'Good day' > greeting.txt") {
		t.Errorf("it is asked %+v", wish.Permission)
	}
	client.Must[any](s.Program, "AnswerQuestion", wish.ID, beckon.Answer{Verdict: beckon.AllowOnce})
	task = s.InReview(task.ID)
	for _, words := range []string{"Good day", "German"} {
		if !strings.Contains(m.heard(), words) {
			t.Errorf("the model never heard %q", words)
		}
	}
	if got := strings.TrimSpace(client.Git(t, s.Dir, "show", "--format=%s", "--name-only", task.Branch)); !strings.Contains(got, "greeting.txt") {
		t.Errorf("the commit holds %q", got)
	}
	if run := s.Run(task.ID); run.Outcome != beckon.Succeeded || run.Agent != "codex" {
		t.Errorf("the run ended %+v", run)
	}
}

// TestCodexAsksAgainForWhatWasAllowed, since its session has lost what was open when it was
// killed together with Beckon: it is not put to the user again.
func TestCodexAsksAgainForWhatWasAllowed(t *testing.T) {
	t.Parallel()
	write := turn{tool: "exec_command", input: map[string]any{
		"cmd": "echo 'Good day' >> greeting.txt", "sandbox_permissions": "require_escalated", "justification": "May I write it?",
	}}
	s, _ := codex(t, write, write, turn{text: "All done."})
	task := s.Create(beckon.NewTask{Title: "Greet the user", Agent: "codex", Policy: beckon.Wait})
	s.Asked(task.ID, "greeting.txt")
	s.Slay()
	client.Must[any](s.Program, "AnswerQuestion", s.Orphan(task.ID).ID, beckon.Answer{Verdict: beckon.AllowOnce})
	s.RanAgain(task.ID)
	task = s.InReview(task.ID)
	if asked := client.Must[[]beckon.Question](s.Program, "Questions", task.ID); len(asked) != 1 {
		t.Errorf("it was asked %+v", asked)
	}
	if got := client.Git(t, s.Dir, "show", task.Branch+":greeting.txt"); got != "Good day\n" {
		t.Errorf("the commit holds %q", got)
	}
}

// TestCodexIsNotDoneWhereItsQuotaIs: it calls the turn ended all the same.
func TestCodexIsNotDoneWhereItsQuotaIs(t *testing.T) {
	t.Parallel()
	var refusals []turn
	for range 40 {
		refusals = append(refusals, turn{status: http.StatusTooManyRequests})
	}
	s, _ := codex(t, refusals...)
	task := s.Create(beckon.NewTask{Title: "Greet the user", Agent: "codex"})
	s.Until("the limit", fixture.Patience, func() bool { return s.Run(task.ID).Outcome == beckon.Limited })
}
