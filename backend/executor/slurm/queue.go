package slurm

import (
	"context"
	"slices"
	"strings"
	"time"

	"beckon/backend/executor/worker"
)

// lookEvery is the least time between two looks at the queue, whatever waits for it.
const lookEvery = 2 * time.Second

// job is a job as squeue has it.
type job struct {
	id, state, reason, name string
}

// The states of a job that has not begun, and of one that goes. What is no state of the
// three is over.
var (
	pending = []string{"PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "RESV_DEL_HOLD", "SPECIAL_EXIT"}
	running = []string{"RUNNING", "SUSPENDED", "STOPPED", "RESIZING", "SIGNALING"}
	leaving = []string{"COMPLETING", "STAGE_OUT"}
)

func (j job) pending() bool { return slices.Contains(pending, j.state) }
func (j job) running() bool { return slices.Contains(running, j.state) }

// over reports whether nothing of it is left.
func (j job) over() bool { return !j.pending() && !j.running() && !slices.Contains(leaving, j.state) }

// queue is the user's jobs, as they were seen last. One look serves all that wait.
type queue struct {
	ask  func(context.Context) (map[string]job, error)
	turn chan struct{} // held while somebody looks; guards what follows

	began, ended time.Time // of the last look
	jobs         map[string]job
	err          error
}

// fresh returns the jobs as they are by now.
func (q *queue) fresh(ctx context.Context) (map[string]job, error) { return q.seen(ctx, time.Now()) }

// seen returns the jobs by their ids, as a look found them that began no earlier than
// since. It may have to wait for the next.
func (q *queue) seen(ctx context.Context, since time.Time) (map[string]job, error) {
	select {
	case q.turn <- struct{}{}:
		defer func() { <-q.turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if !q.began.Before(since) {
		return q.jobs, q.err
	}
	select {
	case <-time.After(time.Until(q.ended.Add(lookEvery))):
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	began := time.Now()
	jobs, err := q.ask(ctx)
	if ctx.Err() != nil { // others look for themselves
		return nil, context.Cause(ctx)
	}
	q.began, q.ended, q.jobs, q.err = began, time.Now(), jobs, err
	return jobs, err
}

// listed asks squeue for the user's jobs, with those that ended lately.
func (b *batch) listed(ctx context.Context) (map[string]job, error) {
	said, err := b.front.run(ctx, "", "squeue", "--noheader", "--me", "--states=all", "--format=%i|%T|%r|%j")
	if err != nil || said.code != 0 {
		return nil, b.explain(said, err)
	}
	jobs := map[string]job{}
	for line := range strings.Lines(said.out) {
		if words := strings.SplitN(strings.TrimSpace(line), "|", 4); len(words) == 4 {
			jobs[words[0]] = job{words[0], words[1], worker.Shown(words[2]), words[3]}
		}
	}
	return jobs, nil
}

// forgotten returns the state of a job that squeue does not list any more, where
// accounting has it; else it is over, and nobody knows how.
func (b *batch) forgotten(ctx context.Context, id string) job {
	said, err := b.front.run(ctx, "", "sacct", "--noheader", "--allocations", "--parsable2", "--jobs="+id, "--format=State")
	state, _, _ := strings.Cut(strings.TrimSpace(said.out), " ") // "CANCELLED by 1000"
	if err != nil || said.code != 0 || state == "" || len(strings.Fields(said.out)) > 3 {
		state = gone
	}
	return job{id: id, state: state}
}

// gone stands for the state of a job that nobody knows.
const gone = "GONE"
