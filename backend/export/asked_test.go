package export

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/mask"
)

func TestWhoAnsweredIsExported(t *testing.T) {
	t.Parallel()
	x, run := desk(t, `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a1","name":"AskUserQuestion","input":{}}]}}`,
		`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a2","name":"Bash","input":{}}]}}`)
	ctx := t.Context()
	for _, q := range []beckon.Question{
		{
			ID: "q1", ToolUseID: "a1", Kind: beckon.Ask, Items: []beckon.QuestionItem{{Text: "Which?", Options: []beckon.Option{{Label: "SQLite"}}}},
			Answer: &beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"SQLite"}, Other: key}}, By: beckon.ByPhone, ByName: "Pixel <9>", At: 1_795_000_000_000},
		},
		{ID: "q2", ToolUseID: "a2", Kind: beckon.Permission, Permission: &beckon.PermissionRequest{Tool: "Bash"}, Answer: &beckon.Answer{Verdict: beckon.Deny, Text: "use make", By: beckon.ByTelegram, ByName: "@mira", At: 1_795_000_000_000}},
	} {
		q.TaskID, q.RunID, q.Policy, q.Asked, q.Settlement = run.TaskID, run.ID, beckon.Wait, 1, beckon.Open
		err := x.Store.AddQuestion(ctx, q)
		_, settled := x.Store.Settle(ctx, q.ID, beckon.Answered, q.Answer, nil)
		if err := errors.Join(err, settled); err != nil {
			t.Fatal(err)
		}
	}

	if _, err := x.Store.ChangeAnswer(ctx, "q1", 0, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"SQLite"}, Note: "after all"}}, By: beckon.ByUser, At: 1_795_000_012_000}); err != nil {
		t.Fatal(err)
	}

	_, page := export(t, x, run, beckon.ExportHTML)
	for _, want := range []string{"Answered first on Pixel &lt;9&gt; · 2026", "<s>SQLite, " + mask.Hidden + "</s>", ": <b>SQLite, after all</b>", "Answered over Telegram by @mira", "denied, use make"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	_, text := export(t, x, run, beckon.ExportJSON)
	var got struct{ Entries []exported }
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Entries) != 2 || got.Entries[0].Asked == nil || len(got.Entries[0].Asked.Earlier) != 1 || got.Entries[0].Asked.Earlier[0].ByName != "Pixel <9>" || strings.Contains(text, key) {
		t.Errorf("%s", text)
	}
}
