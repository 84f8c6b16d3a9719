package toolserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"beckon/backend/beckon"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

func TestTheAgentReadsWhatTheUserChose(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, runID := h.admit(t)
	done := callAsk(t.Context(), h.connect(t, token), map[string]any{"questions": []any{
		map[string]any{"question": "Which database?", "header": "Database", "options": []any{
			map[string]any{"label": "SQLite", "id": "sqlite", "description": "one file"}, map[string]any{"label": "Postgres", "preview": "`psql`"},
		}},
		map[string]any{"question": "Which parts?", "multiSelect": true, "options": []any{"Planner", "Executor", "Parser"}},
	}})
	q := h.shown(t)
	want := []beckon.QuestionItem{
		{Header: "Database", Text: "Which database?", Options: []beckon.Option{{ID: "sqlite", Label: "SQLite", Description: "one file"}, {Label: "Postgres", Preview: "`psql`"}}},
		{Text: "Which parts?", Multiple: true, Options: []beckon.Option{{Label: "Planner"}, {Label: "Executor"}, {Label: "Parser"}}},
	}
	if diff := cmp.Diff(want, q.Items); diff != "" || q.RunID != runID || q.TaskID != h.task.ID || q.Kind != beckon.Ask {
		t.Errorf("the card shows %+v; items differ by\n%s", q, diff)
	}
	must(t, h.desk.Answer(t.Context(), q.ID, beckon.Answer{Items: []beckon.ItemAnswer{
		{Labels: []string{"SQLite"}}, {Labels: []string{"Planner", "Executor"}, Other: "and the tests"},
	}}))
	got := wait(t, done)
	wantText := "\"Which database?\" → \"SQLite\" (id: sqlite)\n\"Which parts?\" → \"Planner\", \"Executor\", in the user's own words: \"and the tests\""
	if text := got.text(t); text != wantText || got.result.IsError {
		t.Errorf("the agent reads\n%s\nwant\n%s", text, wantText)
	}
	structured, err := json.Marshal(got.result.StructuredContent)
	must(t, err)
	wantJSON := `{"answers":[{"ids":["sqlite"],"labels":["SQLite"],"other":"","question":"Which database?"},` +
		`{"ids":[],"labels":["Planner","Executor"],"other":"and the tests","question":"Which parts?"}]}`
	if string(structured) != wantJSON {
		t.Errorf("structured\n%s\nwant\n%s", structured, wantJSON)
	}
}

// TestWhatWasCleanedGoesBackAsItCame: labels and ids are the agent's own, also
// of options that differ in nothing that can be seen.
func TestWhatWasCleanedGoesBackAsItCame(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, _ := h.admit(t)
	done := callAsk(t.Context(), h.connect(t, token), map[string]any{"questions": []any{
		map[string]any{"question": "Which  one?", "options": []any{
			map[string]any{"label": "a", "id": "1"}, map[string]any{"label": "a\u200b ", "id": "2\u200b"},
		}},
	}})
	q := h.shown(t)
	if o := q.Items[0].Options; len(o) != 2 || o[0].Label != "a" || o[1].Label != "a (2)" {
		t.Fatalf("the options are shown as %+v", o)
	}
	must(t, h.desk.Answer(t.Context(), q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"a (2)"}}}}))
	got := wait(t, done)
	structured, err := json.Marshal(got.result.StructuredContent)
	must(t, err)
	if want := `{"answers":[{"ids":["2\u200b"],"labels":["a\u200b "],"other":"","question":"Which  one?"}]}`; string(structured) != strings.ReplaceAll(want, `\u200b`, "\u200b") {
		t.Errorf("the agent reads %q, want %q", structured, want)
	}
	if want := "\"Which  one?\" → \"a\u200b \" (id: 2\u200b)"; got.text(t) != want {
		t.Errorf("the agent reads %q, want %q", got.text(t), want)
	}
}

