package toolserver

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/loopback"
	"beckon/tests/loopbacktest"

	"github.com/mark3labs/mcp-go/mcp"
)

// enter begins an external run and returns its token; leave closes its
// connection.
func (h *house) enter(t *testing.T, introduction string) (token string, leave func()) {
	t.Helper()
	header, nonce := h.Endpoint().Authorization()
	res := h.knock(t, header, introduction)
	if res.StatusCode != http.StatusOK {
		t.Fatalf("no run was begun: %s", res.Status)
	}
	var granted Token
	must(t, json.NewDecoder(res.Body).Decode(&granted))
	if !h.Endpoint().Verify(granted, nonce) {
		t.Fatal("Beckon does not prove that it is Beckon")
	}
	return granted.Value, func() { res.Body.Close() }
}

func (h *house) knock(t *testing.T, header, introduction string) *http.Response {
	t.Helper()
	w := &wire{h: h}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.Endpoint().URL, strings.NewReader(introduction))
	must(t, err)
	r.Header.Set("Content-Type", "application/json")
	if header != "" {
		r.Header.Set("Authorization", header)
	}
	return w.do(t, r)
}

const visitor = `{"client":"claude-code 2.1.197","dir":"/src/kestrel"}`

func TestAProgramOutsideBeckonAsksAndSaysWhoItIs(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, _ := h.enter(t, visitor)
	done := callAsk(t.Context(), h.connect(t, token), plain("Which?"))
	q := h.shown(t)
	if q.Origin != "claude-code 2.1.197 · /src/kestrel" || q.TaskID != "" || q.RunID == "" || q.Deadline != 0 {
		t.Errorf("the card is from %q, task %q, run %q, until %d", q.Origin, q.TaskID, q.RunID, q.Deadline)
	}
	must(t, h.desk.Answer(t.Context(), q.ID, words("this")))
	if text := wait(t, done).text(t); text != `"Which?" → "this"` {
		t.Errorf("it reads %s", text)
	}
}

func TestAGuestThatDiesTakesItsQuestionsAndItsTokenAlong(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, leave := h.enter(t, visitor)
	w := h.dial(t, token)
	w.post(t, askBody(1, `{}`))
	asked := h.shown(t)
	leave()
	if q := h.shown(t); q.Settlement != beckon.Withdrawn || q.ID != asked.ID {
		t.Errorf("its card is %s", q.Settlement)
	}
	select {
	case run := <-h.left:
		if run != asked.RunID {
			t.Errorf("run %s ended, not %s", run, asked.RunID)
		}
	case <-time.After(patience):
		t.Fatal("its run never ended")
	}
	if res := w.post(t, askBody(2, `{}`)); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("its token afterwards: %s, want 401", res.Status)
	}
}

// TestTheDoorOpensNothingElse is S5: who may come in may not act for a run,
// and a run may not begin external runs.
func TestTheDoorOpensNothingElse(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	run, _ := h.admit(t)
	client, _ := h.enter(t, visitor)
	if res := (&wire{h: h, token: string(h.Endpoint().Secret)}).post(t, helloBody); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("the endpoint's secret at %s: %s, want 401", Path, res.Status)
	}
	right, nonce := h.Endpoint().Authorization()
	foreign, _ := Endpoint{Secret: loopback.NewSecret()}.Authorization()
	for name, header := range map[string]string{
		"a run's token": "Bearer " + run, "a client's token": "Bearer " + client, "nothing": "", "the secret itself": "Bearer " + string(h.Endpoint().Secret),
		"another Beckon's proof": foreign, "a cut proof": right[:len(right)-1], "another nonce": strings.Replace(right, nonce, newToken(), 1),
		"no proof": authScheme + nonce + ".", "Beckon's own proof": authScheme + nonce + "." + h.Endpoint().token("", nonce).Proof,
	} {
		if res := h.knock(t, header, visitor); res.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s at the endpoint: %s, want 401", name, res.Status)
		}
	}
	start, err := http.Post(h.base+startPath, "application/json", strings.NewReader(`{"name":"nightly"}`))
	if err != nil || start.StatusCode != http.StatusUnauthorized {
		t.Errorf("a card for nobody: %v, %v", start, err)
	}
	for _, introduction := range []string{"", "[]", `{"client":7}`, `{"client":"` + strings.Repeat("x", maxClient+1) + `"}`} {
		if res := h.knock(t, right, introduction); res.StatusCode != http.StatusBadRequest {
			t.Errorf("%.20s: %s, want 400", introduction, res.Status)
		}
	}
}

func TestForeignPagesFindNoDoor(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.cancel(errQuit) // a client that is let in is sent home at once, or would stay
	loopbacktest.Server{
		URL: h.base,
		Authorize: func(r *http.Request) {
			header, _ := h.Endpoint().Authorization()
			r.Header.Set("Authorization", header)
		},
		Routes: []string{"POST " + externalPath},
		Body:   visitor,
	}.Attacks(t)
}

// TestAnAgentFindsNothingToAnswerWith is S21: the tools ask, and nothing that
// MCP could offer besides is there.
func TestAnAgentFindsNothingToAnswerWith(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	run, _ := h.admit(t)
	client, _ := h.enter(t, visitor)
	for name, token := range map[string]string{"run": run, "client": client} {
		c := h.connect(t, token)
		list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
		must(t, err)
		if len(list.Tools) != 2 || list.Tools[0].Name != "ask_user" || list.Tools[1].Name != "record_assumption" {
			t.Errorf("a %s is offered %+v", name, list.Tools)
		}
		if can := c.GetServerCapabilities(); can.Tools == nil || can.Resources != nil || can.Prompts != nil || can.Completions != nil {
			t.Errorf("a %s may use %+v", name, can)
		}
		for _, tool := range []string{"answer_question", "AnswerQuestion", "approve", "list_questions", "questions"} {
			if _, err := c.CallTool(t.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool}}); err == nil {
				t.Errorf("a %s could call %s", name, tool)
			}
		}
	}
}

func TestClosingBeckonSendsItsGuestsHome(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.enter(t, visitor)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	must(t, h.Close(ctx))
	if len(h.left) != 1 {
		t.Error("the client's run goes on")
	}
}
