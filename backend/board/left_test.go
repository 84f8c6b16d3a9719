package board_test

import (
	"os"
	"path/filepath"
	"testing"

	"beckon/backend/beckon"
)

// TestTasksThatWereLeftAreSettledSideBySide: Beckon starts only then, and in a large
// repository git takes its time. The filter of each waits for that of another.
func TestTasksThatWereLeftAreSettledSideBySide(t *testing.T) {
	t.Parallel()
	d := start(t, "write first.txt hello\n")
	met := t.TempDir()
	d.Git("config", "filter.meets.clean", `: > "`+met+`/$$"; n=0; while [ "$(ls "`+met+`" | wc -l)" -lt 2 ] && [ $n -lt 600 ]; do sleep 0.1; n=$((n+1)); done; [ $n -lt 600 ] && cat`)
	d.Git("config", "filter.meets.required", "true")
	var tasks []beckon.Task
	for _, title := range []string{"One", "Two"} {
		task, _ := d.Ended(d.Run(beckon.NewTask{Title: title}).ID)
		for name, text := range map[string]string{".gitattributes": "*.met filter=meets\n", "work.met": "kept\n"} {
			if err := os.WriteFile(filepath.Join(task.Worktree, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := d.Store.UpdateTask(t.Context(), task.ID, func(t *beckon.Task) error { t.Status = beckon.Running; return nil }); err != nil {
			t.Fatal(err)
		}
		tasks = append(tasks, task)
	}
	if err := d.Board.SettleLeft(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		if now := d.Now(task.ID); now.Status != beckon.Review || now.Trouble != nil || d.Git("show", task.Branch+":work.met") != "kept" {
			t.Errorf("%s is in %s: %s", now.Title, now.Status, now.Trouble)
		}
	}
}
