// Package linediff writes unified diffs: of two texts, and of hunks that others
// found.
//
// A diff has no file headers, counts all its lines and keeps only as many as
// are shown, so that a hostile text costs neither time nor room: the search for
// common lines gives up after a fixed depth and shows the rest as replaced. It
// knows nothing of files, tools or agents.
package linediff

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// context is how many unchanged lines are shown around a change.
const context = 3

// Diff is a unified diff that is being written.
type Diff struct {
	// Added and Removed count the lines, also those that were not kept.
	Added, Removed int

	most int
	kept strings.Builder
	full bool
}

// New returns an empty diff whose text will have at most that many bytes.
func New(most int) *Diff { return &Diff{most: most} }

// String returns the text, which ends in "…" where it was cut.
func (d *Diff) String() string { return d.kept.String() }

// Hunk begins one.
func (d *Diff) Hunk(oldStart, oldLines, newStart, newLines int) {
	if !d.full {
		d.keep("@@", fmt.Sprintf(" -%d,%d +%d,%d @@", oldStart, oldLines, newStart, newLines))
	}
}

// Line adds a line, whose sign tells what became of it: '+', '-' or ' '.
func (d *Diff) Line(sign byte, text string) {
	switch sign {
	case '+':
		d.Added++
	case '-':
		d.Removed++
	}
	d.keep(string(sign), text)
}

// Change adds the hunks that turn one text into another. Lines are numbered
// from 1.
func (d *Diff) Change(before, after string) {
	a, b := Lines(before), Lines(after)
	diffs := lcs.DiffLines(a, b)
	slide(a, b, diffs)
	if len(diffs) == 0 && before != after {
		d.lineEnd(a, strings.HasSuffix(before, "\n"))
	}
	for len(diffs) > 0 {
		n := 1
		for n < len(diffs) && diffs[n].Start-diffs[n-1].End <= 2*context {
			n++
		}
		d.hunk(a, b, diffs[:n])
		diffs = diffs[n:]
	}
}

// slide moves what was only added, or only removed, down over lines that read
// the same: where a line was repeated the second one is new.
func slide(a, b []string, diffs []lcs.Diff) {
	for i := range diffs {
		d, end := &diffs[i], len(a)
		if i+1 < len(diffs) {
			end = diffs[i+1].Start
		}
		for d.End < end && (d.Start == d.End && b[d.ReplStart] == a[d.End] || d.ReplStart == d.ReplEnd && a[d.Start] == a[d.End]) {
			d.Start, d.End, d.ReplStart, d.ReplEnd = d.Start+1, d.End+1, d.ReplStart+1, d.ReplEnd+1
		}
	}
}

// hunk writes replacements that are so near to each other that their contexts
// touch.
func (d *Diff) hunk(a, b []string, diffs []lcs.Diff) {
	first, last := diffs[0], diffs[len(diffs)-1]
	from, fromB := max(first.Start-context, 0), first.ReplStart-min(first.Start, context)
	to := min(last.End+context, len(a))
	toB := last.ReplEnd + to - last.End
	d.Hunk(min(from+1, len(a)), to-from, min(fromB+1, len(b)), toB-fromB)
	for _, one := range diffs {
		d.lines(' ', a[from:one.Start])
		d.lines('-', a[one.Start:one.End])
		d.lines('+', b[one.ReplStart:one.ReplEnd])
		from = one.End
	}
	d.lines(' ', a[from:to])
}

// lineEnd writes the change of nothing but the line feed at the end.
func (d *Diff) lineEnd(lines []string, had bool) {
	if len(lines) == 0 {
		return
	}
	const none = " No newline at end of file"
	n, last := len(lines), lines[len(lines)-1]
	d.Hunk(n, 1, n, 1)
	d.Line('-', last)
	if !had {
		d.keep(`\`, none)
	}
	d.Line('+', last)
	if had {
		d.keep(`\`, none)
	}
}

func (d *Diff) lines(sign byte, texts []string) {
	for _, t := range texts {
		d.Line(sign, t)
	}
}

// cutMark is the least that the line after the last one needs, to say that it is
// cut.
const cutMark = len("@@…\n")

// keep writes a line, or as much of it as there is room for.
func (d *Diff) keep(start, text string) {
	if d.full {
		return
	}
	room := d.most - d.kept.Len() - len(start) - len("\n")
	if d.full = room < len(text)+cutMark; d.full {
		text = cut(text, room-len("…")) + "…"
	}
	if room < len("…") {
		return
	}
	d.kept.WriteString(start)
	d.kept.WriteString(text)
	d.kept.WriteByte('\n')
}

// cut shortens text to most bytes, in front of a character.
func cut(text string, most int) string {
	most = min(max(most, 0), len(text))
	for most > 0 && most < len(text) && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// Lines divides a text into lines; a line feed at its end begins none.
func Lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
