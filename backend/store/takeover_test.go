package store

import (
	"errors"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// TestATaskGetsThePastOfTheSessionThatItGoesOnWith: the questions that were
// settled there, and not what is asked there still, or was elsewhere.
func TestATaskGetsThePastOfTheSessionThatItGoesOnWith(t *testing.T) {
	t.Parallel()
	s, task := withTask(t)
	outside := func(session string) beckon.Run {
		run := beckon.Run{Kind: beckon.ExternalRun, Session: session}
		if err := s.AddRun(t.Context(), &run); err != nil {
			t.Fatal(err)
		}
		return run
	}
	settled := func(run beckon.Run) string {
		q := addQuestion(t, s, run)
		if _, err := s.Settle(t.Context(), q.ID, beckon.Withdrawn, nil, reason.Said("Its session has ended.")); err != nil {
			t.Fatal(err)
		}
		return q.ID
	}
	first, again, other := outside("one"), outside("one"), outside("two")
	want := []string{settled(first), settled(again)}
	open, strange := addQuestion(t, s, again).ID, settled(other)
	copied := beckon.Run{TaskID: task.ID, Kind: beckon.ExternalRun, Session: "one", Outcome: beckon.Succeeded, Ended: 1}
	if err := s.TakeOver(t.Context(), &copied, false); err != nil {
		t.Fatal(err)
	}
	if list, err := s.Questions(t.Context(), task.ID); err != nil || len(list) > 0 {
		t.Errorf("a copy took %+v, %v", list, err)
	}
	past := beckon.Run{
		TaskID: task.ID, Kind: beckon.ExternalRun, Session: "one", Dir: "/src", ConfigDir: "/claude",
		Outcome: beckon.Succeeded, Ended: 1,
	}
	if err := s.TakeOver(t.Context(), &past, true); err != nil {
		t.Fatal(err)
	}
	list, err := s.Questions(t.Context(), task.ID)
	var got []string
	for _, q := range list {
		if got = append(got, q.ID); q.RunID != past.ID {
			t.Errorf("%s is of run %s", q.ID, q.RunID)
		}
	}
	same(t, got, want, err)
	for _, id := range []string{open, strange} {
		if q, err := s.Question(t.Context(), id); err != nil || q.TaskID != "" {
			t.Errorf("%+v went along, %v", q, err)
		}
	}
	if run, err := s.Run(t.Context(), past.ID); err != nil || run.Dir != "/src" || run.ConfigDir != "/claude" {
		t.Errorf("kept %+v, %v", run, err)
	}
	if own, err := s.IsOwnSession(t.Context(), "one"); err != nil || own {
		t.Errorf("a session that is only remembered is Beckon's: %t, %v", own, err)
	}
}

// TestAForkThatNeverSpokeIsStillACopyAfterTheUpgrade: it had the session of the
// chat that it comes from, and would write into it.
func TestAForkThatNeverSpokeIsStillACopyAfterTheUpgrade(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := open(t.Context(), dir, scripts(released(t)[:5]...))
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.write.ExecContext(t.Context(), `
		INSERT INTO project (id, key, name, dir, color, git, base, model, mode, policy, wait_ms, trusted, created, allowed)
		VALUES ('p', 'KES', 'Kestrel', '/kestrel', 1, 1, 'main', '', 'auto', 'proceed', 0, 1, 1, '[]');
		INSERT INTO task (id, project_id, number, title, brief, status, rank, labels, priority, model, mode, policy, wait_ms, worktree, branch, base,
			base_commit, session, files, added, removed, commits, tokens, cost_usd, worked_ms, trouble, created, updated)
		SELECT value, 'p', key + 1, 'Talk', '', 'backlog', 0, '[]', 0, '', 'auto', 'wait', 0, '', '', '', '', '', 0, 0, 0, 0, 0, 0, 0, '', 1, 1
		FROM json_each('["first", "fork"]');
		WITH r (id, task_id, number, session) AS (VALUES ('1', 'first', 1, 's'), ('2', 'first', 2, 's'), ('3', 'fork', 1, 's'), ('4', 'fork', 2, 'own'))
		INSERT INTO run (id, task_id, number, kind, outcome, reason, detail, session, model, mode, effort, context, activity, turns, tokens, cost_usd, worked_ms, started, ended)
		SELECT id, task_id, number, 'chat', 'stopped', '', '', session, '', '', '', '{}', '{}', 0, 0, 0, 0, 1, 2 FROM r`)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, dir)
	for id, want := range map[string][2]string{"1": {"s", ""}, "2": {"s", ""}, "3": {"", "s"}, "4": {"own", ""}} {
		if run, err := s.Run(t.Context(), id); err != nil || run.Session != want[0] || run.CopyOf != want[1] {
			t.Errorf("run %s has session %q, and is a copy of %q, %v", id, run.Session, run.CopyOf, err)
		}
	}
}

func TestASessionIsOwnedByTheTaskThatBeganIt(t *testing.T) {
	t.Parallel()
	s, task := withTask(t)
	later := addTask(t, s, task.ProjectID)
	for _, run := range []beckon.Run{
		{TaskID: later.ID, Kind: beckon.ExternalRun, Session: "one", Started: 1, Ended: 2, Outcome: beckon.Succeeded},
		{TaskID: task.ID, Kind: beckon.ChatRun, Session: "one", Started: 3},
		{TaskID: later.ID, Kind: beckon.ChatRun, Session: "one", Started: 4},
	} {
		if err := s.AddRun(t.Context(), &run); err != nil {
			t.Fatal(err)
		}
	}
	if key, err := s.SessionOwner(t.Context(), "one"); err != nil || key != task.Key {
		t.Errorf("it is %q's, %v; want %s", key, err, task.Key)
	}
	if key, err := s.SessionOwner(t.Context(), "nobody's"); err != nil || key != "" {
		t.Errorf("nobody's is %q's, %v", key, err)
	}
}
