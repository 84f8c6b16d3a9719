package program

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/reason"
	"beckon/backend/board"
	"beckon/backend/desktop"
	"beckon/backend/executor"
	"beckon/backend/executor/container"
	"beckon/backend/executor/kube"
	"beckon/backend/executor/remote"
	"beckon/backend/executor/slurm"
	"beckon/backend/executor/ssh"
	"beckon/backend/executor/worker"
	"beckon/backend/store"
)

// executing joins the executors to what they need.
func (p *program) executing(data string) executor.Config {
	return executor.Config{
		DataDir: data, Secrets: p.secrets, Task: p.store.Task, Project: p.store.Project, Projects: p.store.Projects, Arrived: p.arrived,
		Environ: p.ports.Environ, Copied: func(of beckon.Project) ([]string, error) { return p.scripts.Copied(of) },
		Rows: p.store.Executors, Publish: func(e beckon.Event) { p.feed.Publish(e) }, Wake: func() { p.runner.Wake() },
		Connect: func(e executing.Executor) worker.Machine { return connect(e, func() { p.executors.Asked(e.ID) }) },
		Start:   remote.Start, Working: p.workingOn, Changed: p.retold,
	}
}

// connect returns an executor's machine, which is reached when it is first used. asked is
// called when what it asks the user changes.
func connect(e executing.Executor, asked func()) worker.Machine {
	if e.Kind == executing.Container {
		return container.New(e, coreFor)
	}
	if e.Kind == executing.Kubernetes {
		return kube.New(kube.Config{Executor: e, Core: coreFor})
	}
	if e.Kind == executing.Slurm && e.Host == "" {
		return slurm.New(slurm.ThisComputer(coreFor), e.Options)
	}
	program, _ := desktop.Program() // without it ssh asks nothing
	host := ssh.New(ssh.Config{Name: e.Host, Core: coreFor, Supervisor: desktop.Core(), Askpass: program, Asked: asked})
	if e.Kind == executing.Slurm {
		return slurm.New(slurm.Front{Shell: &host.Shell, Git: host.Git, End: host.Close, Asks: host}, e.Options)
	}
	return worker.Host{On: host, End: host.Close}
}

// arrived saves the work of a task that came home late, as the end of its run would have.
func (p *program) arrived(ctx context.Context, taskID string, trouble *reason.Reason) error {
	t, err1 := p.store.Task(ctx, taskID)
	runs, err2 := p.store.Runs(ctx, taskID)
	if err := errors.Join(err1, err2); err != nil || len(runs) == 0 {
		return err
	}
	of, err := p.store.Project(ctx, t.ProjectID)
	if err != nil {
		return err
	}
	work := p.board.Save(ctx, t, of, runs[len(runs)-1], nil)
	_, err = p.board.Update(ctx, taskID, func(t *beckon.Task) error {
		t.Changes = work.Changes
		if trouble != nil || t.Trouble.Is(reason.WorkStill) {
			t.Trouble = cmp.Or(trouble, work.Trouble)
		}
		return nil
	})
	return err
}

// cards are the board's, whose work comes home from other machines before it is saved.
type cards struct {
	*board.Board
	executors *executor.Executors
}

// Save implements runner.Cards.
func (c cards) Save(ctx context.Context, t beckon.Task, p beckon.Project, run beckon.Run, strays []string) beckon.Work {
	if run.Executor != "" {
		err := c.executors.Bring(ctx, t.ID, run.Executor)
		if errors.Is(err, worker.ErrGone) {
			work := c.Board.Save(ctx, t, p, run, strays) // what came before
			work.Trouble = beckon.ReasonOf(err)
			return work
		}
		if err != nil {
			return beckon.Work{Changes: t.Changes, Trouble: beckon.ReasonOf(err)}
		}
	}
	return c.Board.Save(ctx, t, p, run, strays)
}

// prepare makes a worktree ready that an agent is to work in: one on another machine is
// made ready there.
func (p *program) prepare(ctx context.Context, t beckon.Task, of beckon.Project) error {
	if t.ExecutorOf(of) != "" {
		return nil
	}
	return p.scripts.Prepare(ctx, t, of)
}

// workingOn returns the keys of the tasks whose agents work on an executor.
func (p *program) workingOn(ctx context.Context, executorID string) ([]string, error) {
	runs, err := p.store.LiveRuns(ctx)
	keys := []string{}
	for _, run := range runs {
		if run.Executor != executorID {
			continue
		}
		t, err := p.store.Task(ctx, run.TaskID)
		if err != nil {
			return nil, err
		}
		keys = append(keys, t.Key)
	}
	return keys, err
}

// retold tells the clients of what lost its executor: both calls change nothing else.
func (p *program) retold(ctx context.Context, c store.ChosenExecutors) (err error) {
	for _, id := range c.Tasks {
		_, err2 := p.board.Update(ctx, id, func(*beckon.Task) error { return nil })
		err = errors.Join(err, err2)
	}
	for _, id := range c.Projects {
		err = errors.Join(err, p.board.Allow(ctx, id, nil))
	}
	return err
}

// coreFor returns Beckon's static program for a system and an architecture: this one, or
// one of that name beside it.
func coreFor(system, arch string) (string, error) {
	core := desktop.Core()
	if core == "" {
		var err error
		if core, err = os.Executable(); err != nil {
			return "", err
		}
	}
	if system == runtime.GOOS && arch == runtime.GOARCH {
		return core, nil
	}
	other := filepath.Join(filepath.Dir(core), "beckon-core-"+system+"-"+arch)
	if _, err := os.Stat(other); err != nil {
		return "", reason.Of(reason.HelperMissing, "system", system, "arch", arch, "file", other).Err(beckon.ErrUnavailable)
	}
	return other, nil
}
