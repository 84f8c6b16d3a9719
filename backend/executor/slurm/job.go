package slurm

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"beckon/backend/beckon/executing"
	"beckon/backend/executor/calls"
	"beckon/backend/executor/shim"
	"beckon/backend/executor/worker"
)

const (
	// The pauses between two looks at a job that waits.
	firstPause, lastPause = lookEvery, 15 * time.Second
	// endIn is how long an agent may take to end by itself, and its job with it.
	endIn = 30 * time.Second
	// killIn is how long Slurm may take to end a job: it asks, and kills after KillWait,
	// half a minute by default.
	killIn = 3 * time.Minute
	// goneIn is how long a job that goes is asked for how it went.
	goneIn = time.Minute
	// A step must say something within firstIn, and the next one may take twice as long, up
	// to lastIn: srun waits for long where the controller was away for a moment.
	firstIn, lastIn = 15 * time.Second, 2 * time.Minute
)

// script is a job's, of how the helper is started there. Options may keep the home folder
// from its environment.
const script = "#!/bin/sh\nexport HOME=\"${HOME:-$(getent passwd \"$(id -u)\" | cut -d: -f6)}\"\n%s keep %s\n"

var jobID = regexp.MustCompile(`(?m)^(\d+)(;.*)?$`)

// Submit implements worker.Batch.
func (b *batch) Submit(ctx context.Context, name string, waits func(executing.Waits)) (shim.Dial, error) {
	words, err := b.words(name)
	if err != nil {
		return nil, err
	}
	start, err := b.front.Shell.Start(ctx)
	if err != nil {
		return nil, err
	}
	// It is not broken off: a job that was submitted, and whose number nobody heard, would
	// be in the queue until the next Beckon.
	said, err := b.front.run(context.WithoutCancel(ctx), fmt.Sprintf(script, start, name), words...)
	if err != nil || said.code != 0 {
		return nil, b.explain(said, err)
	}
	at := jobID.FindStringSubmatch(said.out)
	if at == nil {
		return nil, worker.Unreachable(fmt.Sprintf("sbatch on %s named no job: %s", b.front.Shell.Name, worker.Last(said.out)))
	}
	if err := b.await(ctx, at[1], waits); err != nil {
		b.cancel(ctx, at[1])
		return nil, err
	}
	to := &target{batch: b, id: at[1]}
	return to.dial, nil
}

// await waits until a job runs.
func (b *batch) await(ctx context.Context, id string, waits func(executing.Waits)) error {
	defer waits(executing.Waits{})
	since := time.Now()
	for pause := firstPause; ; pause = min(pause*3/2, lastPause) {
		jobs, err := b.queue.seen(ctx, since)
		one, listed := jobs[id]
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			waits(executing.Waits{For: executing.Room, Words: err.Error()})
		case !listed:
			return b.forgotten(ctx, id).tooEarly()
		case one.running():
			return nil
		case !one.pending():
			return one.tooEarly()
		default:
			waits(executing.Waits{For: executing.Room, Words: one.waits()})
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		since = time.Now().Add(-lookEvery / 2)
	}
}

// waits says what a job waits for, in Slurm's own words.
func (j job) waits() string {
	if j.reason == "" || j.reason == "None" {
		return fmt.Sprintf("Slurm job %s", j.id)
	}
	return fmt.Sprintf("%s (Slurm job %s)", j.reason, j.id)
}

// cancel has Slurm end a job, also where ctx has ended.
func (b *batch) cancel(ctx context.Context, id string) {
	_, _ = b.front.run(context.WithoutCancel(ctx), "", "scancel", id) // what stays is ended by EndOthers
}

// target is a job, as links to its agent lead to it. One link is opened at a time.
type target struct {
	batch   *batch
	id      string
	dialed  bool
	in      time.Duration // how long the next step may take to say something
	leaving time.Time     // when it was first seen to go
}

// dial opens a link to the job's agent: a step of the job, on its node.
func (t *target) dial(ctx context.Context) (link, error) {
	since := time.Now()
	if !t.dialed {
		since = since.Add(-lookEvery) // it has just been seen to run
	}
	t.dialed = true
	jobs, err := t.batch.queue.seen(ctx, since)
	if err != nil {
		return nil, err
	}
	one, listed := jobs[t.id]
	if !listed {
		one = t.batch.forgotten(ctx, t.id)
	}
	switch {
	case one.over():
		return nil, one.under()
	case !one.running():
		if t.leaving.IsZero() {
			t.leaving = time.Now()
		}
		if time.Since(t.leaving) > goneIn {
			return nil, one.under()
		}
		return nil, fmt.Errorf("Slurm job %s is %s", t.id, strings.ToLower(one.state))
	}
	opened, err := t.batch.step(ctx, t.id)
	if err != nil {
		return nil, err
	}
	in := max(t.in, firstIn)
	t.in = min(2*in, lastIn)
	return &impatient{opened, time.AfterFunc(in, func() { _ = opened.Close() }), func() { t.in = 0 }}, nil
}

// impatient is a link that must say something before long.
type impatient struct {
	link
	late  *time.Timer
	heard func()
}

func (i *impatient) Read(p []byte) (int, error) {
	n, err := i.link.Read(p)
	if i.late.Stop(); n > 0 {
		i.heard()
	}
	return n, err
}

func (i *impatient) Close() error {
	i.late.Stop()
	return i.link.Close()
}

// step starts the helper on a job's node, beside the job's own processes.
func (b *batch) step(ctx context.Context, id string) (link, error) {
	start, err := b.front.Shell.Start(ctx)
	if err != nil {
		return nil, err
	}
	cmd, err := b.front.Shell.Command(ctx, pathed+"exec srun --jobid="+id+" --overlap --quiet --nodes=1 --ntasks=1 --mpi=none "+exported+" "+strings.TrimPrefix(start, "exec ")+" kept")
	if err != nil {
		return nil, err
	}
	return b.front.Shell.Open(cmd)
}

// EndOthers implements worker.Batch.
func (b *batch) EndOthers(ctx context.Context, prefix string, but []string) error {
	known := map[string]bool{}
	for _, name := range but {
		known[jobPrefix+name] = true
	}
	jobs, err := b.queue.fresh(ctx)
	if err != nil {
		return err
	}
	for _, one := range jobs {
		if !strings.HasPrefix(one.name, jobPrefix+prefix) || known[one.name] || one.over() {
			continue
		}
		if err := b.end(ctx, one); err != nil {
			return err
		}
	}
	return nil
}

// end ends a job: its agent by its own ladder, where it answers, and what is left of it
// then. It waits until that is gone.
func (b *batch) end(ctx context.Context, one job) error {
	if one.running() {
		asked, cancel := context.WithTimeout(ctx, endIn)
		run := strings.TrimPrefix(one.name, jobPrefix)
		to := func(ctx context.Context) (link, error) { return b.step(ctx, one.id) }
		_ = shim.Call(asked, to, calls.Runs, calls.Owner{Prefix: run, Runs: []string{}}, &calls.Ended{}) // Slurm does it else
		cancel()
	}
	b.cancel(ctx, one.id)
	for late := time.Now().Add(killIn); ; {
		jobs, err := b.queue.fresh(ctx)
		if err != nil {
			return err
		}
		if now, listed := jobs[one.id]; !listed || now.over() {
			return nil
		}
		if time.Now().After(late) {
			return worker.Unreachable(fmt.Sprintf("Slurm job %s was cancelled, and is not gone after %s: ask who keeps the cluster", one.id, killIn))
		}
	}
}
