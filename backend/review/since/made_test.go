package since

import (
	"testing"

	"beckon/backend/beckon"
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
