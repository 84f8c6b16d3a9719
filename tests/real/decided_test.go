package real

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/review/rewind"
	"beckon/backend/review/since"
	"beckon/backend/review/since/why"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// TestADecisionIsTakenBack: what it led to and why a line is there are known of the CLI's own
// record. The other answer begins a session that knows nothing later, in the files as they were
// when it was asked, though Beckon is killed then; and all of it can be taken back.
func TestADecisionIsTakenBack(t *testing.T) {
	t.Parallel()
	write := func(name, text string) fixture.Turn {
		return fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": name, "content": text}}
	}
	ask := func(text string, labels ...string) fixture.Turn {
		return fixture.Turn{"tool": "mcp__beckon__ask_user", "input": fixture.Questions(fixture.Question(text, "Choice", labels...))}
	}
	s := fixture.New(t,
		write("before.txt", "was there\n"), ask("Parser or planner?", "Parser", "Planner"), write("planner.txt", "planned\n"), fixture.Turn{"text": "The planner stands."},
		ask("With an index?", "Yes", "No"), write("parser.txt", "parsed\n"), fixture.Turn{"text": "The parser stands."},
	)
	task := s.Create(beckon.NewTask{Title: "Check the ranges", Mode: beckon.ModeAcceptEdits})
	q := s.Asked(task.ID, "Parser or planner?")
	s.Answer(q, "Planner")
	task = s.InReview(task.ID)

	led := client.Must[[]since.Led](s.Program, "LedTo", []string{q.ID})
	if len(led) != 1 || !led[0].Known || led[0].Files != 1 || led[0].Added != 1 {
		t.Errorf("it led to %+v; want planner.txt alone", led)
	}
	found := client.Must[why.Answer](s.Program, "Why", task.ID, reviewing.ChangedLines{File: reviewing.File{Path: "planner.txt"}, First: 1, Last: 1})
	if len(found.Reasons) != 1 || found.Reasons[0].Sure != why.ByCall || found.Reasons[0].Calls[0].Question == nil || found.Reasons[0].Calls[0].Question.ID != q.ID {
		t.Errorf("the line is there because of %+v; want the call that wrote it, and the question", found)
	}

	heard := len(s.Told())
	other := beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Parser"}}}}
	done := client.Must[rewind.Done](s.Program, "ChooseDifferently", q.ID, other)
	has := func(name string) bool {
		_, err := os.Stat(filepath.Join(task.Worktree, name))
		return err == nil
	}
	s.Asked(task.ID, "With an index?")
	if !has("before.txt") || has("planner.txt") {
		t.Errorf("the worktree has before.txt: %t, planner.txt: %t; want what was there when it was asked", has("before.txt"), has("planner.txt"))
	}
	said := s.Told()[heard:]
	if !strings.Contains(said, "Parser or planner?") || strings.Contains(said, "The planner stands.") || strings.Contains(said, "planner.txt") {
		t.Errorf("the new session heard %q; want the decision, and nothing later", said)
	}

	s.WrittenDown("With an index?") // else there is no session that goes on
	s.Slay()
	s.Reply(s.Orphan(task.ID), "No")
	s.Until("the session goes on", patience, func() bool {
		runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)
		return len(runs) == 3 && runs[2].Phase == beckon.Ended
	})
	task = s.InReview(task.ID)
	if !has("before.txt") || !has("parser.txt") || has("planner.txt") {
		t.Error("after Beckon's death the work is not that of the other answer")
	}

	task = client.Must[beckon.Task](s.Program, "TakeChoiceBack", task.ID, done.ID)
	if !has("before.txt") || has("parser.txt") || !has("planner.txt") {
		t.Error("it was taken back, and the work is not what it was")
	}
	if got := client.Git(t, s.Dir, "branch", "--list", "*-rewound"); strings.TrimSpace(got) == "" {
		t.Error("no branch keeps what the other answer led to")
	}
}
