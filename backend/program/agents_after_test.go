package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/tests/runnertest"
)

// TestWhatFollowsIsTheSameForEachAgent: comments and what is sent back go on with its
// session; its words are found and exported; its work is merged, archived and restored.
func TestWhatFollowsIsTheSameForEachAgent(t *testing.T) {
	for program, kind := range map[string]string{
		"codex-acp": "codex", "kimi": "kimi", "opencode": "opencode", "copilot": "copilot", "gemini": "gemini",
	} {
		t.Run(kind, func(t *testing.T) {
			d, _ := withAgent(t, program, runnertest.NoAgents)
			task := d.run(beckon.NewTask{Title: "Paint", Agent: kind, Brief: "write words.txt red\nsay The marigold is painted."})
			task, first := d.Ended(task.ID)
			d.reached(task.ID, beckon.Review)

			if _, err := d.SaveComment(reviewing.CommentEdit{TaskID: task.ID, Text: "write words.txt blue", Lines: reviewing.CommentLines{
				Path: "words.txt", Side: reviewing.After, First: 1, Last: 1, Quote: "red",
			}}); err != nil {
				t.Fatal(err)
			}
			d.sendComments(task.ID, 1)
			d.Until("another run of its session", func() bool {
				run := d.Seen.Runs[task.ID]
				return run.ID != first.ID && run.Phase == beckon.Ended && run.Session == first.Session && run.Agent == kind
			})
			d.reached(task.ID, beckon.Review)

			d.Until("its words are found", func() bool {
				page, err := d.Search(beckon.SearchQuery{Text: "marigold painted", Limit: 10})
				return err == nil && len(page.Hits) > 0 && page.Hits[0].TaskID == task.ID
			})
			exported, err := d.ExportRun(first.ID, beckon.ExportHTML)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Remove(exported) })
			text, err := os.ReadFile(exported)
			if err != nil || !strings.Contains(string(text), "The marigold is painted.") || !strings.Contains(string(text), beckon.AgentSays(kind)) {
				t.Errorf("%s lacks its words or its name: %v", exported, err)
			}

			if _, err := d.Merge(task.ID); err != nil {
				t.Fatal(err)
			}
			d.reached(task.ID, beckon.Done)
			if merged, err := os.ReadFile(filepath.Join(d.project.Dir, "words.txt")); err != nil || len(merged) == 0 {
				t.Errorf("its work is not in the base: %q, %v", merged, err)
			}
			if _, err := d.MoveTask(task.ID, beckon.Archived, 0); err != nil {
				t.Fatal(err)
			}
			if back, err := d.RestoreTask(task.ID); err != nil || back.Status != beckon.Done || back.Agent != kind {
				t.Errorf("from the archive it comes back as %+v, %v", back, err)
			}
		})
	}
}

// reached waits until a task is in a column.
func (d *desktopOf) reached(taskID string, column beckon.Status) {
	d.T.Helper()
	d.Until(string(column), func() bool { return d.Seen.Tasks[taskID].Status == column })
}
