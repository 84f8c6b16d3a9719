package since

import (
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/git/diff"
	"beckon/backend/store/reviewed"
)

// TestWhatARunMadeIsFromItsBeginningToItsEnd: and what was not recorded is not known.
func TestWhatARunMadeIsFromItsBeginningToItsEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	b.begin()
	b.turn("First", func() { b.edit("a.txt", "two\n") })
	b.turn("Second", func() { b.edit("b.txt", "1\n") })
	b.end()
	first := b.run.ID
	b.edit("by-hand.txt", "mine\n")
	b.begin()
	b.turn("Third", func() { b.edit("c.txt", "c\n") })
	b.is(beckon.Working, "")
	b.edit("d.txt", "now\n")
	for _, c := range []struct{ run, want string }{
		{first, "a.txt b.txt "}, {b.run.ID, "c.txt d.txt "}, {"another", "unknown"},
	} {
		made, err := b.since.Made(b.ctx, b.task.ID, c.run)
		b.check(err)
		got := ""
		for _, f := range made.Files {
			if f.Patch == "" {
				t.Errorf("%s has no patch", f.Path)
			}
			got += f.Path + " "
		}
		if !made.Known {
			got = "unknown"
		}
		if got != c.want {
			t.Errorf("run %q made %q, want %q", c.run, got, c.want)
		}
	}
}

// TestWhatARunMadeMayBeOthersToo: where its end was not seen, and where somebody worked meanwhile.
func TestWhatARunMadeMayBeOthersToo(t *testing.T) {
	t.Parallel()
	turn := func(run, before, after string, mixed bool) reviewed.Turn {
		return reviewed.Turn{RunID: run, Before: before, After: after, Mixed: mixed}
	}
	for name, c := range map[string]struct {
		all   []reviewed.Turn
		trees diff.Trees
		mixed bool
	}{
		"recorded":      {[]reviewed.Turn{turn("a", "1", "2", false), turn("a", "2", "3", false), turn("b", "9", "", true)}, diff.Trees{From: "1", To: "3"}, false},
		"no end":        {[]reviewed.Turn{turn("a", "1", "", false), turn("b", "2", "3", false)}, diff.Trees{From: "1", To: "2"}, true},
		"a mixed turn":  {[]reviewed.Turn{turn("a", "1", "2", false), turn("a", "2", "3", true)}, diff.Trees{From: "1", To: "3"}, true},
		"between turns": {[]reviewed.Turn{turn("a", "1", "2", false), turn("a", "by hand", "3", false)}, diff.Trees{From: "1", To: "3"}, true},
	} {
		if trees, mixed := endsOf(c.all, "a"); trees.From != c.trees.From || trees.To != c.trees.To || mixed != c.mixed {
			t.Errorf("%s: %+v, mixed %t", name, trees, mixed)
		}
	}
}
