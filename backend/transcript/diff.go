package transcript

import (
	"fmt"
	"strings"

	"beckon/backend/claude"
)

// diff is a unified diff that is being written. It counts all lines and keeps
// no more of them than will be shown.
type diff struct {
	kept           strings.Builder
	full           bool
	added, removed int
}

// diffContext is how many unchanged lines stand around a change.
const diffContext = 3

func (d *diff) text() string { return d.kept.String() }

// line adds one, whose first byte tells what became of it.
func (d *diff) line(sign byte, text string) {
	switch sign {
	case '+':
		d.added++
	case '-':
		d.removed++
	}
	d.keep(string(sign), text)
}

func (d *diff) lines(sign byte, texts []string) {
	for _, t := range texts {
		d.line(sign, t)
	}
}

// hunk begins one.
func (d *diff) hunk(oldStart, oldLines, newStart, newLines int) {
	if !d.full {
		d.keep("@@", fmt.Sprintf(" -%d,%d +%d,%d @@", oldStart, oldLines, newStart, newLines))
	}
}

// keep writes a line, or as much of it as there is room for.
func (d *diff) keep(start, text string) {
	if d.full {
		return
	}
	room := diffMost - d.kept.Len() - len(start) - 1
	if d.full = room < len(text); d.full {
		text = cut(text, max(room, 0))
	}
	d.kept.WriteString(start)
	d.kept.WriteString(text)
	d.kept.WriteByte('\n')
}

// diff is the change that a call asks for, as far as the call tells: the lines
// of an edit are numbered from 1, since where they stand is not known yet, and
// a Write may prove to replace something.
func (in toolInput) diff(tool string) *diff {
	d := &diff{}
	switch tool {
	case "Edit":
		d.change(in.OldString, in.NewString)
	case "MultiEdit":
		for _, e := range in.Edits {
			d.change(e.OldString, e.NewString)
		}
	case "Write":
		d.change("", in.Content)
	case "NotebookEdit":
		d.change("", in.NewSource)
	}
	return d
}

// change adds the hunk that turns one text into another: the lines between
// those that begin and end both.
func (d *diff) change(before, after string) {
	if before == after {
		return
	}
	a, aMore := splitLines(before)
	b, bMore := splitLines(after)
	d.removed += aMore
	d.added += bMore
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	from, upTo := max(head-diffContext, 0), max(tail-diffContext, 0)
	d.hunk(min(from+1, len(a)), len(a)-from-upTo, min(from+1, len(b)), len(b)-from-upTo)
	d.lines(' ', a[from:head])
	d.lines('-', a[head:len(a)-tail])
	d.lines('+', b[head:len(b)-tail])
	d.lines(' ', a[len(a)-tail:len(a)-upTo])
}

// patched writes the hunks that the CLI reports.
func patched(hunks []claude.Hunk) *diff {
	d := &diff{}
	for _, h := range hunks {
		d.hunk(h.OldStart, h.OldLines, h.NewStart, h.NewLines)
		for _, l := range h.Lines {
			if l != "" {
				d.line(l[0], l[1:])
			}
		}
	}
	return d
}

// splitLines cuts a text into lines; a line feed at its end begins none. It
// also returns how many lines were left out of it.
func splitLines(text string) (lines []string, more int) {
	if text == "" {
		return nil, 0
	}
	text, left := splitGap(text)
	if more = left.breaks; left.bytes > 0 && strings.HasSuffix(text, "\n") {
		more++
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n"), more
}
