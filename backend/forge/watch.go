package forge

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
)

const (
	pace = time.Minute
	// slowest is how many times slower a server is asked that is not reached.
	slowest = 16
)

// Start begins to ask how the requests are that are open.
func (f *Forge) Start() {
	ctx, cancel := context.WithCancel(context.Background())
	f.end, f.done = cancel, make(chan struct{})
	go func() {
		defer close(f.done)
		f.watch(ctx)
	}()
}

// Close ends that.
func (f *Forge) Close() {
	f.end()
	if f.done != nil {
		<-f.done
	}
}

// watch asks about all open requests, one after the other, and waits. While there is
// none it waits until one is opened.
func (f *Forge) watch(ctx context.Context) {
	every := cmp.Or(f.Pace, pace)
	slower := time.Duration(1)
	for ctx.Err() == nil {
		open, reached := f.round(ctx)
		if slower = min(slower*2, slowest); reached || !open {
			slower = 1
		}
		var next <-chan time.Time
		if open {
			next = time.After(every * slower)
		}
		select {
		case <-ctx.Done():
		case <-next:
		case <-f.wake:
		}
	}
}

// round asks about each request that may have changed, and reports whether there is
// one, and whether its server was reached.
func (f *Forge) round(ctx context.Context) (open, reached bool) {
	rows, err := f.Rows.All(ctx)
	if err != nil {
		slog.Error("read the pull requests", "err", err)
		return true, false
	}
	for _, row := range rows {
		if t, err := f.Task(ctx, row.TaskID); err != nil || t.Status == beckon.Archived || row.Number == 0 || !row.State.Asked() {
			continue
		}
		open = true
		if _, err := f.ask(ctx, row); err == nil {
			reached = true
		} else if ctx.Err() == nil {
			slog.Warn("ask how a pull request is", "err", err, "task", row.TaskID)
		}
	}
	return open, reached
}

// Refresh asks at once how a task's request is.
func (f *Forge) Refresh(ctx context.Context, taskID string) (reviewing.PullRequest, error) {
	row, there, err := f.Rows.Of(ctx, taskID)
	if err != nil {
		return row, err
	}
	if !there || row.Number == 0 {
		return row, beckon.ErrNotFound
	}
	return f.ask(ctx, row)
}

// ask asks a server how a request is, and keeps what it says. One that is not reached
// leaves the request as it was, and stale. Two may ask at a time: what answers the one
// that began first is of no use once the other is answered.
func (f *Forge) ask(ctx context.Context, was reviewing.PullRequest) (reviewing.PullRequest, error) {
	f.mu.Lock()
	f.asked++
	mine := f.asked
	f.mu.Unlock()
	now, err := was, error(beckon.ErrUnavailable)
	if t := f.toolOf(was.Host); t != nil {
		now, err = t.view(ctx, was)
	}
	if ctx.Err() != nil {
		return was, ctx.Err()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	row, there, readErr := f.Rows.Of(ctx, was.TaskID)
	if readErr != nil || !there || row.Number != was.Number || row.Repo != was.Repo {
		return row, err // another was opened meanwhile
	}
	if mine < f.heard[was.TaskID] {
		return row, nil
	}
	f.heard[was.TaskID] = mine
	if err == nil {
		now.Commit, now.Seen = row.Commit, beckon.Now()
	} else {
		now, now.Stale = row, true
	}
	if putErr := f.putHeld(ctx, now); putErr != nil {
		return now, putErr
	}
	return now, err
}
