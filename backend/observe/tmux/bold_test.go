package tmux

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestWhatBeginsInBoldIsKnown: the words of a question, which may draw a line across
// the pane, and not the edge of its dialog.
func TestWhatBeginsInBoldIsKnown(t *testing.T) {
	t.Parallel()
	screen := "● Let me ask.\n" +
		"\x1b[38;5;246m──────\n" + // the edge
		"\x1b[38;5;16m\x1b[48;5;153m ☐ Other \x1b[39m\x1b[49m\n" +
		"\x1b[1m\x1b[38;5;231mInnocent?\x1b[0m\x1b[39m\x1b[49m\n" +
		"\x1b[1m\x1b[38;5;231m──────\n" + // painted
		" ☐ Database\n" + // still in bold
		"\x1b[0mplain \x1b[1mbold\n" +
		"\x1b[22mplain\n" +
		"\x1b[38;2;1;1;1mof a colour\n" +
		"\x1b[0;1m\n" + // nothing is there
		"bold"
	got := slices.Sorted(maps.Keys(bold(strings.Split(screen, "\n"))))
	if want := []int{3, 4, 5, 10}; !slices.Equal(got, want) {
		t.Errorf("lines %d begin in bold, want %d", got, want)
	}
}
