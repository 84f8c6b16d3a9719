package store

import (
	"errors"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/store/parts"
	"beckon/backend/store/reviewed"
)

// TestWhatIsKeptOfAPartGoesWithItsTask, and is another's than the task's own.
func TestWhatIsKeptOfAPartGoesWithItsTask(t *testing.T) {
	t.Parallel()
	s, task := withTask(t)
	ctx, id := t.Context(), reviewing.PartID(task.ID, "dash")
	pull := reviewing.PullRequest{TaskID: id, Host: reviewing.GitHub, State: reviewing.PullOpen, Number: 7}
	err := errors.Join(
		s.Parts.Add(ctx, parts.Row{TaskID: task.ID, Name: "dash", Dir: "/dash", Branch: "b"}),
		s.Viewed.Mark(ctx, id, "a.go", "1-2"), s.Pulls.Save(ctx, pull), s.Turns.Reviewed(ctx, id, "tree", 5),
		s.Intents.Save(ctx, id, IntentUpdate), s.Intents.SaveTogether(ctx, task.ID, []IntentPart{{id, "a"}, {task.ID, "b"}}),
		s.Turns.KeepRef(ctx, reviewed.Ref{TaskID: id, Dir: "/dash"}))
	if err != nil {
		t.Fatal(err)
	}
	row, err := s.Parts.Update(ctx, id, func(r *parts.Row) error { r.Changes.Files = 3; return nil })
	if err != nil || row.ID != id || row.Changes.Files != 3 || row.Dir != "/dash" {
		t.Errorf("the row is %+v, %v", row, err)
	}
	files, err := s.Viewed.Of(ctx, task.ID)
	same(t, files, map[string]string{}, err)
	files, err = s.Viewed.Of(ctx, id)
	same(t, files, map[string]string{"a.go": "1-2"}, err)
	if _, there, err := s.Pulls.Of(ctx, task.ID); there || err != nil {
		t.Errorf("the task itself has a request, %v", err)
	}
	list, err := s.Intents.Together(ctx, task.ID)
	same(t, list, []IntentPart{{id, "a"}, {task.ID, "b"}}, err)
	refs, err := s.Turns.IdleRefs(ctx, beckon.Now())
	same(t, len(refs), 0, err)
	if err := s.DeleteTask(ctx, task.ID); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"part", "viewed", "pull_request", "reviewed", "intent"} {
		var n int
		if err := s.read.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(&n); err != nil || n != 0 {
			t.Errorf("%d rows of %s are left, %v", n, table, err)
		}
	}
	refs, err = s.Turns.IdleRefs(ctx, beckon.Now())
	same(t, refs, []reviewed.Ref{{TaskID: id, Dir: "/dash"}}, err)
	if err := s.Parts.Add(ctx, parts.Row{TaskID: task.ID, Name: "dash"}); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("a part of a task that is gone: %v", err)
	}
}

// TestWhatWasKeptOfTasksIsThereAfterTheUpgradeToParts.
func TestWhatWasKeptOfTasksIsThereAfterTheUpgradeToParts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := open(t.Context(), dir, scripts(released(t)[:37]...))
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	_, err = s.write.ExecContext(ctx, `
		INSERT INTO project (id, key, name, dir, color, git, base, model, mode, policy, wait_ms, trusted, created, allowed)
		VALUES ('p', 'KES', 'Kestrel', '/kestrel', 1, 1, 'main', '', 'auto', 'proceed', 0, 1, 1, '[]');
		INSERT INTO task (id, project_id, number, title, brief, status, rank, labels, priority, model, mode, policy, wait_ms,
			worktree, branch, base, base_commit, session, files, added, removed, commits, tokens, cost_usd, worked_ms, trouble, resume, created, updated)
		VALUES ('t', 'p', 1, 'One', '', 'review', 1, '[]', 0, '', 'auto', 'proceed', 0, '', '', '', '', '', 0, 0, 0, 0, 0, 0, 0, '', '{}', 1, 1);
		INSERT INTO viewed VALUES ('t', 'a.go', '1-2');
		INSERT INTO reviewed VALUES ('t', 'tree', 5);
		INSERT INTO intent VALUES ('t', 'merge');
		INSERT INTO pull_request VALUES ('t', 'github', 'github.com', 'ada/kestrel', 'origin', 'b', 'main', 'c', 7, 'u', 'open', '{}', 1, 0)`)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, dir)
	files, err := s.Viewed.Of(ctx, "t")
	same(t, files, map[string]string{"a.go": "1-2"}, err)
	review, there, err := s.Turns.LastReview(ctx, "t", "")
	if !there || review.Tree != "tree" || err != nil {
		t.Errorf("it was reviewed as %+v, %v", review, err)
	}
	intents, err := s.Intents.All(ctx)
	same(t, intents, map[string]IntentKind{"t": IntentMerge}, err)
	if pull, there, err := s.Pulls.Of(ctx, "t"); !there || pull.Number != 7 || pull.Repo != "ada/kestrel" || err != nil {
		t.Errorf("the request is %+v, %v", pull, err)
	}
	if p := mustProject(t, s); p.Repositories == nil || len(p.Repositories) != 0 {
		t.Errorf("the project has %+v", p.Repositories)
	}
}
