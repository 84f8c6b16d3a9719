package why

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beckon/backend/agent"
	"beckon/backend/git/diff"
	"beckon/backend/linediff"
)

// user is who changes files in a model beside the calls.
const user = -1

// model is a file whose every change is known.
type model struct {
	*rand.Rand
	lines []string
	// wrote and removed have by a line's text who did so.
	wrote, removed map[string]map[int]bool

	story    story
	log      runLog
	calls    int
	turn     int
	original bool // calls say what the file was before
	mixed    bool
	named    int
	past     [][]string // what the file was when turns ended
}

func newModel(seed uint64) *model {
	m := &model{
		Rand:  rand.New(rand.NewPCG(seed, 7)),
		wrote: map[string]map[int]bool{}, removed: map[string]map[int]bool{},
		story: story{turns: map[turnAt]recorded{}},
	}
	m.original = m.IntN(5) > 0
	m.lines = m.fresh(5 + m.IntN(60))
	return m
}

func (m *model) text() string { return strings.Join(m.lines, "\n") + "\n" }

// fresh makes lines, most of which there is once.
func (m *model) fresh(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		switch m.IntN(8) {
		case 0:
			lines[i] = "}"
		case 1:
			lines[i] = ""
		default:
			m.named++
			lines[i] = fmt.Sprintf("\tline %d", m.named)
		}
	}
	return lines
}

// change replaces some lines, and notes who did.
func (m *model) change(who int) (before, after string) {
	at := m.IntN(len(m.lines) + 1)
	n := min(m.IntN(6), len(m.lines)-at)
	lines := m.fresh(m.IntN(7))
	if n == 0 && len(lines) == 0 {
		lines = m.fresh(2)
	}
	if n > 0 && m.IntN(4) == 0 { // it keeps some
		lines = append(lines, m.lines[at+n-1])
	}
	return m.put(who, at, n, lines)
}

// put replaces the n lines at a place.
func (m *model) put(who, at, n int, lines []string) (before, after string) {
	old := slices.Clone(m.lines[at : at+n])
	now := slices.Concat(m.lines[:at], lines, m.lines[at+n:])
	if len(now) == 0 {
		now = m.fresh(1)
		lines = now
	}
	for _, text := range lines {
		note(m.wrote, text, who)
	}
	for _, text := range old {
		note(m.removed, text, who)
	}
	m.lines = now
	// Some lines around it are in the call, too.
	from, to := max(0, at-m.IntN(3)), min(len(m.lines), at+len(lines)+m.IntN(3))
	head := m.lines[from:at]
	tail := m.lines[at+len(lines) : to]
	join := func(middle []string) string {
		all := slices.Concat(head, middle, tail)
		if len(all) == 0 {
			return ""
		}
		return strings.Join(all, "\n") + "\n"
	}
	return join(old), join(lines)
}

func note(in map[string]map[int]bool, text string, who int) {
	if in[text] == nil {
		in[text] = map[int]bool{}
	}
	in[text][who] = true
}

// begin adds a call, end its result.
func (m *model) begin(c call) int {
	at := len(m.log.calls)
	c.ID, c.Ends = fmt.Sprint("c", m.calls+at), true
	m.log.calls = append(m.log.calls, c)
	m.log.events = append(m.log.events, event{kind: called, call: at})
	return at
}

func (m *model) end(at int) {
	m.log.events = append(m.log.events, event{kind: returned, call: at})
}

// edit is a call that edits the file.
func (m *model) edit() {
	at := m.begin(call{FileCall: agent.FileCall{Effect: agent.EditsFile}, ofFile: true})
	c := &m.log.calls[at]
	was := m.text()
	switch m.IntN(10) {
	case 0: // it fails
		c.Undone, c.Changes = true, []agent.FileChange{{Before: "no such line", After: "nothing"}}
	case 1: // it does not say what it does
		m.change(m.calls + at)
	case 2: // the whole file
		m.change(m.calls + at)
		m.change(m.calls + at)
		c.Changes = []agent.FileChange{{After: m.text(), Whole: true}}
	default:
		before, after := m.change(m.calls + at)
		if first, _, _ := strings.Cut(before, "\n"); !telling(first) || strings.Count(was, before) != 1 {
			c.Changes = []agent.FileChange{{After: m.text(), Whole: true}}
			break
		}
		c.Changes = []agent.FileChange{{Before: before, After: after}}
	}
	if m.original {
		c.Original = &was
	}
	m.end(at)
}

// shell is a command, which changes the file or does not.
func (m *model) shell() {
	at := m.begin(call{FileCall: agent.FileCall{Effect: agent.MayChange, Stays: m.IntN(12) == 0}})
	for range m.IntN(3) {
		m.change(m.calls + at)
	}
	m.end(at)
}

