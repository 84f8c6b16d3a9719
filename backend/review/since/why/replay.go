package why

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"beckon/backend/agent"
	"beckon/backend/linediff"
)

// This file replays what happened to a file, and notes for each line who wrote it and who
// removed it. It is pure. What an edit says is applied to what the file was; wherever the
// file is known, what the edits do not explain is laid to what else may have changed it
// since it was known last, and to nothing in particular where that is more than one.

// certainty says how well it is known who changed a line.
type certainty string

// The certainties.
const (
	was     certainty = "before"  // it is older than all that is known
	exact   certainty = "exact"   // the one call says that it wrote or removed the line
	within  certainty = "within"  // it is one of the calls
	outside certainty = "outside" // none of the agent's calls did it
	unknown certainty = "unknown" // what happened was not recorded
)

// origin is who changed lines. Equal ones have one address.
type origin struct {
	sure  certainty
	calls []int // of exact one, of within at least one
	// others says of within that somebody outside the agent may have done it, too.
	others bool
}

// line is one of the file's, for as long as it is there.
type line struct {
	text string
	by   *origin // who wrote it
	gone *origin // who removed it; nil while it is there
	// earlier is what it took the place of; nil for nothing.
	earlier *line
	known   int // how often the file was known when it was written
}

// step is something that happened, in the order in which it did.
type step struct {
	kind stepKind
	call int // which one, of a step of a call
	// changes are what a call makes in the file, original what the file was before it.
	changes  []agent.FileChange
	original *string
	// content is what the file was, of a check. Where it is not sure that the file was that
	// just then, the check tells something only if the file is expected to be that.
	content string
	unsure  bool
}

// stepKind is what happened.
type stepKind int

// The kinds of steps.
const (
	begins  stepKind = iota // a call that may change any file begins
	ends                    // and ends
	edits                   // a call changes the file
	touches                 // a call may have changed the file, and does not say how
	pauses                  // the agent waits, and others may change the file
	stops                   // nothing runs any more that the agent began
	misses                  // there was something of which nothing is known
	loses                   // so there was, and it may go on until all stops
	checks                  // the file is known
)

// replay is what is known of a file while its steps are gone through.
type replay struct {
	text    string
	lines   []*line
	marked  []*line // what the file was when it was last what the diff compares with
	origins map[string]*origin
	known   int
	// seen are the lines of texts that the file was known to be, of at most mostSeen lines in
	// all; agents has the lines that agents wrote and that went.
	seen      map[string][]*line
	seenLines int
	agents    map[string]bool

	// What may have changed the file since it was known last.
	running  map[int]bool
	possible map[int]bool
	others   bool
	missed   bool
	lost     bool             // something that is not known may run
	wrote    map[string][]int // by the line: the calls that say they wrote it
}

// run goes through the steps of a file that was base before. The diff of it compares with from.
// It stops early where ctx ends.
func run(ctx context.Context, base, from string, steps []step) *replay {
	from = normal(from)
	r := &replay{origins: map[string]*origin{}, running: map[int]bool{}, seen: map[string][]*line{}, agents: map[string]bool{}}
	r.text = normal(base)
	for _, text := range linediff.Lines(r.text) {
		r.lines = append(r.lines, &line{text: text, by: r.origin(origin{sure: was})})
	}
	r.settle()
	r.marked = slices.Clone(r.lines)
	for _, s := range steps {
		if ctx.Err() != nil {
			break
		}
		if r.step(s); r.text == from {
			r.marked = slices.Clone(r.lines)
		}
	}
	return r
}

