package dialog

import (
	"slices"
	"strings"
	"unicode"
)

// Screen is what a pane shows at one moment, and how it stands.
type Screen struct {
	Text          string // the visible part
	Width, Height int
	Mode          bool // copy mode and the like: keys go to tmux
	Synchronized  bool // keys go to other panes too
	// Bold has the numbers of the lines that begin in bold. So are texts of the
	// agent's drawn, and never the edge of a dialog.
	Bold map[int]bool

	dir string // in which the session works: dialogs name files from there
	any bool   // files may be named from any folder
}

// takesKeys refuses a pane whose keys would not reach claude, or not only it.
func (s Screen) takesKeys() error {
	switch {
	case s.Mode:
		return refuse(CopyMode)
	case s.Synchronized:
		return refuse(Synchronized)
	}
	return nil
}

// lines returns the screen without the empty lines at its end.
func (s Screen) lines() []string {
	return strings.Split(strings.TrimRightFunc(s.Text, unicode.IsSpace), "\n")
}

// blocks returns what may be the dialog at the end of the screen, the shortest
// first: a dialog begins below a line across the pane, its upper edge. Where that is
// above the screen there is no telling what the dialog begins with.
func (s Screen) blocks() [][]string {
	lines := s.lines()
	var all [][]string
	for i := len(lines) - 1; i >= 0; i-- {
		if s.rule(lines[i]) && !s.Bold[i] {
			all = append(all, lines[i+1:])
		}
	}
	return all
}

// rule reports whether a line is drawn across the whole pane.
func (s Screen) rule(line string) bool {
	return strings.Trim(line, "─") == "" && strings.Count(line, "─") == s.Width
}

// squeeze leaves what can be compared of a text that is wrapped and framed: no
// white space, no lines of frames, nothing invisible.
func squeeze(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r), unicode.Is(unicode.Cf, r),
			r >= 0x2500 && r <= 0x257F,   // box drawing
			r >= 0xFE00 && r <= 0xFE0F,   // variation selectors
			r >= 0x1F3FB && r <= 0x1F3FF: // skin tones, which tmux may drop
			return -1
		}
		return r
	}, text)
}

// letters leaves the letters and digits of a text, for what is drawn as markdown.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// prompt returns what is in the prompt line, which lies between two lines across
// the pane where no dialog is on the screen.
func (s Screen) prompt() (text string, ok bool) {
	lines := s.lines()
	last := -1
	for i := len(lines) - 1; i >= 0; i-- {
		if !s.rule(lines[i]) {
			continue
		}
		if last < 0 {
			last = i
			continue
		}
		return strings.CutPrefix(strings.TrimSpace(strings.Join(lines[i+1:last], " ")), "❯")
	}
	return "", false
}

// testedVersions are the versions of the CLI whose screens this package was held
// against. Screens change between versions: others want the person's consent.
var testedVersions = []string{"2.1.197"}

// Tested reports whether the screens of a version of the CLI are known here.
func Tested(version string) bool {
	return slices.Contains(testedVersions, version)
}
