package board_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
)

func TestWhatNoCardCanHoldIsRefused(t *testing.T) {
	t.Parallel()
	d := start(t, "text Done.\n")
	for what, n := range map[string]beckon.NewTask{
		"10,000 labels":             {Labels: strings.Split(strings.Repeat("a", 10_000), "")},
		"a label of 100 kB":         {Labels: []string{strings.Repeat("a", 100_000)}},
		"a label of two lines":      {Labels: []string{"a\nb"}},
		"a blank label":             {Labels: []string{" "}},
		"a model with a line break": {Model: "opus\n--x"},
		"a model with a NUL":        {Model: "opus\x00"},
	} {
		n.ProjectID, n.Title = d.Project.ID, "Limits"
		if task, err := d.Board.CreateTask(t.Context(), n); !strings.Contains(errorText(err), "invalid") {
			t.Errorf("%s: %v, %+v", what, err, task.ID)
		}
	}
	settings := beckon.DefaultSettings()
	settings.Shortcut = "\x00"
	if err := d.Board.SaveSettings(t.Context(), settings); !strings.Contains(errorText(err), "invalid") {
		t.Errorf("a shortcut of NUL: %v", err)
	}
}

func TestBeckonsOwnFolderIsNoProject(t *testing.T) {
	t.Parallel()
	d := start(t, "text Done.\n")
	own := d.DataDir
	inside, link := filepath.Join(own, "inside"), filepath.Join(t.TempDir(), "link")
	if err := errors.Join(os.Mkdir(inside, 0o700), os.Symlink(own, link)); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{own, inside, link} {
		if _, err := d.Board.AddProject(t.Context(), beckon.NewProject{Dir: dir, Trusted: true}); !strings.Contains(errorText(err), "its own data") {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error() + beckon.Code(err)
}

func TestATaskThatWaitsUntilAnsweredKeepsTheTimeItHad(t *testing.T) {
	t.Parallel()
	d := start(t, "text Done.\n")
	task := d.Card("Waits")
	edited, err := d.Board.EditTask(t.Context(), task.ID, beckon.TaskEdit{Title: "Waits", Mode: task.Mode, Policy: beckon.Wait})
	if err != nil || edited.Policy != beckon.Wait || edited.WaitMs != task.WaitMs {
		t.Errorf("it waits %s, %d ms: %v", edited.Policy, edited.WaitMs, err)
	}
}