// normal has texts of both kinds of line ends compare as one.
func normal(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

func (r *replay) step(s step) {
	switch s.kind {
	case begins:
		r.running[s.call], r.possible[s.call] = true, true
	case ends:
		delete(r.running, s.call)
	case touches:
		r.possible[s.call] = true
	case edits:
		r.edit(s)
	case pauses:
		r.others = true
	case stops:
		clear(r.running)
		r.lost = false
	case misses:
		r.missed = true
	case loses:
		r.missed, r.lost = true, true
	case checks:
		if content := normal(s.content); !s.unsure || content == r.text {
			r.reconcile(content)
			r.others = s.unsure // it was that at some moment around
		}
	}
}

// settle notes that the file is known to be what it is.
func (r *replay) settle() {
	r.known++
	r.possible, r.wrote = maps.Clone(r.running), map[string][]int{}
	r.others, r.missed = false, r.lost
	if r.seenLines += len(r.lines); r.seenLines <= mostSeen {
		r.seen[r.text] = slices.Clone(r.lines)
	}
}

// mostSeen is how many lines are kept of what the file was before.
const mostSeen = 4 << 20

// again has the file be what it was known to be before, where only others may have changed it: they
// went back. ok is false of another text.
func (r *replay) again(content string) (ok bool) {
	lines, ok := r.seen[content]
	if !ok || !r.others || r.missed || len(r.possible) > 0 {
		return false
	}
	by, back := r.origin(origin{sure: outside}), map[*line]bool{}
	var text strings.Builder
	for _, l := range lines {
		back[l] = true
		text.WriteString(l.text)
	}
	if text.String() != strings.Join(linediff.Lines(content), "") {
		return false // one was changed at its end
	}
	for _, l := range r.lines {
		if !back[l] {
			l.gone = by
		}
	}
	for _, l := range lines {
		l.gone = nil
	}
	r.text, r.lines = content, slices.Clone(lines)
	return true
}

// edit makes the changes that a call says it made; where they do not fit, the call is one of
// those that may have changed the file.
func (r *replay) edit(s step) {
	if s.original != nil {
		before := normal(*s.original)
		if _, fits := changed(before, s.changes); fits {
			r.reconcile(before)
		}
	}
	by := r.origin(origin{sure: exact, calls: []int{s.call}})
	if s.original == nil && slices.ContainsFunc(s.changes, func(c agent.FileChange) bool { return c.Whole }) &&
		(len(r.possible) > 0 || r.others || r.missed) {
		// It may have kept what others wrote.
		by = r.laid(slices.Sorted(maps.Keys(r.possible)), []int{s.call})
	}
	for _, c := range s.changes {
		for _, text := range linediff.Lines(normal(c.After)) {
			if key := strings.TrimSpace(text); key != "" && !slices.Contains(r.wrote[key], s.call) {
				r.wrote[key] = append(r.wrote[key], s.call)
			}
		}
	}
	text, fits := changed(r.text, s.changes)
	if !fits {
		r.possible[s.call] = true
		return
	}
	r.become(text, func(*line, string) *origin { return by }, by)
}

// changed returns a text after changes, and whether they fit it.
func changed(text string, changes []agent.FileChange) (string, bool) {
	for _, c := range changes {
		before, after := normal(c.Before), normal(c.After)
		switch n := strings.Count(text, before); {
		case c.Whole:
			text = after
		case before == "":
			if strings.TrimSpace(text) != "" {
				return "", false
			}
			text = after
		case n == 0 || n > 1 && !c.All:
			return "", false
		default:
			if c.WithLineFeed && strings.Contains(text, before+"\n") {
				before += "\n"
			}
			text = strings.ReplaceAll(text, before, after)
		}
	}
	return text, len(changes) > 0
}

// reconcile has the file be what it is known to be, and lays what differs to whatever may
// have changed it since it was known last.
func (r *replay) reconcile(content string) {
	if content != r.text && !r.again(content) {
		calls := slices.Sorted(maps.Keys(r.possible))
		rest := r.laid(calls, nil)
		texts := map[string]*origin{} // of lines that a call says it wrote, or that were moved
		r.become(content, func(moved *line, text string) *origin {
			if o := texts[text]; o != nil {
				return o
			}
			also := r.wrote[strings.TrimSpace(text)]
			if moved != nil && moved.by.sure == exact {
				also = append(slices.Clone(also), moved.by.calls...)
			}
			if texts[text] = rest; len(also) > 0 {
				texts[text] = r.laid(calls, also)
			}
			if texts[text].sure == outside && r.agents[text] && telling(text) {
				texts[text] = r.origin(origin{sure: unknown}) // somebody went back in part
			}
			return texts[text]
		}, rest)
	}
	r.settle()
}

// laid returns the origin of what one of the calls did, or also one of others that say so.
func (r *replay) laid(calls, also []int) *origin {
	o := origin{sure: within, others: r.others, calls: calls}
	for _, call := range also {
		if !slices.Contains(o.calls, call) {
			o.calls = append(slices.Clone(o.calls), call)
			o.others = o.others || len(calls) == 0 // what it says that it did does not explain it
		}
	}
	o.calls = slices.Sorted(slices.Values(o.calls))
	switch {
	case r.missed:
		o = origin{sure: unknown}
	case len(o.calls) == 0:
		o = origin{sure: outside}
	}
	return r.origin(o)
}

// origin returns the one address of equal origins.
func (r *replay) origin(o origin) *origin {
	key := fmt.Sprint(o.sure, o.calls, o.others)
	if r.origins[key] == nil {
		r.origins[key] = &o
	}
	return r.origins[key]
}

// become has the file be a text. written says who wrote a line, of which another may have
// been removed that says the same; removed is who removed lines.
func (r *replay) become(text string, written func(moved *line, text string) *origin, removed *origin) {
	old := make([]string, len(r.lines))
	for i, l := range r.lines {
		old[i] = l.text
	}
	texts := linediff.Lines(text)
	pairs := align(old, texts)
	stays := make([]bool, len(r.lines))
	for _, i := range pairs {
		if i >= 0 {
			stays[i] = true
		}
	}
	left := map[string]*line{}
	for i, l := range r.lines {
		if !stays[i] && (left[l.text] == nil || l.by.sure == exact) {
			left[l.text] = l
		}
	}
	lines := make([]*line, len(texts))
	next := 0 // the first line of before that is not passed
	for j := 0; j < len(texts); {
		if i := pairs[j]; i >= 0 {
			lines[j] = r.lines[i]
			next, j = i+1, j+1
			continue
		}
		end := j
		for end < len(texts) && pairs[end] < 0 {
			end++
		}
		until := len(r.lines)
		if end < len(texts) {
			until = pairs[end]
		}
		r.replace(lines[j:end], texts[j:end], r.lines[next:until], func(text string) *origin { return written(left[text], text) }, removed)
		next, j = until, end
	}
	kept := map[*line]bool{}
	for _, l := range lines {
		kept[l] = true
	}
	for _, l := range r.lines {
		if !kept[l] {
			l.gone = removed
			r.agents[l.text] = r.agents[l.text] || len(l.by.calls) > 0
		}
	}
	r.text, r.lines = text, lines
}

// replace fills in the lines that take the place of others. A line that a call wrote since
// the file was known last is still that one if only the space at its end is another: agents
// drop that.
func (r *replay) replace(lines []*line, texts []string, before []*line, written func(string) *origin, removed *origin) {
	used := 0
	for j, text := range texts {
		for i := used; i < len(before) && removed.sure != exact; i++ {
			if b := before[i]; b.by.sure == exact && b.known == r.known && strings.TrimRight(b.text, " \t") == strings.TrimRight(text, " \t") {
				b.text, lines[j], used = text, b, i+1
				break
			}
		}
		if lines[j] != nil {
			continue
		}
		l := &line{text: text, by: written(text), known: r.known}
		if len(before) > 0 {
			l.earlier = before[min(j, len(before)-1)]
		}
		lines[j] = l
	}
}
