package executor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/reason"
	"beckon/backend/disk"
	"beckon/backend/executor/calls"
	"beckon/backend/executor/worker"
)

// A run elsewhere is owed until its work is home: a file says so, with the task's id in
// it, so that a Beckon that is started again ends its agent and brings the work. A second
// line says that the work was sent, so that where it is not there, it is lost.

func (e *Executors) owedDir() string { return filepath.Join(e.DataDir, "executors") }

// owner returns what the names of this Beckon's runs begin with on other machines, and what
// marks its repositories there. It is made at the first, and kept.
func (e *Executors) owner() (string, error) {
	e.naming.Lock()
	defer e.naming.Unlock()
	name := filepath.Join(e.owedDir(), "owner")
	text, err := os.ReadFile(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return string(text), err
	}
	owner := beckon.NewID()[:12]
	return owner, errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), disk.Replace(name, []byte(owner)))
}

// scope is what this Beckon has on other machines.
func (e *Executors) scope(ctx context.Context) (of calls.Scope, err error) {
	if of.Owner, err = e.owner(); err != nil {
		return of, err
	}
	all, err := e.Projects(ctx)
	for _, p := range all {
		of.Projects = append(of.Projects, p.ID)
	}
	return of, err
}

func (e *Executors) owe(run beckon.Run, m *machine) error {
	if err := os.MkdirAll(e.owedDir(), 0o700); err != nil {
		return err
	}
	return disk.Replace(e.owedFile(m, run.ID), []byte(run.TaskID))
}

// sent is the second line of what is owed.
const sent = "sent"

// oweSent notes that a run's work is there.
func (e *Executors) oweSent(run beckon.Run, m *machine) error {
	return disk.Replace(e.owedFile(m, run.ID), []byte(run.TaskID+"\n"+sent))
}

// readOwed returns the task whose work is owed by a file, and whether it was sent.
func readOwed(file string) (taskID string, isSent bool, err error) {
	text, err := os.ReadFile(file)
	taskID, second, _ := strings.Cut(string(text), "\n")
	return taskID, second == sent, err
}

// owesSent reports whether work of a task that was sent to a machine is still to come.
func (e *Executors) owesSent(m *machine, taskID string) bool {
	return slices.ContainsFunc(e.owed(m.row().ID), func(file string) bool {
		of, isSent, err := readOwed(file)
		return err == nil && of == taskID && isSent
	})
}

func (e *Executors) owedFile(m *machine, runID string) string {
	return filepath.Join(e.owedDir(), m.row().ID+"-"+runID)
}

// owed returns the files of what is owed, on an executor or on all.
func (e *Executors) owed(executorID string) []string {
	if executorID == "" {
		executorID = "*"
	}
	names, _ := fs.Glob(os.DirFS(e.owedDir()), executorID+"-*") // the pattern is valid
	for i, name := range names {
		names[i] = filepath.Join(e.owedDir(), name)
	}
	return names
}

// paid notes that a task's work is home. What works there now is owed still.
func (e *Executors) paid(m *machine, taskID string) {
	e.mu.Lock()
	live := e.running[taskID].run
	e.mu.Unlock()
	for _, file := range e.owed(m.row().ID) {
		_, run, _ := strings.Cut(filepath.Base(file), "-")
		if of, _, err := readOwed(file); err == nil && of == taskID && run != live {
			if err := os.Remove(file); err != nil {
				slog.Warn("note that the work of a run is home", "err", err, "run", run)
			}
		}
	}
}

// Open looks at the executors where an earlier Beckon left something.
func (e *Executors) Open(ctx context.Context) {
	looked := map[string]bool{}
	for _, file := range e.owed("") {
		id, _, _ := strings.Cut(filepath.Base(file), "-")
		if looked[id] {
			continue
		}
		looked[id] = true
		if err := e.Check(ctx, id); errors.Is(err, beckon.ErrNotFound) {
			_ = os.Remove(file) // the executor was forgotten, and what was there with it
		}
	}
}

// settle ends what is left on a machine, and brings the work of runs that are over. What
// fails keeps nothing else from being brought, and is tried again with a later look.
func (e *Executors) settle(ctx context.Context, m *machine) {
	failed := false
	for _, file := range e.owed(m.row().ID) {
		task, _, err := readOwed(file)
		if err != nil || e.works(task) {
			continue // it was paid meanwhile, or is not over
		}
		if e.isLeaving() {
			return // the next start does it
		}
		if err := e.settleOne(ctx, m, task, file); err != nil && ctx.Err() == nil {
			slog.Warn("bring work home", "err", err, "executor", m.row().Name, "task", task)
			failed = true
		}
	}
	if failed {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.lookLater(m, e.lastPause)
	}
}

func (e *Executors) isLeaving() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.leaving
}

// settleOne does so for a task, of which file says that it is owed.
func (e *Executors) settleOne(ctx context.Context, m *machine, taskID, file string) error {
	if err := e.endLeft(ctx, m, taskID); err != nil {
		return fmt.Errorf("end what is left there: %w", err)
	}
	err := e.bring(ctx, m, taskID)
	if errors.Is(err, beckon.ErrNotFound) {
		err = os.Remove(file) // the task was deleted
	}
	var trouble *reason.Reason
	if errors.Is(err, worker.ErrGone) {
		trouble, err = beckon.ReasonOf(err), nil
	}
	if err == nil {
		err = e.Arrived(ctx, taskID, trouble)
	}
	if errors.Is(err, beckon.ErrNotFound) {
		return nil
	}
	return err
}

// endLeft ends what an earlier Beckon left where a task works.
func (e *Executors) endLeft(ctx context.Context, m *machine, taskID string) error {
	if own, is := m.Worker(taskID).(worker.Own); is {
		if err := own.Find(ctx); err != nil {
			if errors.Is(err, worker.ErrGone) || errors.Is(err, worker.ErrEmpty) {
				return nil
			}
			return err
		}
	}
	return e.endOthers(ctx, m, taskID)
}

// Forget removes a task's worktrees elsewhere, whose work is home and is not needed there
// any more: where there is a link, beside the caller. The rest stays until its executor is
// removed.
func (e *Executors) Forget(taskID string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, m := range e.machines {
		if m.health.State == executing.Ready && !e.leaving {
			e.work.Go(func() {
				if err := e.forget(e.ctx, m, taskID); err != nil && e.ctx.Err() == nil && !errors.Is(err, beckon.ErrNotFound) {
					slog.Warn("remove a worktree elsewhere", "err", err, "executor", m.row().Name, "task", taskID)
				}
			})
		}
	}
}

func (e *Executors) forget(ctx context.Context, m *machine, taskID string) error {
	w, err := e.workOf(ctx, m, taskID)
	if err != nil || e.owes(m, taskID) {
		return err
	}
	defer e.alone(taskID)()
	if e.works(taskID) { // it was begun again meanwhile
		return nil
	}
	if own, is := m.Worker(taskID).(worker.Own); is {
		return own.Remove(ctx)
	}
	return w.Forget(ctx)
}

// owes reports whether something of a task is still to come from a machine.
func (e *Executors) owes(m *machine, taskID string) bool {
	return e.owesOther(m, beckon.Run{TaskID: taskID})
}

// owesOther reports whether something of a run's task is, of another run.
func (e *Executors) owesOther(m *machine, run beckon.Run) bool {
	return slices.ContainsFunc(e.owed(m.row().ID), func(file string) bool {
		of, _, err := readOwed(file)
		return err == nil && of == run.TaskID && file != e.owedFile(m, run.ID)
	})
}
