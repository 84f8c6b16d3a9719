package dialog

import (
	"regexp"
	"strings"
)

// view is a dialog as it was read off a screen.
type view struct {
	// page is which of the questions is shown, and len(items) for the review of
	// the answers.
	page  int
	rows  []row  // those with numbers, but for Other and Chat
	other *row   // the row for other words
	typed string // what is in it, squeezed; empty for nothing
	chat  *row   // "Chat about this"; its number is 0 where it has none
	// submit is the row without a number that ends a multi-select.
	submit *row
	foot   string // what follows the rows, squeezed
	lines  int    // that the dialog takes, with its upper edge
	// wrapped says that a line of it is wrapped, where a screen shows the same as for
	// two lines of another call.
	wrapped bool
}

// row is a line that can be chosen.
type row struct {
	number  int
	words   string // as they are on the screen, in one line
	ticked  bool
	focused bool
}

// focus returns the row that the mark is at: with previews, Chat before the row
// whose preview is shown.
func (v view) focus() *row {
	for _, r := range []*row{v.chat, v.submit, v.other} {
		if r != nil && r.focused {
			return r
		}
	}
	for i := range v.rows {
		if v.rows[i].focused {
			return &v.rows[i]
		}
	}
	return nil
}

// reader takes a squeezed dialog apart from its beginning.
type reader struct{ rest string }

// literal takes words that have to come next.
func (r *reader) literal(words string) (ok bool) {
	r.rest, ok = strings.CutPrefix(r.rest, squeeze(words))
	return ok
}

var rowBegin = regexp.MustCompile(`^(❯?)([1-9])\.`)

// row takes the beginning of a row that has to be this number.
func (r *reader) row(number int) (at row, ok bool) {
	m := rowBegin.FindStringSubmatch(r.rest)
	if m == nil || m[2] != digit(number) {
		return row{}, false
	}
	r.rest = r.rest[len(m[0]):]
	return row{number: number, focused: m[1] != ""}, true
}

// box takes a tick box.
func (r *reader) box() (ticked, ok bool) {
	if r.literal("[✔]") {
		return true, true
	}
	return false, r.literal("[]")
}

// digit is the key for a number, and no key for what has none.
func digit(n int) string {
	if n < 1 || n > 9 {
		return ""
	}
	return string(rune('0' + n))
}

// footer is the last line of a question's dialog.
var footer = regexp.MustCompile(`^Entertoselect·[^❯]{1,120}·Esctocancel$`)