// plays a turn.
func (m *model) plays(run, nth int) {
	if m.IntN(6) == 0 {
		m.change(user)
	}
	if len(m.past) > 0 && m.IntN(8) == 0 {
		m.rewind()
	}
	turn := recorded{before: m.version(), mixed: m.IntN(10) == 0}
	if turn.mixed { // it was noted before somebody changed the file
		m.change(user)
	}
	shells := m.IntN(3) == 0
	for range 1 + m.IntN(5) {
		if shells && m.IntN(3) == 0 {
			m.shell()
		} else {
			m.edit()
		}
	}
	turn.after = m.version()
	m.past = append(m.past, slices.Clone(m.lines))
	m.log.events = append(m.log.events, event{kind: turnEnded})
	if m.IntN(10) > 0 { // else it was not recorded
		m.story.turns[turnAt{run, nth}] = turn
	}
}

// rewind has the file be what it was at the end of an earlier turn. The user removes the lines
// that go; those that come back are the user's too, and may still be said to be of their calls.
func (m *model) rewind() {
	back := m.past[m.IntN(len(m.past))]
	for _, text := range m.lines {
		if !slices.Contains(back, text) {
			note(m.removed, text, user)
		}
	}
	for _, text := range back {
		if !slices.Contains(m.lines, text) {
			note(m.wrote, text, user)
		}
	}
	m.lines = slices.Clone(back)
}

func (m *model) version() diff.Version { return diff.Version{Known: true, Text: m.text()} }

// right reports whether the origin of a line is among those that wrote it.
func (m *model) right(o *origin, who map[int]bool) bool {
	switch o.sure {
	case exact:
		return len(o.calls) == 1 && who[o.calls[0]]
	case within:
		return o.others && who[user] || slices.ContainsFunc(o.calls, func(c int) bool { return who[c] })
	case outside:
		return who[user]
	case unknown:
		return true
	default:
		return false
	}
}

// byEdits reports whether only calls that edit the file changed a line.
func (m *model) byEdits(who map[int]bool) bool {
	for c := range who {
		if c == user || m.story.calls[c].Effect != agent.EditsFile || len(m.story.calls[c].Changes) == 0 {
			return false
		}
	}
	return len(who) > 0
}

// TestNoLineIsLaidToACallThatDidNotWriteIt plays runs in which every change is known: edits that
// succeed, fail or do not say what they do, commands, some of which go on beside what follows,
// other people, and turns that were not recorded or at the wrong moment. Which of two brackets is
// the older one nobody can say, so only lines with a word count.
func TestNoLineIsLaidToACallThatDidNotWriteIt(t *testing.T) {
	t.Parallel()
	const runs, byGit = 300, 12
	made, attributed := 0, 0
	for seed := range uint64(runs) {
		m := newModel(seed)
		base := m.text()
		for run := range 1 + m.IntN(2) {
			for nth := range 1 + m.IntN(4) {
				m.plays(run, nth+1)
			}
			m.story.add(run, m.log)
			m.calls, m.log = len(m.story.calls), runLog{}
		}
		if m.IntN(8) == 0 {
			m.change(user)
		}
		now := m.text()
		m.story.steps = append(m.story.steps, step{kind: checks, content: now})
		patch := plainPatch(base, now)
		if seed < byGit {
			patch = gitPatch(t, base, now)
		}
		b := blameOf(run(t.Context(), base, base, m.story.steps), base, now, patch)
		before, after := linediff.Lines(base), linediff.Lines(now)
		for _, block := range b.blocks {
			ofEdits, known := true, true
			look := func(sign string, n int, text string, o *origin, who map[int]bool) {
				ofEdits = ofEdits && m.byEdits(who)
				known = known && (!telling(text) || o != nil && o.sure == exact)
				if o != nil && telling(text) && !m.right(o, who) {
					t.Errorf("seed %d: line %s%d %q is said to be of %+v, and is of %v\n%s", seed, sign, n, text, *o, who, patch)
				}
			}
			for _, n := range block.added {
				look("+", n, after[n-1], b.added[n], m.wrote[after[n-1]])
			}
			for _, n := range block.removed {
				look("-", n, before[n-1], b.removed[n], m.removed[before[n-1]])
			}
			if ofEdits {
				made++
				if known {
					attributed++
				}
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d of %d hunks that edits made are attributed", attributed, made)
	if made < 500 || attributed*100 < made*95 {
		t.Errorf("%d of %d hunks that edits made are attributed", attributed, made)
	}
}

func plainPatch(before, after string) string {
	d := linediff.New(1 << 20)
	d.Change(before, after)
	return d.String()
}

func gitPatch(t *testing.T, before, after string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"a": before, "b": after} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "git", "diff", "--no-index", "--no-color", "a", "b")
	cmd.Dir = dir
	out, _ := cmd.Output() // it fails where they differ
	_, hunks, _ := strings.Cut(string(out), "\n@@")
	return "@@" + hunks
}
