package since

import (
	"slices"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/store/reviewed"
)

// TestWhatADecisionLedToEndsAtTheNext: it has the turns from that of the decision up to that of
// the next one, and nothing is said where two fell into one turn, or where a turn was not recorded.
func TestWhatADecisionLedToEndsAtTheNext(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	b.begin()
	b.turn("First", func() { b.edit("a.txt", "two\n"); b.edit("b.txt", "1\n2\n3\n") })
	b.turn("Second", func() { b.edit("c.txt", "c\n") })
	b.turn("Third", func() { b.edit("d.txt", "d\n") })
	b.end()
	// Turns in a test take milliseconds: their times are set apart.
	turns, err := b.store.Turns.Of(b.ctx, b.task.ID)
	b.check(err)
	for i, turn := range turns {
		turn.Ended = int64(1000 * (i + 1))
		b.check(b.store.Turns.Save(b.ctx, turn))
	}
	for _, c := range []struct {
		name              string
		at, before, after int64
		want              []string // nil: it is not known
		last              int
	}{
		{"up to the end of the run", 500, 0, 0, []string{"M a.txt +1 −1", "A b.txt +3 −0", "A c.txt +1 −0", "A d.txt +1 −0"}, 3},
		{"up to the turn of the next", 500, 0, 2500, []string{"M a.txt +1 −1", "A b.txt +3 −0", "A c.txt +1 −0"}, 2},
		{"between two turns it acts on the next", 1000, 500, 2500, []string{"A c.txt +1 −0"}, 2},
		{"two in a turn", 500, 0, 600, nil, 0},
		{"another before it in its turn", 1500, 1400, 0, nil, 0},
		{"after the last turn", 3500, 0, 0, nil, 0},
		{"the next one is after the last turn", 2500, 0, 3500, []string{"A d.txt +1 −0"}, 3},
	} {
		span, known, err := b.since.Led(b.ctx, Moment{TaskID: b.task.ID, RunID: b.run.ID, At: c.at, Before: c.before, After: c.after})
		b.check(err)
		if known != (c.want != nil) {
			t.Errorf("%s: known %t", c.name, known)
		}
		if !known {
			continue
		}
		files, err := span.Files(b.ctx)
		b.check(err)
		got := []string{}
		for _, f := range files {
			got = append(got, string(f.Change)+" "+f.Path+" +"+string(rune('0'+f.Added))+" −"+string(rune('0'+f.Removed)))
		}
		if !slices.Equal(got, c.want) || span.Last != c.last {
			t.Errorf("%s: %q up to turn %d", c.name, got, span.Last)
		}
		if f, err := span.Patch(b.ctx, files[0]); err != nil || f.Patch == "" {
			t.Errorf("%s: %+v, %v", c.name, f, err)
		}
	}
	if _, known, err := b.since.Led(b.ctx, Moment{TaskID: b.task.ID, RunID: "another", At: 500}); known || err != nil {
		t.Errorf("of another run: %t, %v", known, err)
	}
	b.check(b.store.Turns.Save(b.ctx, reviewed.Turn{TaskID: b.task.ID, Number: 1, Ended: 1000, After: turns[0].After}))
	if _, known, err := b.since.Led(b.ctx, Moment{TaskID: b.task.ID, RunID: b.run.ID, At: 500}); known || err != nil {
		t.Errorf("a turn that was not recorded: %t, %v", known, err)
	}
}

// TestWhatADecisionLedToGrowsWhileTheRunWorks: up to what the worktree is by now.
func TestWhatADecisionLedToGrowsWhileTheRunWorks(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	b.begin()
	b.is(beckon.Working, "")
	b.edit("b.txt", "new\n")
	span, known, err := b.since.Led(b.ctx, Moment{TaskID: b.task.ID, RunID: b.run.ID, At: beckon.Now()})
	b.check(err)
	if !known {
		t.Fatal("what is under way is not known")
	}
	files, err := span.Files(b.ctx)
	if b.check(err); len(files) != 1 || files[0].Path != "b.txt" {
		t.Errorf("%+v", files)
	}
}
