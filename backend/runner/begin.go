package runner

import (
	"context"
	"fmt"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
)

// placement is how a card gets to Running.
type placement struct {
	from     beckon.Status // where it must be; empty: wherever it may start from
	rank     float64       // its place there; 0: the one that it has
	opening  string        // the message that the agent gets first; empty for the brief, or to carry on where a session exists
	setAside bool          // the session that it had is lost
	agent    *string       // the kind that goes on with it from here, in a session of its own; nil for the one that it has
	model    string        // that kind's
}

// errMoved is why a card stays where somebody has put it meanwhile.
var errMoved = problem.New(problem.Moved, fmt.Errorf("the card was moved in the meantime: %w", beckon.ErrConflict))

// moveToRunning brings a card to Running.
func (how placement) moveToRunning(t *beckon.Task) error {
	if how.from != "" && t.Status != how.from {
		return errMoved
	}
	if t.Trouble = nil; how.rank != 0 {
		t.Rank = how.rank
	}
	how.handOver(t)
	return t.Move(beckon.Running)
}

// handOver gives a task to another kind of agent, where one goes on with it.
func (how placement) handOver(t *beckon.Task) {
	if how.agent != nil {
		t.Agent, t.Model, t.Session = *how.agent, how.model, ""
	}
}

// Start begins a task's run and puts its card into Running at a rank, 0 for the
// one that it has.
func (r *Runner) Start(ctx context.Context, taskID string, rank float64) (beckon.Task, error) {
	return r.begin(ctx, taskID, placement{rank: rank})
}

// begin starts a task's run in its worktree and moves the task to running.
func (r *Runner) begin(ctx context.Context, taskID string, how placement) (beckon.Task, error) {
	t, p, err := r.startable(ctx, taskID)
	if err != nil {
		return t, err
	}
	how.handOver(&t)
	if err := r.UsableOn(ctx, t.Agent, t.ExecutorOf(p), how.from == beckon.Queued); err != nil {
		return t, err
	}
	row := beckon.Run{
		ID: beckon.NewID(), TaskID: t.ID, Kind: beckon.TaskRun, Phase: beckon.Starting, Executor: t.ExecutorOf(p),
		Agent: t.Agent, Session: t.Session, Model: t.Model, Mode: t.Mode, Started: beckon.Now(),
	}
	if row.Session != "" {
		if err := r.inherit(ctx, t.ID, &row); err != nil {
			return t, err
		}
	}
	if t.Agent != "" { // which keeps its session's model by itself, and begins in the mode in which it asks
		row.Model, row.Mode = t.Model, beckon.ModeDefault
	}
	run, err := r.reserve(t, p, row)
	if err != nil {
		return t, err
	}
	if t, err = r.Cards.Place(ctx, &row, how.moveToRunning); err != nil {
		if r.free(run); how.from != beckon.Queued { // the queue looks on on its own
			r.Wake()
		}
		return t, err
	}
	run.task, run.setAside = t, how.setAside
	run.note(func() { run.row.Number = row.Number })
	r.wg.Go(func() { run.work(how.opening) })
	return t, nil
}

// startable returns a task and its project, or why no agent may start there.
// It waits for the end of a run that is ending already, so that who stops an
// agent can begin another at once.
func (r *Runner) startable(ctx context.Context, taskID string) (beckon.Task, beckon.Project, error) {
	if err := r.AwaitEnd(ctx, taskID); err != nil {
		return beckon.Task{}, beckon.Project{}, err
	}
	t, err := r.Store.Task(ctx, taskID)
	if err != nil {
		return t, beckon.Project{}, err
	}
	p, err := r.Store.Project(ctx, t.ProjectID)
	if err != nil {
		return t, p, err
	}
	if err := p.CheckTrust(); err != nil {
		return t, p, err
	}
	if why := r.Afford(ctx, taskID); why != nil {
		return t, p, why.Err(beckon.ErrConflict)
	}
	return t, p, nil
}

// AwaitEnd waits until a task's run that is ending already is over and summed
// up.
func (r *Runner) AwaitEnd(ctx context.Context, taskID string) error {
	run := r.liveRun(taskID)
	if run == nil || !run.ending() {
		return nil
	}
	late := time.NewTimer(stopIn)
	defer late.Stop()
	select {
	case <-run.ended:
		return nil
	case <-late.C:
		t, err := r.Store.Task(ctx, taskID)
		if err != nil {
			return err
		}
		return problem.New(problem.Saving, fmt.Errorf("what the last agent of %s left is still being saved; try again when it is: %w", t.Key, beckon.ErrConflict))
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (run *agentRun) ending() bool {
	run.mu.Lock()
	defer run.mu.Unlock()
	return run.outcome != "" || run.facts.Saving || run.facts.Exited
}

// errClosing is why no run begins while Beckon ends.
var errClosing = problem.New(problem.Closing, fmt.Errorf("Beckon is closing: %w", beckon.ErrConflict))

// reserve makes the task's place among the live runs, so that a second start
// finds it taken.
func (r *Runner) reserve(t beckon.Task, p beckon.Project, row beckon.Run) (*agentRun, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, errClosing
	}
	if r.live[t.ID] != nil {
		return nil, agentWorks(t)
	}
	if r.held[t.ID] {
		return nil, fmt.Errorf("%s: %w", t.Key, errHeld)
	}
	run := newAgentRun(r, t, p, row)
	r.live[t.ID] = run
	r.wg.Add(1) // Close waits from here on, and for its goroutine, which begins later
	return run, nil
}

// release gives the task's place back and has the queue look.
func (r *Runner) release(run *agentRun) {
	r.free(run)
	r.Wake()
}

func (r *Runner) free(run *agentRun) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.live[run.task.ID] == run {
		delete(r.live, run.task.ID)
		close(run.ended)
		r.wg.Done()
	}
}

func agentWorks(t beckon.Task) error {
	return problem.New(problem.AgentWorks, fmt.Errorf("an agent is already working on %s: %w", t.Key, beckon.ErrConflict))
}