func TestOnePlainQuestionIsEnough(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, _ := h.admit(t)
	done := callAsk(t.Context(), h.connect(t, token), map[string]any{"question": "Drop the column?", "options": []string{"Keep", "Drop"}})
	q := h.shown(t)
	if len(q.Items) != 1 || q.Items[0].Text != "Drop the column?" || len(q.Items[0].Options) != 2 {
		t.Fatalf("the card shows %+v", q.Items)
	}
	must(t, h.desk.Answer(t.Context(), q.ID, words("only on Sundays")))
	if text := wait(t, done).text(t); text != `"Drop the column?" → in the user's own words: "only on Sundays"` {
		t.Errorf("the agent reads %s", text)
	}
}

func TestACardIsJoinedToTheToolCallAndTheSubAgentThatAsked(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	_, runID := h.admit(t)
	token := h.Admit(Caller{RunID: runID, TaskID: h.task.ID, Policy: beckon.Wait, Agent: "reviewer"})
	h.dial(t, token).post(t, askBody(1, `{"claudecode/toolUseId":"toolu_7"}`))
	if q := h.shown(t); q.ToolUseID != "toolu_7" || q.Agent != "reviewer" {
		t.Errorf("tool use %q of agent %q", q.ToolUseID, q.Agent)
	}
}

func TestSilenceIsToldInTheAgreedSentenceAndIsNoError(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	_, runID := h.admit(t)
	token := h.Admit(Caller{RunID: runID, TaskID: h.task.ID, Policy: beckon.Proceed, WaitMs: 1000})
	got := wait(t, callAsk(t.Context(), h.connect(t, token), plain("Which?")))
	if text := got.text(t); text != "No response received within 1 second — proceed using your best judgment." || got.result.IsError {
		t.Errorf("the agent reads %q (error: %v)", text, got.result.IsError)
	}
}

