package why

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/diff"
	"beckon/backend/review/since"
	"beckon/backend/store/decisions"
	"beckon/backend/store/parts"
	"beckon/backend/store/reviewed"
)

// State is why nothing can be known of lines, or that it can.
type State string

// The states.
const (
	Known    State = "known"
	TooLarge State = "tooLarge" // the file has more than a megabyte
	NoText   State = "noText"
	NoTurn   State = "noTurn" // it is asked of a commit, or there is no work any more
	NoChange State = "noChange"
)

// States lists every state.
var States = []State{Known, TooLarge, NoText, NoTurn, NoChange}

// Sure says how well it is known who changed lines.
type Sure string

// How well it may be known.
const (
	ByCall  Sure = "call"    // exactly this call
	Within  Sure = "within"  // within this one call, which may have changed any file
	OneOf   Sure = "oneOf"   // one of these calls
	Outside Sure = "outside" // none of the agent's calls
	Older   Sure = "older"   // it was there before the task's first turn
	Unknown Sure = "unknown" // what happened was not recorded, or that cannot be said of these lines
)

// Sures lists them.
var Sures = []Sure{ByCall, Within, OneOf, Outside, Older, Unknown}

// Answer is why lines are there: who changed most of them first.
type Answer struct {
	State   State    `json:"state"`
	Reasons []Reason `json:"reasons"`
}

// Reason is who changed some of the lines.
type Reason struct {
	Sure Sure `json:"sure"`
	// Others says that somebody outside the agent may have done it, too.
	Others bool `json:"others"`
	// Earlier says that it is of lines in whose place those came that were asked about.
	Earlier bool `json:"earlier"`
	Added   int  `json:"added"` // lines
	Removed int  `json:"removed"`
	First   int  `json:"first"` // the first and the last line that was added; 0 for none
	Last    int  `json:"last"`
	// Calls are the first calls that it may have been, More how many there are besides.
	Calls []Call `json:"calls"`
	More  int    `json:"more"`
}

// Call is a tool call, and what led to it.
type Call struct {
	ID     string      `json:"id"`
	RunID  string      `json:"runId"`
	Pos    int64       `json:"pos"` // of its line, within the run
	At     int64       `json:"at"`
	Verb   beckon.Verb `json:"verb"`
	Does   string      `json:"does"`   // the file or the command, on one line
	Number int         `json:"number"` // counts the task's calls that edit files; 0 for another
	Turn   int         `json:"turn"`   // counts within the task; 0 where it was not recorded
	Agent  string      `json:"agent"`  // its kind
	// Opening is how the message begins that began the turn.
	Opening string `json:"opening"`
	// Said is what the agent said last before, in the same turn; empty for nothing.
	Said    string `json:"said"`
	SaidPos int64  `json:"saidPos"`
	// Question was the last one of the run to be decided before; nil for none.
	Question *beckon.Question `json:"question,omitempty"`
}

// What an answer is held to.
const (
	mostText    = 1 << 20 // bytes of a file
	mostTurns   = 1000    // with which a file is compared, the newest and the first
	mostReasons = 12
	mostNamed   = 5 // calls of a reason
)

// Finder answers why lines are there. Its methods may be called from any goroutine.
type Finder struct {
	Since *since.Since
	Rows  decisions.Rows
	Runs  func(ctx context.Context, taskID string) ([]beckon.Run, error)
	Parts func(ctx context.Context, taskID string) ([]parts.Row, error)
	Logs  string // the folder of the logs

	mu      sync.Mutex
	answers map[string]*answering // by the task or its part; one that is under way
}

// answering is an answer that is under way.
type answering struct {
	cancel context.CancelFunc
	done   chan struct{}
}

// alone cancels the answer about a task that is under way, and waits for its end. The caller calls done
// at its own.
func (f *Finder) alone(ctx context.Context, taskID string) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancel(ctx)
	one := &answering{cancel, make(chan struct{})}
	f.mu.Lock()
	if f.answers == nil {
		f.answers = map[string]*answering{}
	}
	before := f.answers[taskID]
	f.answers[taskID] = one
	f.mu.Unlock()
	if before != nil {
		before.cancel()
		<-before.done
	}
	return ctx, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if cancel(); f.answers[taskID] == one {
			delete(f.answers, taskID)
		}
		close(one.done)
	}
}

