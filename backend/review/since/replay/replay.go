// Package replay shows what a task's runs did when, and what its files were at each moment: those
// that were recorded when turns began and ended and when questions were asked. It reads logs and
// trees, and changes no worktree. What was not recorded it says, and guesses nothing.
package replay

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/review/since"
	"beckon/backend/store/checkpoints"
	"beckon/backend/transcript"
	"beckon/backend/transcript/timeline"
)

// Timeline is the time of a task. Times are Unix milliseconds.
type Timeline struct {
	Runs    []Run              `json:"runs"`    // the oldest first
	Moments []Moment           `json:"moments"` // at which the files were recorded, the oldest first
	Commits []reviewing.Commit `json:"commits"` // the newest first
}

// Run is the time of one run.
type Run struct {
	RunID  string           `json:"runId"`
	Number int              `json:"number"`
	From   int64            `json:"from"`
	To     int64            `json:"to"` // 0 while it lives
	Turns  []timeline.Turn  `json:"turns"`
	Calls  []timeline.Call  `json:"calls"`
	Beside []timeline.Spell `json:"beside"` // sub-agents at work
	More   int              `json:"more"`   // calls that are in none of Calls
}

// Kind says when the files were recorded.
type Kind string

// The kinds of moments.
const (
	TurnBegan Kind = "turnBegan"
	TurnEnded Kind = "turnEnded"
	Asked     Kind = "asked"
)

// Kinds lists every kind.
var Kinds = []Kind{TurnBegan, TurnEnded, Asked}

// Moment is one at which the files were recorded.
type Moment struct {
	At         int64  `json:"at"`
	Kind       Kind   `json:"kind"`
	RunID      string `json:"runId"`
	Turn       int    `json:"turn"`       // counts within the task, from 1; 0 of a question
	QuestionID string `json:"questionId"` // of a question
	tree       string
}

// Replayer replays. Its methods may be called from any goroutine.
type Replayer struct {
	Since       *since.Since
	Checkpoints checkpoints.Rows
	Runs        func(ctx context.Context, taskID string) ([]beckon.Run, error)
	Logs        string // the transcripts' folder

	reading sync.Mutex // held while logs are read
	read    map[string]*readRun
	order   []string // of read, the oldest first
	trees   compared
}

// mostRead is how many runs' times are kept.
const mostRead = 64

// readRun is what was read of a run's log, and the line with which it goes on.
type readRun struct {
	time *timeline.Reader
	next int64
}

// Timeline returns the time of a task, of live runs as far as they are.
func (r *Replayer) Timeline(ctx context.Context, taskID string) (t Timeline, err error) {
	runs, err := r.Runs(ctx, taskID)
	if err != nil {
		return t, err
	}
	t.Runs = make([]Run, 0, len(runs))
	for _, run := range runs {
		time, err := r.timeOf(ctx, run)
		if err != nil {
			return t, err
		}
		t.Runs = append(t.Runs, Run{run.ID, run.Number, run.Started, run.Ended, time.Turns, time.Calls, time.Beside, time.More})
	}
	if t.Moments, err = r.moments(ctx, taskID); err != nil {
		return t, err
	}
	ranges, err := r.Since.Ranges(ctx, taskID)
	t.Commits = beckon.NonNil(ranges.Commits)
	if errors.Is(err, beckon.ErrConflict) { // the worktree is not fit to be read: the rest is known
		err = nil
	}
	return t, err
}

// timeOf returns the time of a run. What was read of its log before is not read again.
func (r *Replayer) timeOf(ctx context.Context, run beckon.Run) (timeline.Run, error) {
	r.reading.Lock()
	defer r.reading.Unlock()
	known := r.read[run.ID]
	if known == nil {
		known = &readRun{time: timeline.NewReader(run.Started)}
	}
	log, err := transcript.OpenRead(r.Logs, run.ID)
	if errors.Is(err, fs.ErrNotExist) {
		return known.time.Run(), nil
	}
	if err != nil {
		return timeline.Run{}, err
	}
	defer log.Close()
	for end := log.View().Len(); known.next < end; {
		span, err := transcript.Around(log, known.next, 0, spanEntries)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return timeline.Run{}, err
		}
		for _, e := range span.Entries {
			known.time.Add(e)
		}
		if known.next = span.After; span.After < 0 {
			known.next = end
		}
	}
	r.keep(run.ID, known)
	return known.time.Run(), nil
}

// spanEntries is how many entries are held at once.
const spanEntries = 200

func (r *Replayer) keep(runID string, one *readRun) {
	if r.read == nil {
		r.read = map[string]*readRun{}
	}
	if r.read[runID] == nil {
		r.order = append(r.order, runID)
	}
	r.read[runID] = one
	for len(r.order) > mostRead {
		delete(r.read, r.order[0])
		r.order = r.order[1:]
	}
}

// moments returns those at which a task's files were recorded.
func (r *Replayer) moments(ctx context.Context, taskID string) ([]Moment, error) {
	recorded, err := r.Since.RecordedTrees(ctx, taskID)
	if err != nil {
		return nil, err
	}
	points, err := r.Checkpoints.OfTask(ctx, taskID)
	if err != nil {
		return nil, err
	}
	all := make([]Moment, 0, len(recorded)+len(points))
	for _, one := range recorded {
		kind := TurnBegan
		if one.Ends {
			kind = TurnEnded
		}
		all = append(all, Moment{At: one.At, Kind: kind, RunID: one.RunID, Turn: one.Turn, tree: one.Tree})
	}
	for _, c := range points {
		all = append(all, Moment{At: c.At, Kind: Asked, RunID: c.RunID, QuestionID: c.QuestionID, tree: c.Tree})
	}
	slices.SortStableFunc(all, func(a, b Moment) int { return cmp.Compare(a.At, b.At) })
	return all, nil
}