func TestTheQuestionOfACancelledCallIsClosedAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, runID := h.admit(t)
	w := h.dial(t, token)
	w.post(t, askBody(7, `{}`))
	h.shown(t)
	w.post(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"interrupted"}}`)
	h.closed(t, runID)
}

func TestTwoAtOnceMayBeAnsweredInAnyOrder(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, _ := h.admit(t)
	c := h.connect(t, token)
	first, second := callAsk(t.Context(), c, plain("first")), callAsk(t.Context(), c, plain("second"))
	ids := map[string]string{}
	for range 2 {
		q := h.shown(t)
		ids[q.Items[0].Text] = q.ID
	}
	must(t, h.desk.Answer(t.Context(), ids["second"], words("two")))
	if text := wait(t, second).text(t); text != `"second" → "two"` {
		t.Errorf("the second reads %s", text)
	}
	select {
	case got := <-first:
		t.Fatalf("the first came back without an answer: %+v", got)
	default:
	}
	must(t, h.desk.Answer(t.Context(), ids["first"], words("one")))
	if text := wait(t, first).text(t); text != `"first" → "one"` {
		t.Errorf("the first reads %s", text)
	}
}

// TestWrongArgumentsTellTheModelWhatToSend: nothing is shown, nothing blocks.
func TestWrongArgumentsTellTheModelWhatToSend(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, _ := h.admit(t)
	c := h.connect(t, token)
	q := func(options ...any) any {
		return map[string]any{"questions": []any{map[string]any{"question": "?", "options": options}}}
	}
	for name, tc := range map[string]struct {
		args any
		want string
	}{
		"nothing":        {map[string]any{}, "nothing is asked"},
		"no arguments":   {nil, "nothing is asked"},
		"blank":          {plain("  "), "nothing is asked"},
		"both":           {map[string]any{"question": "a", "questions": []any{map[string]any{"question": "b"}}}, "not both"},
		"five":           {map[string]any{"questions": []any{1: nil, 4: nil}}, "5 questions are too many"},
		"empty question": {map[string]any{"questions": []any{map[string]any{"header": "x"}}}, "question 1: `question` is empty"},
		"one option":     {q("a"), "it has 1 options: send 2 to 4"},
		"five options":   {q("a", "b", "c", "d", "e"), "it has 5 options"},
		"no label":       {q("a", map[string]any{"description": "b"}), "no `label`"},
		"long label":     {q("a", strings.Repeat("b", 201)), "has 201 bytes, and 200 are the most"},
		"same label":     {q("a", " a "), `two options read "a"`},
		"endless":        {plain(strings.Repeat("x", beckon.MaxQuestionText+1)), "16384 are the most"},
		"another type":   {map[string]any{"questions": "what?"}, "do not fit the schema"},
		"a list":         {[]int{1}, "do not fit the schema"},
		"long id":        {q("a", map[string]any{"label": "b", "id": strings.Repeat("i", 201)}), "`id` has 201 bytes, and 200"},
		"long meaning":   {q("a", map[string]any{"label": "b", "description": strings.Repeat("d", 2049)}), "`description` has 2049 bytes, and 2048"},
		"long preview":   {q("a", map[string]any{"label": "b", "preview": strings.Repeat("p", 16385)}), "`preview` has 16385 bytes, and 16384"},
	} {
		got := wait(t, callAsk(t.Context(), c, tc.args))
		if text := got.text(t); !got.result.IsError || !strings.Contains(text, tc.want) {
			t.Errorf("%s: the model reads %q, want an error with %q", name, text, tc.want)
		}
	}
	if len(h.events) != 0 {
		t.Errorf("%d questions were shown", len(h.events))
	}
}

func TestTheToolIsOfferedWithItsSchema(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, _ := h.admit(t)
	list, err := h.connect(t, token).ListTools(t.Context(), mcp.ListToolsRequest{})
	must(t, err)
	if len(list.Tools) != 2 || "mcp__beckon__"+list.Tools[0].Name != AskUserName || "mcp__beckon__"+list.Tools[1].Name != RecordAssumptionName {
		t.Fatalf("tools %+v; the prompt speaks of %s and %s", list.Tools, AskUserName, RecordAssumptionName)
	}
	schema := list.Tools[0].InputSchema
	for _, name := range []string{"question", "options", "questions"} {
		if schema.Properties[name] == nil {
			t.Errorf("the schema has no %s", name)
		}
	}
}

// TestAThousandAgentsMayWaitAtOnce: none is lost, and each costs little.
func TestAThousandAgentsMayWaitAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand connections")
	}
	const n, perCall = 1000, 300 << 10 // bytes; the client's half and the race detector's share included
	h := newHouse(t)
	var runs [10]string // of which each asks as much as it may
	var clients [len(runs)]*client.Client
	for i := range runs {
		token, runID := h.admit(t)
		runs[i], clients[i] = runID, h.connect(t, token)
	}
	before := inUse()
	calls := make([]<-chan called, n)
	for i := range n {
		calls[i] = callAsk(t.Context(), clients[i%len(runs)], plain(fmt.Sprint("q", i)))
	}
	ids := make([]string, 0, n)
	// They go side by side, so that the first may be shown when nearly all is done.
	for late := time.After(10 * patience); len(ids) < n; {
		select {
		case q := <-h.events:
			ids = append(ids, q.ID)
		case <-late:
			t.Fatalf("%d of %d are shown", len(ids), n)
		}
	}
	open := 0
	for _, runID := range runs {
		open += h.desk.Open(runID)
	}
	if open != n {
		t.Errorf("%d are open, want %d", open, n)
	}
	if each := (int64(inUse()) - int64(before)) / n; each > perCall {
		t.Errorf("a blocked call takes %d KB", each>>10)
	}
	var answering sync.WaitGroup
	for i := range ids {
		answering.Go(func() {
			if err := h.desk.Answer(t.Context(), ids[i], words("yes")); err != nil {
				t.Error(err)
			}
		})
	}
	answering.Wait()
	for i, done := range calls {
		if text := wait(t, done).text(t); text != fmt.Sprintf(`"q%d" → "yes"`, i) {
			t.Errorf("call %d reads %s", i, text)
		}
	}
}

func TestClosingTheServerClosesWhatIsAsked(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, _ := h.admit(t)
	done := callAsk(t.Context(), h.connect(t, token), plain("Which?"))
	h.shown(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	must(t, h.Close(ctx))
	if q := h.shown(t); q.Settlement == beckon.Open || q.Reason.String() != errQuit.Error() {
		t.Errorf("the card is %s because %q", q.Settlement, q.Reason)
	}
	if text := wait(t, done).text(t); !strings.Contains(text, errQuit.Error()) {
		t.Errorf("the agent reads %q", text)
	}
}
