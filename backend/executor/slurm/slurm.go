// Package slurm runs agents in jobs of Slurm. The front is where sbatch is, this computer
// or a host by ssh, and shares its home folder with the nodes: the repository, the
// worktrees and Beckon's helper are there, and an agent's job sees them.
//
// A job's main process is the helper, which waits for its agent (package keeper); a link
// to it is a step of the job, by srun. Which jobs there are is asked of squeue, for all of
// them at once. Nothing here trusts what Slurm says more than ssh's words are trusted.
package slurm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"beckon/backend/beckon/executing"
	"beckon/backend/executor/calls"
	"beckon/backend/executor/helper"
	"beckon/backend/executor/worker"
)

// Front is where sbatch is.
type Front struct {
	Shell *helper.Shell
	Git   func(ctx context.Context, dir string) (worker.Git, error)
	End   func()       // ends its links
	Asks  worker.Asker // of what is asked on the way there; nil: nothing is
}

// ThisComputer is the front where this computer has sbatch.
func ThisComputer(core helper.Core) Front {
	const name = "this computer"
	return Front{
		Shell: &helper.Shell{
			Name: name, Core: core, Near: true,
			Command: func(_ context.Context, script string) (*exec.Cmd, error) {
				if runtime.GOOS == "windows" {
					return nil, worker.Unreachable("There is no Slurm on Windows: name a host that has sbatch.")
				}
				cmd := exec.CommandContext(context.Background(), "sh", "-c", script) // which the caller ends
				cmd.Dir = os.TempDir()
				return cmd, nil
			},
			Explain: func(said string, err error) error {
				return worker.Unreachable(fmt.Sprintf("%s: %s (%v)", name, worker.Last(said), err))
			},
		},
		Git: func(_ context.Context, dir string) (worker.Git, error) {
			return helper.Git("front", dir, `exec sh -c "$2"`), nil
		}, // git's ssh is a shell here
		End: func() {},
	}
}

// Cluster is a machine whose agents work in jobs of Slurm.
type Cluster struct {
	worker.Host
	batch *batch
}

// New returns the cluster of a front, whose jobs get more options of the user's. It is
// reached when it is first used.
func New(front Front, options string) *Cluster {
	b := &batch{front: front, options: options}
	b.queue.ask, b.queue.turn = b.listed, make(chan struct{}, 1)
	return &Cluster{worker.Host{On: b, End: front.End}, b}
}

// Asks implements worker.Asking.
func (c *Cluster) Asks() worker.Asker { return c.batch.front.Asks }

// Inspect implements worker.Machine: a job is tried too, and not submitted.
func (c *Cluster) Inspect(ctx context.Context) (executing.Found, error) {
	found, err := c.Host.Inspect(ctx)
	if err != nil {
		return found, err
	}
	return found, c.batch.try(ctx)
}

// Clear implements worker.Machine. A job that waits is an agent that is to live.
func (c *Cluster) Clear(ctx context.Context, of calls.Scope) error {
	jobs, err := c.batch.queue.fresh(ctx)
	if err != nil {
		return err
	}
	live := 0
	for _, one := range jobs {
		if strings.HasPrefix(one.name, jobPrefix+of.Owner) && !one.over() {
			live++
		}
	}
	if live > 0 {
		return fmt.Errorf("%d jobs of this Beckon are in Slurm's queue; end them first, or wait", live)
	}
	return c.Host.Clear(ctx, of)
}

// batch is what all tasks' work shares; see worker.Batch.
type batch struct {
	front   Front
	options string
	queue   queue
}

// Quiet returns why git cannot talk to the front, if so.
func (b *batch) Quiet(ctx context.Context) error { return b.front.Shell.Quiet(ctx) }

// Dial implements worker.Worker: the work is reached on the front.
func (b *batch) Dial(ctx context.Context) (link, error) { return b.front.Shell.Dial(ctx) }

// Forget has the helper be looked for again on the front.
func (b *batch) Forget() { b.front.Shell.Forget() }

// Git implements worker.Worker.
func (b *batch) Git(ctx context.Context, dir string) (worker.Git, error) {
	return b.front.Git(ctx, dir)
}

// try returns why no job can be submitted, if so.
func (b *batch) try(ctx context.Context) error {
	words, err := b.words("test", "--test-only")
	if err != nil {
		return err
	}
	said, err := b.front.run(ctx, "", "sbatch", "--version")
	if err == nil && said.code == 0 && tooOld(said.out) {
		err = worker.Unreachable(fmt.Sprintf("%s has %s; Beckon needs Slurm 20.11 or newer.", b.front.Shell.Name, worker.Last(said.out)))
	}
	if err != nil || said.code != 0 {
		return errors.Join(err, b.explain(said, err))
	}
	said, err = b.front.run(ctx, "#!/bin/sh\n", words...)
	if err != nil || said.code != 0 {
		return errors.Join(err, b.explain(said, err))
	}
	return nil
}