// found is what was read of a task for one answer.
type found struct {
	*Finder
	history since.History
	path    string
	card    string // the task, of which the work may be a part
	runs    []beckon.Run
	ends    map[string]int64 // of the logs, before the work was read
	story   story
	logs    []runLog
	opening func(runID string, nth int) string
	asked   map[string][]beckon.Question // by run
}

// Why returns why lines of a task's changes are there. A later call about the task ends an earlier one,
// which is beckon.ErrConflict.
func (f *Finder) Why(ctx context.Context, taskID string, lines reviewing.ChangedLines) (Answer, error) {
	paths := []string{lines.Path}
	if lines.OldPath != "" {
		paths = append(paths, lines.OldPath)
	}
	if slices.ContainsFunc(paths, func(p string) bool { return !fs.ValidPath(p) }) {
		return Answer{}, beckon.Invalid("%.40q is no path of a file", paths)
	}
	alone, done := f.alone(ctx, taskID)
	defer done()
	a, err := f.answer(alone, taskID, lines, paths)
	if alone.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("the lines were asked about again meanwhile, and the later answer is shown: %w", beckon.ErrConflict)
	}
	return a, err
}

// answer is Why of paths that may be read.
func (f *Finder) answer(ctx context.Context, taskID string, lines reviewing.ChangedLines, paths []string) (Answer, error) {
	one := &found{Finder: f, path: lines.Path, card: reviewing.CardOf(taskID), asked: map[string][]beckon.Question{}}
	b, state, err := one.blame(ctx, taskID, lines.View, paths)
	if err != nil || state != Known {
		return Answer{State: state, Reasons: []Reason{}}, err
	}
	return Answer{State: Known, Reasons: one.reasons(ctx, b, lines)}, ctx.Err()
}

// blame says who changed the lines of a file, if that can be known.
func (f *found) blame(ctx context.Context, taskID string, view reviewing.View, paths []string) (*blame, State, error) {
	if err := f.measure(ctx); err != nil {
		return nil, Known, err
	}
	history, ok, err := f.Since.History(ctx, taskID, view.Since)
	if err != nil || !ok {
		return nil, NoTurn, err
	}
	f.history = history
	return f.blameIn(ctx, view, paths)
}

// blameIn is blame of a history that was read.
func (f *found) blameIn(ctx context.Context, view reviewing.View, paths []string) (*blame, State, error) {
	history := f.history
	changed, ok, err := history.File(ctx, view.IgnoreSpace, paths...)
	if err != nil || !ok {
		return nil, NoChange, err
	}
	trees := []string{history.Trees.From, history.Trees.To}
	for i, t := range history.Turns {
		if i > 0 && i < len(history.Turns)-mostTurns {
			continue
		}
		for _, tree := range []string{t.Before, t.After} {
			if tree != "" && !slices.Contains(trees, tree) {
				trees = append(trees, tree)
			}
		}
	}
	versions, err := history.Versions(ctx, trees, paths, mostText)
	if errors.Is(err, diff.ErrTooMuch) {
		return nil, TooLarge, nil
	}
	if err != nil {
		return nil, Known, err
	}
	switch from, to := versions[0], versions[1]; {
	case changed.Binary:
		return nil, NoText, nil
	case from.Unread || to.Unread || changed.Cut:
		return nil, TooLarge, nil
	case !from.Known || !to.Known:
		return nil, NoTurn, nil
	}
	byTree := map[string]diff.Version{}
	for i, tree := range trees {
		byTree[tree] = versions[i]
	}
	if err := f.read(ctx, paths, byTree); err != nil {
		return nil, Known, err
	}
	base := f.start(byTree, view.Since)
	b := blameOf(run(ctx, base, versions[0].Text, f.story.steps), versions[0].Text, versions[1].Text, changed.Patch)
	return b, Known, ctx.Err()
}

// start returns what the file was before the first turn. Where that is not known, and the changes are
// not all of the work, nothing is known of its lines.
func (f *found) start(versions map[string]diff.Version, since string) string {
	if turns := f.history.Turns; len(turns) > 0 {
		if v := versions[turns[0].Before]; v.Known && !v.Unread {
			return v.Text
		}
	}
	if since != "" {
		f.story.steps = slices.Insert(f.story.steps, 0, step{kind: misses})
		return ""
	}
	return versions[f.history.Trees.From].Text
}

