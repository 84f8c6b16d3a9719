package why

import (
	"slices"
	"strconv"
	"strings"

	"beckon/backend/linediff"
)

// This file joins a replay to a diff, as git wrote it. Where lines say the same, git may pair
// others than the replay does: a line that git calls new is followed through the lines that it
// takes for the old ones, all of the same text, to the one that is new in the replay.

// blame says who changed the lines of a diff.
type blame struct {
	added, removed  map[int]*origin // by the number of the line, from 1; nil where that is not known
	earlier         map[int]*line   // what a line that was added took the place of
	blocks          []block
	before, after   []*line // the lines of both files, nil for those that the replay has not
	toNew, toOld    map[int]int
	atNew, atMarked map[*line]int
}

// block is a piece of the diff without unchanged lines.
type block struct{ added, removed []int }

// blameOf returns that of a diff between two texts.
func blameOf(r *replay, from, to, patch string) *blame {
	b := &blame{
		added: map[int]*origin{}, removed: map[int]*origin{}, earlier: map[int]*line{},
		before: match(r.marked, from), after: match(r.lines, to),
		toNew: map[int]int{}, toOld: map[int]int{}, atNew: map[*line]int{}, atMarked: map[*line]int{},
	}
	index(b.before, b.atMarked)
	index(b.after, b.atNew)
	b.read(patch)
	for _, block := range b.blocks {
		for _, n := range block.added {
			if l := b.follow(b.at(b.after, n)); l != nil {
				b.added[n], b.earlier[n] = l.by, l.earlier
			}
		}
		for _, n := range block.removed {
			b.removed[n] = b.followBack(b.at(b.before, n))
		}
		b.agree(block)
	}
	return b
}

// match returns which of the lines those of a text are.
func match(lines []*line, text string) []*line {
	texts, old := linediff.Lines(normal(text)), make([]string, len(lines))
	for i, l := range lines {
		old[i] = l.text
	}
	matched := make([]*line, len(texts))
	for j, i := range align(old, texts) {
		if i >= 0 {
			matched[j] = lines[i]
		}
	}
	return matched
}

func index(lines []*line, at map[*line]int) {
	for i, l := range lines {
		if l != nil {
			at[l] = i + 1
		}
	}
}

// read reads the hunks of a patch.
func (b *blame) read(patch string) {
	before, after := 1, 1 // the next lines
	var one block
	end := func() {
		if len(one.added)+len(one.removed) > 0 {
			b.blocks = append(b.blocks, one)
		}
		one = block{}
	}
	unchanged := func() {
		end()
		b.toNew[before], b.toOld[after] = after, before
		before, after = before+1, after+1
	}
	for text := range strings.SplitSeq(strings.TrimSuffix(patch, "\n"), "\n") {
		switch {
		case strings.HasPrefix(text, "@@"):
			fromBefore, fromAfter, ok := starts(text)
			if !ok {
				return
			}
			for after < fromAfter && before < fromBefore {
				unchanged()
			}
			before, after = fromBefore, fromAfter
			end()
		case strings.HasPrefix(text, "+"):
			one.added = append(one.added, after)
			after++
		case strings.HasPrefix(text, "-"):
			one.removed = append(one.removed, before)
			before++
		case strings.HasPrefix(text, " "):
			unchanged()
		}
	}
	end()
	for after <= len(b.after) && before <= len(b.before) {
		unchanged()
	}
}

// starts returns the first lines of a hunk by its head, "@@ -1,2 +3,4 @@". Where it has no
// lines of a file, the head names the line above.
func starts(head string) (before, after int, ok bool) {
	fields := strings.Fields(head)
	if len(fields) < 3 {
		return 0, 0, false
	}
	number := func(field string) (int, bool) {
		start, count, counted := strings.Cut(field[1:], ",")
		n, err := strconv.Atoi(start)
		if counted && count == "0" {
			n++
		}
		return n, err == nil && n > 0
	}
	before, ok = number(fields[1])
	after, is := number(fields[2])
	return before, after, ok && is
}

func (b *blame) at(lines []*line, n int) *line {
	if n < 1 || n > len(lines) {
		return nil
	}
	return lines[n-1]
}

// follow returns the line that is new in the replay, where git has l for new; nil where
// that cannot be said.
func (b *blame) follow(l *line) *line {
	for range len(b.after) + 1 {
		if l == nil {
			return nil
		}
		old, is := b.atMarked[l]
		if !is {
			return l
		}
		l = b.at(b.after, b.toNew[old])
	}
	return nil
}

// followBack returns who removed the line that is gone in the replay, where git has l for removed.
func (b *blame) followBack(l *line) *origin {
	for range len(b.before) + 1 {
		if l == nil {
			return nil
		}
		now, is := b.atNew[l]
		if !is {
			return l.gone
		}
		l = b.at(b.before, b.toOld[now])
	}
	return nil
}

// agree lays the brackets and empty lines of a block that could not be followed to the one who
// changed all the rest of it.
func (b *blame) agree(of block) {
	var all []*origin
	var open []func(*origin)
	note := func(at map[int]*origin, n int, l *line) {
		switch o := at[n]; {
		case o != nil && !slices.Contains(all, o):
			all = append(all, o)
		case o == nil && l != nil && !telling(l.text):
			open = append(open, func(o *origin) { at[n] = o })
		}
	}
	for _, n := range of.added {
		note(b.added, n, b.at(b.after, n))
	}
	for _, n := range of.removed {
		note(b.removed, n, b.at(b.before, n))
	}
	if len(all) != 1 || all[0].sure == was {
		return
	}
	for _, lay := range open {
		lay(all[0])
	}
}
