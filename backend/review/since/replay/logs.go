package replay

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/transcript"
	"beckon/backend/transcript/timeline"
)

// This file reads the logs of runs, each line once.

// logs keeps what was read of the logs of the tasks that were looked at last.
type logs struct {
	mu    sync.Mutex
	known []*taskLogs // the one that was looked at last at the end
}

// mostTasks is how many tasks' times are kept.
const mostTasks = 8

// taskLogs is what was read of one task's logs. It is locked while they are read.
type taskLogs struct {
	sync.Mutex
	taskID string
	runs   map[string]*readRun
}

// readRun is what was read of a run's log, and the line with which it goes on.
type readRun struct {
	time *timeline.Reader
	next int64
}

// of returns what is kept of a task.
func (l *logs) of(taskID string) *taskLogs {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := slices.IndexFunc(l.known, func(one *taskLogs) bool { return one.taskID == taskID })
	one := &taskLogs{taskID: taskID, runs: map[string]*readRun{}}
	if at >= 0 {
		one = l.known[at]
		l.known = slices.Delete(l.known, at, at+1)
	}
	l.known = append(l.known, one)
	if len(l.known) > mostTasks {
		l.known = slices.Delete(l.known, 0, 1)
	}
	return one
}

// spanEntries is how many entries are held at once.
const spanEntries = 200

// timeOf returns the time of a run, and where its log cannot be read, as far as it was.
func (k *taskLogs) timeOf(ctx context.Context, dir string, run beckon.Run) (timeline.Run, error) {
	known := k.runs[run.ID]
	if known == nil {
		known = &readRun{time: timeline.NewReader(run.Started)}
		k.runs[run.ID] = known
	}
	log, err := transcript.OpenRead(dir, run.ID)
	if errors.Is(err, fs.ErrNotExist) {
		return known.time.Run(), nil
	}
	if err != nil {
		return known.time.Run(), err
	}
	defer log.Close()
	for end := log.View().Len(); known.next < end; {
		span, err := transcript.Around(log, known.next, 0, spanEntries)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return known.time.Run(), err
		}
		for _, e := range span.Entries {
			known.time.Add(e)
		}
		if known.next = span.After; span.After < 0 {
			known.next = end
		}
	}
	return known.time.Run(), nil
}
