package since

import (
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/store/checkpoints"
)

// TestWhatADecisionLedToIsExactWithinATurn: from the files as they were when it was asked to
// those when the next of its kind was. Where the two waited together nothing is said.
func TestWhatADecisionLedToIsExactWithinATurn(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	ledger := &Ledger{Rows: b.store.Decisions, Checkpoints: b.store.Checkpoints, Since: b.since}
	ids := map[string]string{}
	asked := func(name string, asked, settled int64, kept bool) {
		t.Helper()
		q := beckon.Question{
			ID: beckon.NewID(), TaskID: b.task.ID, RunID: b.run.ID, Kind: beckon.Ask, Asked: asked, Settled: settled,
			Items: []beckon.QuestionItem{{Text: name}}, Settlement: beckon.Answered, Policy: beckon.Proceed,
			Answer: &beckon.Answer{By: beckon.ByUser, At: settled}, Delivered: settled,
		}
		b.check(b.store.AddQuestion(b.ctx, q))
		ids[name] = q.ID
		c := checkpoints.Checkpoint{QuestionID: q.ID, TaskID: b.task.ID, RunID: b.run.ID, Turn: 1, At: asked, None: checkpoints.Late}
		if kept {
			is, err := b.since.Capture(b.ctx, b.task.ID)
			b.check(err)
			b.check(b.since.KeepTrees(b.ctx, b.task.ID, is.Tree, is.Staged))
			c.WorkState, c.None = is, checkpoints.Taken
		}
		b.check(b.store.Checkpoints.Add(b.ctx, c))
	}
	b.begin()
	b.check(b.store.AddRun(b.ctx, &b.run))
	b.turn("First", func() {
		b.edit("before.txt", "1\n")
		asked("first", 1000, 1100, true)
		b.edit("a.txt", "two\nthree\n")
		asked("second", 1200, 1300, true)
		asked("beside the second", 1250, 1350, true)
		b.edit("c.txt", "c\n")
		asked("without a checkpoint", 1400, 1500, false)
		b.edit("d.txt", "d\n")
		asked("fifth", 1600, 1700, true)
		b.edit("e.txt", "e\ne\ne\n")
	})
	b.turn("Second", func() { b.edit("f.txt", "f\n") })
	b.end()
	turns, err := b.store.Turns.Of(b.ctx, b.task.ID)
	b.check(err)
	for i, turn := range turns { // they took milliseconds
		turn.Began, turn.Ended = int64(1000*i), int64(2000*(i+1))
		b.check(b.store.Turns.Save(b.ctx, turn))
	}
	for name, want := range map[string]Led{
		"first":                {Known: true, Files: 1, Added: 2, Removed: 1, Turn: 1, Last: 1},
		"second":               {},
		"beside the second":    {},
		"without a checkpoint": {},
		"fifth":                {Known: true, Files: 2, Added: 4, Turn: 1, Last: 2},
	} {
		got, err := ledger.Led(b.ctx, []string{ids[name]})
		b.check(err)
		want.ID = ids[name]
		if got[0] != want {
			t.Errorf("%s led to %+v, want %+v", name, got[0], want)
		}
	}

	// The changes are looked at by a decision.
	b.since.Decided = ledger.Of
	b.want("decision-"+ids["first"], "M a.txt")
	b.want("decision-"+ids["fifth"], "A e.txt", "A f.txt")
	b.refuses("decision-"+ids["second"], problem.SinceGone)
	b.refuses("decision-none", problem.SinceGone)
	for name, ends := range map[string]bool{"first": false, "fifth": true} { // with a turn, or in its middle
		h, ok, err := b.since.History(b.ctx, b.task.ID, "decision-"+ids[name])
		if b.check(err); ok != ends || ok && !h.Now {
			t.Errorf("the history of %s: %t, %+v", name, ok, h)
		}
	}
}
