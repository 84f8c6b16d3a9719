package agents

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// gemini is a scripted API of Gemini's: it answers each request that offers tools by the next
// turn, and others, which choose a model, by a choice.
type gemini struct {
	mu      sync.Mutex
	turns   []turn
	offered []string // the names of the tools
	asked   strings.Builder
}

func (g *gemini) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer := map[string]any{
		"candidates":    []any{map[string]any{"content": map[string]any{"role": "model", "parts": g.parts(body)}, "finishReason": "STOP"}},
		"usageMetadata": map[string]any{"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
	}
	raw, _ := json.Marshal(answer)
	if !strings.Contains(r.URL.Path, "stream") {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(raw)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: %s\n\n", raw)
}

// parts are what the model says to a request.
func (g *gemini) parts(body []byte) []any {
	var request struct {
		Tools []struct {
			Functions []struct {
				Name string `json:"name"`
			} `json:"functionDeclarations"`
		} `json:"tools"`
	}
	_ = json.Unmarshal(body, &request)
	if len(request.Tools) == 0 {
		return []any{map[string]any{"text": `{"reasoning":"small","complexity_reasoning":"small","complexity_score":1,"model_choice":"flash"}`}}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked.Write(body)
	for _, f := range request.Tools[0].Functions {
		g.offered = append(g.offered, f.Name)
	}
	if len(g.turns) == 0 {
		return []any{map[string]any{"text": "(end of script)"}}
	}
	next := g.turns[0]
	g.turns = g.turns[1:]
	parts := []any{map[string]any{"text": next.text}}
	if next.tool != "" {
		parts = append(parts, map[string]any{"functionCall": map[string]any{"name": next.tool, "args": next.input}})
	}
	return parts
}

// geminiCLI starts Beckon with Gemini CLI, whose model follows a script.
func geminiCLI(t *testing.T, turns ...turn) (*fixture.Fixture, *gemini) {
	t.Helper()
	g := &gemini{turns: turns}
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	node, program := module(t, "node-bin-linux", "bin", "node"), module(t, "@google", "gemini-cli", "bundle", "gemini.js")
	return fixture.NewWithEnv(t, []string{
		onPath(t, "gemini", node, program), "GOOGLE_GEMINI_BASE_URL=" + server.URL, "GEMINI_API_KEY=sk-test",
	}), g
}

// TestGeminiDoesATask from the question with which its turn ends, its one way to ask, to work
// that is committed. Its permission has the command as its title alone.
func TestGeminiDoesATask(t *testing.T) {
	t.Parallel()
	s, g := geminiCLI(t,
		turn{text: "I looked. Which greeting do you want?"},
		turn{text: "Now I write it.", tool: "run_shell_command", input: map[string]any{"command": "echo 'Good day' > greeting.txt", "description": "look around"}},
		turn{text: "All done."},
	)
	task := s.Create(beckon.NewTask{Title: "Greet the user", Agent: "gemini"})
	q := s.Asked(task.ID, "Which greeting")
	s.Reply(q, "Good day")
	wish := s.Asked(task.ID, "greeting.txt")
	if wish.Kind != beckon.Permission || wish.Permission.Command != "echo 'Good day' > greeting.txt" {
		t.Errorf("it is asked %+v", wish.Permission)
	}
	allow(s, wish)
	task = s.InReview(task.ID)
	if got := client.Git(t, s.Dir, "show", "--format=", "--name-only", task.Branch); strings.TrimSpace(got) != "greeting.txt" {
		t.Errorf("the commit holds %q", got)
	}
	if run := s.Run(task.ID); run.Outcome != beckon.Succeeded || run.Agent != "gemini" || run.Number != 1 {
		t.Errorf("the run ended %+v", run)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, words := range []string{"end your turn with the question", "Good day"} {
		if !strings.Contains(g.asked.String(), words) {
			t.Errorf("its model never heard %q", words)
		}
	}
	if slices.ContainsFunc(g.offered, func(name string) bool { return strings.Contains(name, "ask_user") }) {
		t.Error("its model is offered ask_user: its row can say so")
	}
}

// TestNothingOfGeminisIsLeft, which stays where nothing more can come.
func TestNothingOfGeminisIsLeft(t *testing.T) {
	t.Parallel()
	const sleeps = "sleep 54324"
	sleep := sleepy("run_shell_command", sleeps)
	s, _ := geminiCLI(t, turn{text: "First.", tool: "run_shell_command", input: sleep["input"].(map[string]any)})
	leavesNothing(t, s, "gemini", sleeps)
}
