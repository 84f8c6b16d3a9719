package fold

import (
	"beckon/backend/agent/claude"
	"beckon/backend/linediff"
	"beckon/backend/transcript/runlog"
)

// diff is the change that a call asks for, as far as the call tells: the lines
// of an edit are numbered from 1, since where they are is not known yet, and a
// Write may prove to replace something.
func (in toolInput) diff(tool string) *linediff.Diff {
	d := linediff.New(diffMost)
	for _, c := range in.Changes(tool) {
		change(d, c.Before, c.After)
	}
	return d
}

// change adds the change of one text into another. What was left out of them
// is counted.
func change(d *linediff.Diff, before, after string) {
	if before == after {
		return
	}
	before, removed := runlog.ShortenLines(before)
	after, added := runlog.ShortenLines(after)
	d.Removed += removed
	d.Added += added
	d.Change(before, after)
}

// patched writes the hunks that the CLI reports.
func patched(hunks []claude.Hunk) *linediff.Diff {
	d := linediff.New(diffMost)
	for _, h := range hunks {
		d.Hunk(h.OldStart, h.OldLines, h.NewStart, h.NewLines)
		for _, l := range h.Lines {
			if l != "" {
				d.Line(l[0], l[1:])
			}
		}
	}
	return d
}
