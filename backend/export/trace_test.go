package export

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
)

// TestATraceIsOneOfAgentTrace: lines of the same conversation are together, what is not known is
// said, and work without a commit has none.
func TestATraceIsOneOfAgentTrace(t *testing.T) {
	t.Parallel()
	x, run := desk(t)
	ran := func(models ...string) string {
		t.Helper()
		r := beckon.Run{TaskID: run.TaskID, Kind: beckon.TaskRun}
		if err := x.Store.AddRun(t.Context(), &r); err != nil {
			t.Fatal(err)
		}
		for i, model := range models {
			_, err := x.Store.UpdateRun(t.Context(), r.ID, func(r *beckon.Run) error { r.Model, r.Spent.Tokens = model, int64(i+1); return nil })
			if err != nil {
				t.Fatal(err)
			}
		}
		return r.ID
	}
	claude, other, both := ran("claude-opus-4-8"), ran("acme/"+strings.Repeat("x", 400)), ran("claude-opus-4-8", "claude-sonnet-5")
	traced := reviewing.Trace{Head: "abc", Left: 2, Parts: []string{"proto"}, Files: []reviewing.TracedFile{
		{Path: "a.go", Stretches: []reviewing.TracedLines{
			{First: 1, Last: 3, By: reviewing.Agents, Runs: []string{claude}},
			{First: 4, Last: 4, By: reviewing.Agents, Runs: []string{both}},
			{First: 5, Last: 9, By: reviewing.Agents, Runs: []string{claude}},
			{First: 10, Last: 10, By: reviewing.Agents, Runs: []string{claude, other}},
			{First: 11, Last: 11, By: reviewing.Perhaps, Runs: []string{other}},
			{First: 12, Last: 12, By: reviewing.Nobody},
		}},
		{Path: "b.bin", Unknown: "noText"},
	}}
	x.Traced = func(context.Context, string) (reviewing.Trace, error) { return traced, nil }
	x.Version = "1.2.3"
	if _, err := x.Trace(t.Context(), run.TaskID); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("uncommitted: %v", err)
	}
	traced.Committed = true
	path, err := x.Trace(t.Context(), run.TaskID)
	if err != nil || filepath.Base(path) != "KES-1.agent-trace.json" {
		t.Fatal(path, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var r traceRecord
	if err := json.Unmarshal(text, &r); err != nil || len(r.ID) != 36 || r.Version != "0.1.0" || r.VCS != (traceVCS{"git", "abc"}) || r.Tool.Version != "1.2.3" {
		t.Errorf("the record is %s, %v", text, err)
	}
	var said []string
	for _, c := range r.Files[0].Conversations {
		lines, _ := json.Marshal(c.Ranges)
		said = append(said, c.Contributor.Type+" "+c.Contributor.ModelID[:min(20, len(c.Contributor.ModelID))]+" "+c.URL+" "+string(lines))
	}
	want := []string{
		`ai anthropic/claude-opu beckon://task/KES-1 [{"start_line":1,"end_line":3},{"start_line":5,"end_line":9}]`,
		`ai  beckon://task/KES-1 [{"start_line":4,"end_line":4},{"start_line":10,"end_line":10}]`,
		`mixed acme/xxxxxxxxxxxxxxx beckon://task/KES-1 [{"start_line":11,"end_line":11}]`,
		`unknown   [{"start_line":12,"end_line":12}]`,
	}
	if strings.Join(said, "\n") != strings.Join(want, "\n") {
		t.Errorf("the lines are\n%s", strings.Join(said, "\n"))
	}
	if len(r.Files) != 1 || !strings.Contains(string(text), `"b.bin": "noText"`) || !strings.Contains(string(text), `"files_left_out": 2`) || !strings.Contains(string(text), `"proto"`) {
		t.Errorf("what is not known is not said: %s", text)
	}
	if n := len(r.Files[0].Conversations[2].Contributor.ModelID); n > 250 {
		t.Errorf("a model's name has %d bytes", n)
	}
}