// measure notes how far the logs go. What they say beyond that may be of later than the work that is
// read next.
func (f *found) measure(ctx context.Context) (err error) {
	if f.runs, err = f.Runs(ctx, f.card); err == nil {
		f.ends, err = logEnds(f.Logs, f.runs)
	}
	return err
}

// lineSettles is how long an agent's line takes at most from its writing to the log.
const lineSettles = 250 * time.Millisecond

// read reads the logs of a task's runs, and tells what happened to the file.
func (f *found) read(ctx context.Context, paths []string, versions map[string]diff.Version) (err error) {
	if _, live := f.Since.Live(f.card); live {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lineSettles):
		}
	}
	n, err := f.names(ctx, paths)
	if err != nil {
		return err
	}
	if f.opening, err = f.Since.Openings(ctx, f.card); err != nil {
		return err
	}
	places := map[string]int{}
	for i, r := range f.runs {
		places[r.ID] = i
	}
	f.story.turns = turnsOf(f.history.Turns, places, versions, versions[f.history.Trees.To])
	if turns := f.history.Turns; !f.history.Now && len(turns) > 0 {
		last := turns[len(turns)-1]
		if run, ok := places[last.RunID]; ok {
			f.story.through = &turnAt{run, last.Nth}
		}
	}
	if err := f.readLogs(ctx, n); err != nil {
		return err
	}
	later, err := f.Runs(ctx, f.card)
	if err != nil {
		return err
	}
	late := len(later) != len(f.runs)
	for i, l := range f.logs {
		f.story.add(i, l)
		late = late || l.late
	}
	if f.history.Now {
		if late {
			f.story.steps = append(f.story.steps, step{kind: misses})
		}
		f.story.steps = append(f.story.steps, step{kind: checks, content: versions[f.history.Trees.To].Text})
	}
	return nil
}

// readLogs reads the logs, the newest first as long as they are not too many.
func (f *found) readLogs(ctx context.Context, n names) error {
	turns, err := f.Since.Kept.Of(ctx, f.card)
	if err != nil {
		return err
	}
	f.logs = make([]runLog, len(f.runs))
	left := int64(mostLogs)
	for i, r := range slices.Backward(f.runs) {
		if f.logs[i], err = readLog(ctx, f.Logs, i, r, f.ends[r.ID], n, &left); err != nil {
			return fmt.Errorf("read what run %d of the task did: %w", r.Number, err)
		}
		worked := r.Turns > 0 || slices.ContainsFunc(turns, func(t reviewed.Turn) bool { return t.RunID == r.ID })
		f.logs[i].lost = f.logs[i].lost && worked
	}
	return nil
}

// names returns how agents may name the file, by the worktrees that the card has.
func (f *found) names(ctx context.Context, paths []string) (names, error) {
	n := names{own: f.history.Task.Worktree, part: f.history.Task.ID != f.card, paths: paths}
	rows, err := f.Parts(ctx, f.card)
	if err != nil {
		return n, err
	}
	if n.part {
		card, err := f.Since.Task(ctx, f.card)
		if err != nil {
			return n, err
		}
		n.folder = card.Worktree
		n.others = append(n.others, card.Worktree)
	}
	for _, r := range rows {
		if r.Worktree != "" && r.ID != f.history.Task.ID {
			n.others = append(n.others, r.Worktree)
		}
	}
	return n, nil
}

// question returns the last question whose answer the agent had before a call.
func (f *found) question(ctx context.Context, c call) *beckon.Question {
	run := f.runs[c.run].ID
	rows, known := f.asked[run]
	if !known {
		var err error
		if rows, err = f.Rows.OfRun(ctx, run); err != nil {
			slog.Warn("read what was decided in a run", "err", err, "run", run)
		}
		f.asked[run] = rows
	}
	for _, q := range rows { // the newest first
		heard, said := f.heard(c.run, q.ToolUseID)
		if said && heard < c.pos || !said && q.Settled > 0 && q.Settled <= c.at-logSecond {
			return &q
		}
	}
	return nil
}

// logSecond is how exact the times of a log are, in milliseconds.
const logSecond = 1000

// heard returns where the result of a call is in the log of a run; ok is false of a call that
// the log has not.
func (f *found) heard(run int, id string) (pos int64, ok bool) {
	l := f.logs[run]
	for _, e := range l.events {
		if id != "" && (e.kind == called || e.kind == returned) && l.calls[e.call].ID == id {
			if e.kind == returned {
				return e.pos, true
			}
			pos, ok = 1<<62, true
		}
	}
	return pos, ok
}
