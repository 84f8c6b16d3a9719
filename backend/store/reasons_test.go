package store

import (
	"errors"
	"strings"
	"testing"

	"beckon/backend/beckon/reason"
)

// before0029 are the scripts of a database whose reasons are sentences.
const before0029 = 28

func TestReasonsThatWereSentencesAreRecognisedOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := open(t.Context(), dir, scripts(released(t)[:before0029]...))
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.write.ExecContext(t.Context(), `
		INSERT INTO project (id, key, name, dir, color, git, base, model, mode, policy, wait_ms, trusted, created, allowed)
		VALUES ('p', 'KES', 'Kestrel', '/kestrel', 1, 1, 'main', '', 'auto', 'proceed', 0, 1, 1, '[]');
		INSERT INTO run (id, number, kind, outcome, reason, detail, session, model, mode, effort, context, activity, turns, tokens, cost_usd, worked_ms, started, ended)
		SELECT column1, 1, 'external', 'failed', column2, column3, '', '', '', '', '{}', '{}', 0, 0, 0, 0, 1, 2 FROM (VALUES
			('none', '', ''),
			('rested', 'Beckon was quit while it waited for your next message. Its work and session are kept.', ''),
			('signs', 'Invalid API key' || char(10) || 'Sign in again: run claude in a terminal and enter /login. Then resume the task.', ''),
			('background', 'You stopped it.' || char(10) || 'What ran in the background ended with it: npm run dev', ''),
			('unknown', 'Claude exited with code 1: No conversation found with session ID: 7', 'No conversation found with session ID: 7'),
			('own', 'I gave up (a.*b): conflict', ''),
			('home', 'what the agent did is still on farm, and comes by itself when that can be reached: farm does not answer: no route', ''));
		INSERT INTO undo_step (id, token, kind, at) VALUES (1, 'token', 'move', 1);
		INSERT INTO undo_card (step, task_id, key, before, after, deleted, runs) VALUES
			(1, 'gone', 'KES-1', '{"trouble":"You stopped it.","rank":12345678901234567}', '{"trouble":""}',
			'{"task":[{"id":"gone","trouble":"You stopped it.","created":1234567890123456789}],"run":[{"id":"r","reason":""}]}', '[]')`)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, dir)
	home := reason.Of(reason.WorkStill, "name", "farm").
		Because(reason.Of(reason.HostAway, "host", "farm", "words", "no route"))
	for id, want := range map[string]*reason.Reason{
		"none":       nil,
		"rested":     reason.Of(reason.Rested),
		"signs":      reason.Said("Invalid API key").Because(reason.Of(reason.SignIn)),
		"background": reason.Of(reason.YouStopped).Because(reason.Of(reason.BackgroundEnded, "what", "npm run dev")),
		"unknown": reason.Of(reason.SessionUnknown).Because(
			reason.Of(reason.ExitedSaying, "code", "1", "words", "No conversation found with session ID: 7")),
		"own":  reason.Said("I gave up (a.*b)"),
		"home": home,
	} {
		if run, err := s.Run(t.Context(), id); err != nil || !run.Reason.Equal(want) {
			t.Errorf("%s: %+v, want %+v; %v", id, run.Reason, want, err)
		}
	}
	var before, after, deleted string
	err = s.read.QueryRowContext(t.Context(),
		"SELECT before, after, deleted FROM undo_card").Scan(&before, &after, &deleted)
	if err != nil || before != `{"rank":12345678901234567,"why":{"code":"youStopped"}}` || after != `{"why":null}` ||
		!strings.Contains(deleted, `"created":1234567890123456789`) ||
		!strings.Contains(deleted, `"trouble":"{\"code\":\"youStopped\"}"`) || !strings.Contains(deleted, `"reason":""`) {
		t.Errorf("what can be taken back became %s, %s, %s; %v", before, after, deleted, err)
	}
}
