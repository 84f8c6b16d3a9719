package board_test

import (
	"errors"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/beckon/starting"
)

func TestATaskGoesOnWithABranchThatIsThere(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.txt hello\n")
	d.Git("branch", "feature/shards", d.Git("commit-tree", "-p", "main", "-m", "begun", "main^{tree}"))
	found := d.Git("rev-parse", "feature/shards")
	task, run := d.Ended(d.Run(beckon.NewTask{Title: "Write", Start: starting.Start{Kind: starting.Branch, Branch: "feature/shards"}}).ID)
	if run.Outcome != beckon.Succeeded || task.Branch != "feature/shards" || task.Start.Found != found || task.Changes.Commits != 2 {
		t.Fatalf("run %s (%s): %q, %+v, %+v", run.Outcome, run.Reason, task.Branch, task.Start, task.Changes)
	}
	loss, err := d.Board.Loss(t.Context(), task.ID)
	if err != nil || loss.Commits != 1 {
		t.Fatalf("%d commits would go, %v", loss.Commits, err)
	}
	if task, err = d.Board.Discard(t.Context(), task.ID, loss.Token); err != nil || d.Git("rev-parse", "feature/shards") != found {
		t.Fatalf("discarded, the branch is at %s: %v", d.Git("rev-parse", "feature/shards"), err)
	}
	if task, err = d.Board.Restore(t.Context(), task.ID); err != nil || task.Branch != "feature/shards" || d.Git("show", "feature/shards:new.txt") != "hello" {
		t.Errorf("restored it is on %s, %v", task.Branch, err)
	}
}

func TestABranchThatATaskHasIsNoOthers(t *testing.T) {
	t.Parallel()
	d := start(t, "text done\n")
	d.Git("branch", "topic")
	from := starting.Start{Kind: starting.Branch, Branch: "topic"}
	first, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "One", Start: from})
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Two", Start: from})
	if kind, values := problem.From(err); kind != problem.BranchUsed || values["key"] != first.Key || !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("used twice: %v", err)
	}
	search, err := d.Board.FindBranches(t.Context(), d.Project.ID, "top")
	if err != nil || len(search.Branches) != 1 || search.Branches[0].TaskID != first.ID {
		t.Errorf("found %+v, %v", search, err)
	}
}

func TestANewBranchHasTheNameThatWasTyped(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.txt hello\n")
	task, run := d.Ended(d.Run(beckon.NewTask{Title: "Write", Start: starting.Start{Branch: "feat/retries"}}).ID)
	if run.Outcome != beckon.Succeeded || task.Branch != "feat/retries" {
		t.Errorf("run %s, on %q", run.Outcome, task.Branch)
	}
	for _, name := range []string{"-b", "a b", "HEAD", "x..y", strings.Repeat("x", 300)} {
		_, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Two", Start: starting.Start{Branch: name}})
		if kind, _ := problem.From(err); kind != problem.BranchName {
			t.Errorf("%.40q is taken for a branch's name: %v", name, err)
		}
	}
}

func TestBranchesAreNamedAsTheProjectSays(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.txt hello\n")
	p := d.Project
	p.BranchPattern = "feat/{title}"
	if _, err := d.Board.EditProject(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Write it"}).ID); task.Branch != "feat/write-it" {
		t.Errorf("it is called %q", task.Branch)
	}
	for _, pattern := range []string{"fixed", "a b/{title}", "{name}", "-{oops", "x..{title}"} {
		p.BranchPattern = pattern
		_, err := d.Board.EditProject(t.Context(), p)
		if kind, _ := problem.From(err); kind != problem.BranchPattern {
			t.Errorf("%q names branches: %v", pattern, err)
		}
	}
}

func TestATaskOnTopOfAnotherGoesOnWithItsBase(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.txt hello\n")
	first, _ := d.Ended(d.Run(beckon.NewTask{Title: "First"}).ID)
	second, run := d.Ended(d.Run(beckon.NewTask{Title: "Second", Start: starting.Start{Kind: starting.OnTask, TaskID: first.ID}}).ID)
	if run.Outcome != beckon.Succeeded || second.Base != first.Branch {
		t.Fatalf("run %s (%s), on %q", run.Outcome, run.Reason, second.Base)
	}
	if _, err := d.Board.Merge(t.Context(), first.ID, reviewing.MergeOrder{}); err != nil {
		t.Fatal(err)
	}
	if now := d.Now(second.ID); now.Base != "main" {
		t.Errorf("it goes into %s", now.Base)
	}
}

func TestAnEditKeepsWhatATaskStartedFrom(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.txt hello\n")
	d.Git("branch", "develop")
	task := d.Card("Write")
	edit := beckon.TaskEdit{Title: "Write", Mode: task.Mode, Policy: task.Policy, Start: starting.Start{Base: "develop", Branch: "feat/x"}}
	if task, err := d.Board.EditTask(t.Context(), task.ID, edit); err != nil || task.Base != "develop" || task.Start.Branch != "feat/x" {
		t.Fatalf("it starts from %q, %v", task.Base, err)
	}
	started, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Running, 0)
	if err != nil {
		t.Fatal(err)
	}
	task, _ = d.Ended(started.ID)
	edit.Start = starting.Start{Base: "main", Branch: "other"}
	if task, err = d.Board.EditTask(t.Context(), task.ID, edit); err != nil || task.Base != "develop" || task.Start.Branch != "feat/x" {
		t.Errorf("with a branch it starts from %q, %v", task.Base, err)
	}
}

func TestWhatStartsFromNothingWholeIsRefused(t *testing.T) {
	t.Parallel()
	d := start(t, "text done\n")
	for _, from := range []starting.Start{
		{Kind: "thin air"},
		{Kind: starting.Branch},
		{Kind: starting.Issue, Number: 7, URL: "javascript:alert(1)"},
		{Kind: starting.OnTask},
		{Kind: starting.Branch, Branch: "x", Remote: "origin"},
		{Kind: starting.Branch, Branch: "x", Remote: "--upload-pack=x", Ref: "refs/heads/x"},
		{Kind: starting.Branch, Branch: "x", Remote: "origin", Ref: "refs/beckon/x"},
		{Kind: starting.Branch, Branch: "x", Remote: "origin", Ref: "refs/heads/x:refs/heads/main"},
	} {
		_, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "One", Start: from})
		if !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%+v is taken: %v", from, err)
		}
	}
}

func TestATaskOnTopOfOneThatWasMergedByHandGoesOnWithItsBase(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.txt hello\n")
	first, _ := d.Ended(d.Run(beckon.NewTask{Title: "First"}).ID)
	second, _ := d.Ended(d.Run(beckon.NewTask{Title: "Second", Start: starting.Start{Kind: starting.OnTask, TaskID: first.ID}}).ID)
	d.Git("merge", "-q", first.Branch)
	if _, err := d.Board.MoveTask(t.Context(), first.ID, beckon.Done, 0); err != nil {
		t.Fatal(err)
	}
	if now := d.Now(second.ID); now.Base != "main" {
		t.Errorf("it goes into %s", now.Base)
	}
}
