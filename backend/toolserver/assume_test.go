package toolserver

import (
	"context"
	"strings"
	"testing"

	"beckon/backend/beckon"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

func callAssume(ctx context.Context, c *client.Client, args any) <-chan called {
	done := make(chan called, 1)
	go func() {
		result, err := c.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "record_assumption", Arguments: args}})
		done <- called{result, err}
	}()
	return done
}

// unanswered lets a run ask what nobody answers, and returns its client.
func (h *house) unanswered(t *testing.T, text string) (c *client.Client, q beckon.Question) {
	t.Helper()
	_, runID := h.admit(t)
	c = h.connect(t, h.Admit(Caller{RunID: runID, TaskID: h.task.ID, Policy: beckon.Proceed, WaitMs: 1000}))
	got := wait(t, callAsk(t.Context(), c, plain(text)))
	if text := got.text(t); text != "No response received within 1 second — proceed using your best judgment." {
		t.Fatalf("the agent reads %q", text)
	}
	h.shown(t)
	return c, h.shown(t)
}

func TestAGuessIsNeverSilent(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	c, q := h.unanswered(t, "Drop the column?")
	got := wait(t, callAssume(t.Context(), c, map[string]any{"assumption": "Kept it, two exports read it."}))
	if text := got.text(t); got.result.IsError || text != `Recorded with your question "Drop the column?": Kept it, two exports read it.` {
		t.Errorf("the agent reads %q", text)
	}
	q, err := h.store.Question(t.Context(), q.ID)
	must(t, err)
	if q.Assumption != "Kept it, two exports read it." || q.Settlement != beckon.Expired {
		t.Errorf("the card says %q and is %s", q.Assumption, q.Settlement)
	}
}

// TestAnAgentAssumesNothingForOthers is S5: another run's unanswered question
// is not there for it, not even by its words: those it has decided by itself.
func TestAnAgentAssumesNothingForOthers(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	_, q := h.unanswered(t, "Drop the column?")
	token, _ := h.admit(t)
	c := h.connect(t, token)
	for _, args := range []map[string]any{
		{"assumption": "Dropped it."},
		{"assumption": "Dropped it.", "runId": q.RunID},
	} {
		got := wait(t, callAssume(t.Context(), c, args))
		if text := got.text(t); !got.result.IsError || !strings.Contains(text, "nothing to assume") {
			t.Errorf("%v: the agent reads %q", args, text)
		}
	}
	got := wait(t, callAssume(t.Context(), c, map[string]any{"assumption": "Dropped it.", "question": "Drop the column?"}))
	if text := got.text(t); got.result.IsError || text != `Recorded as decided without asking, "Drop the column?": Dropped it.` {
		t.Errorf("the agent reads %q", text)
	}
	if q, err := h.store.Question(t.Context(), q.ID); err != nil || q.Assumption != "" {
		t.Errorf("the card says %q, %v", q.Assumption, err)
	}
}

func TestWrongAssumptionsTellTheModelWhatToSend(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, _ := h.admit(t)
	c := h.connect(t, token)
	for name, tc := range map[string]struct {
		args any
		want string
	}{
		"nothing":       {nil, "`assumption` is empty"},
		"blank":         {map[string]any{"assumption": " "}, "`assumption` is empty"},
		"endless":       {map[string]any{"assumption": strings.Repeat("x", 16385)}, "16384 are the most"},
		"long question": {map[string]any{"assumption": "x", "question": strings.Repeat("x", 16385)}, "16384 are the most"},
		"another type":  {map[string]any{"assumption": 7}, "do not fit the schema"},
	} {
		got := wait(t, callAssume(t.Context(), c, tc.args))
		if text := got.text(t); !got.result.IsError || !strings.Contains(text, tc.want) {
			t.Errorf("%s: the model reads %q, want an error with %q", name, text, tc.want)
		}
	}
}

// TestEveryIntroductionNamesTheNextStep: wherever an agent meets ask_user it
// reads what to do after the sentence.
func TestEveryIntroductionNamesTheNextStep(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"tool": whenToAsk, "server": instructions, "system prompt": SystemPrompt(ClaudesNaming)} {
		if !strings.Contains(text, "No response received") || !strings.Contains(text, "record_assumption") {
			t.Errorf("the %s does not say it", name)
		}
	}
}
