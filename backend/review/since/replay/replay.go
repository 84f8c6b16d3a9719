// Package replay shows what a task's runs did when, and what its files were at each moment: those
// that were recorded when turns began and ended and when questions were asked. It reads logs and
// trees, and changes no worktree. What was not recorded it says, and guesses nothing.
package replay

import (
	"cmp"
	"context"
	"log/slog"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/review/since"
	"beckon/backend/store/checkpoints"
	"beckon/backend/transcript/timeline"
)

// Timeline is the time of a task. Times are Unix milliseconds.
type Timeline struct {
	Runs    []Run              `json:"runs"`    // the oldest first
	Moments []Moment           `json:"moments"` // at which the files were recorded, the oldest first; the newest ones of many
	Commits []reviewing.Commit `json:"commits"` // the newest first
	Lost    []Part             `json:"lost"`    // what could not be read, or not whole
}

// Part is one of a timeline.
type Part string

// The parts.
const (
	Sessions  Part = "sessions" // what the runs did
	Recorded  Part = "moments"
	Committed Part = "commits"
)

// Parts lists every part.
var Parts = []Part{Sessions, Recorded, Committed}

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
	Turn       int    `json:"turn"`       // which of the run's, from 1; 0 of a question
	QuestionID string `json:"questionId"` // of a question
	// Mixed says that it was recorded late: what others changed may be in it.
	Mixed bool `json:"mixed"`
	tree  string
}

// Replayer replays. Its methods may be called from any goroutine.
type Replayer struct {
	Since       *since.Since
	Checkpoints checkpoints.Rows
	Runs        func(ctx context.Context, taskID string) ([]beckon.Run, error)
	// Taken waits, for a while, for the checkpoints of a task's that are being taken.
	Taken func(ctx context.Context, taskID string)
	// Several reports whether a task works in several repositories.
	Several func(ctx context.Context, taskID string) (bool, error)
	Logs    string // the transcripts' folder

	logs  logs
	trees compared
}

// Bounds of what a page gets of one task.
const (
	mostCalls   = 6000
	mostMoments = 2000
)

// Timeline returns the time of a task, of live runs as far as they are. A part that cannot be read
// is in Lost, and the others are there.
func (r *Replayer) Timeline(ctx context.Context, taskID string) (t Timeline, err error) {
	runs, err := r.Runs(ctx, taskID)
	if err != nil {
		return t, err
	}
	t.Lost = []Part{}
	lost := func(part Part, err error) {
		if err != nil && !slices.Contains(t.Lost, part) {
			slog.Warn("read a part of a timeline", "err", err, "part", part, "task", taskID)
			t.Lost = append(t.Lost, part)
		}
	}
	known := r.logs.of(taskID)
	known.Lock()
	for _, run := range runs {
		time, err := known.timeOf(ctx, r.Logs, run)
		lost(Sessions, err)
		t.Runs = append(t.Runs, Run{run.ID, run.Number, run.Started, run.Ended, time.Turns, time.Calls, time.Beside, time.More})
	}
	known.Unlock()
	t.Runs = beckon.NonNil(t.Runs)
	thin(t.Runs, mostCalls)
	t.Moments, err = r.moments(ctx, taskID)
	lost(Recorded, err)
	t.Moments = beckon.NonNil(t.Moments[max(0, len(t.Moments)-mostMoments):])
	t.Commits, err = r.Since.Commits(ctx, taskID)
	lost(Committed, err)
	t.Commits = beckon.NonNil(t.Commits)
	return t, ctx.Err()
}

// thin leaves out calls until no more than most are left: of those that did not fail first.
func thin(runs []Run, most int) {
	for _, spare := range []bool{true, false} {
		count := 0
		for _, run := range runs {
			count += len(run.Calls)
		}
		every := (count + most - 1) / most
		for i := range runs {
			if every < 2 {
				return
			}
			nth, had := 0, len(runs[i].Calls)
			runs[i].Calls = slices.DeleteFunc(runs[i].Calls, func(c timeline.Call) bool {
				nth++
				return (nth-1)%every != 0 && (!spare || !c.Failed)
			})
			runs[i].More += had - len(runs[i].Calls)
		}
	}
}

// moments returns those at which a task's files were recorded.
func (r *Replayer) moments(ctx context.Context, taskID string) ([]Moment, error) {
	r.Taken(ctx, taskID)
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
		all = append(all, Moment{At: one.At, Kind: kind, RunID: one.RunID, Turn: one.Nth, Mixed: one.Mixed, tree: one.Tree})
	}
	for _, c := range points {
		all = append(all, Moment{At: c.At, Kind: Asked, RunID: c.RunID, QuestionID: c.QuestionID, tree: c.Tree})
	}
	slices.SortStableFunc(all, func(a, b Moment) int { return cmp.Compare(a.At, b.At) })
	return all, nil
}
