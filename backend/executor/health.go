package executor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
	"beckon/backend/executor/worker"
)

// errClosing is why no executor is reached any more.
var errClosing = fmt.Errorf("Beckon is closing: %w", beckon.ErrUnavailable)

// machine returns an executor's machine, whether it can be reached or not.
func (e *Executors) machine(ctx context.Context, id string) (*machine, error) {
	e.mu.Lock()
	m := e.machines[id]
	e.mu.Unlock()
	if m != nil {
		return m, nil
	}
	row, err := e.Rows.One(ctx, id)
	if err != nil {
		return nil, reason.Of(reason.ExecutorRemoved).Err(err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, errClosing
	}
	if m = e.machines[id]; m == nil {
		m = &machine{Machine: e.Connect(row), health: executing.Health{State: executing.Unknown}}
		m.is.Store(&row)
		e.machines[id] = m
	}
	return m, nil
}

func (e *Executors) health(id string) executing.Health {
	e.mu.Lock()
	defer e.mu.Unlock()
	if m := e.machines[id]; m != nil {
		return m.health
	}
	return executing.Health{State: executing.Unknown}
}

// Check looks at an executor, and tells the clients what it found. It does not wait.
func (e *Executors) Check(ctx context.Context, id string) error {
	m, err := e.machine(ctx, id)
	if err != nil {
		return err
	}
	m.release()
	e.lookAtMachine(m)
	return nil
}

// lookAtMachine looks at a machine, unless somebody does.
func (e *Executors) lookAtMachine(m *machine) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if m.checking || e.leaving {
		return
	}
	m.checking = true
	if m.health.State != executing.Ready && m.health.State != executing.Lost {
		m.health.State, m.health.Since = executing.Checking, beckon.Now()
	}
	e.work.Go(func() { e.lookNow(m) })
}

func (e *Executors) lookNow(m *machine) {
	e.publishAll(e.ctx)
	err := m.reach(e.ctx)
	ctx, cancel := context.WithTimeout(e.ctx, checkIn)
	defer cancel()
	began := time.Now()
	var found executing.Found
	if err == nil {
		found, err = m.Inspect(ctx)
	}
	if cli.HasKey(named(m.row())) {
		found.Login = executing.SignedIn // each agent there gets it
	}
	if e.ctx.Err() != nil {
		return
	}
	e.mu.Lock()
	m.checking = false
	if err != nil {
		m.pause = min(max(2*m.pause, e.firstPause), e.lastPause)
		m.next = time.Now().Add(m.pause)
		m.enter(executing.Failed, beckon.ReasonOf(err))
		if changed := (worker.Changed{}); errors.As(err, &changed) {
			m.health.Changed = &changed.ChangedKey
		}
		if len(e.owed(m.row().ID)) > 0 {
			e.lookLater(m, m.pause)
		}
	} else {
		m.pause, m.next = 0, time.Time{}
		m.health.Seen, m.health.Answer, m.health.Found = beckon.Now(), time.Since(began).Milliseconds(), found
		m.enter(executing.Ready, nil)
	}
	e.mu.Unlock()
	e.publishAll(ctx)
	if err == nil {
		e.settle(e.left, m)
	}
	e.Wake()
}

// lookLater looks at a machine after a pause, unless such a look is due already or Beckon
// closes. The caller holds the mutex of e.
func (e *Executors) lookLater(m *machine, pause time.Duration) {
	if m.due || e.leaving {
		return
	}
	m.due = true
	e.work.Go(func() {
		select {
		case <-time.After(pause):
		case <-e.quit:
			return
		}
		e.mu.Lock()
		m.due = false
		e.mu.Unlock()
		e.lookAtMachine(m)
	})
}

// enter notes a state. The caller holds the mutex of e.
func (m *machine) enter(state executing.State, why *reason.Reason) {
	if m.health.State != state {
		m.health.Since = beckon.Now()
	}
	m.health.State, m.health.Problem, m.health.Changed = state, why, nil
}

// Ready returns why no run can begin on an executor at the moment, if so; one that nobody
// has looked at is ready unless it must be seen. It does not wait: such a one is looked at,
// and one that failed again after a while; the queue is woken by what is found.
func (e *Executors) Ready(ctx context.Context, id string, seen bool) error {
	if err := e.mayStart(id); err != nil {
		return err
	}
	m, err := e.machine(ctx, id)
	if err != nil {
		return err
	}
	e.mu.Lock()
	health, late := m.health, time.Now().After(m.next)
	e.mu.Unlock()
	if health.Ask != nil && seen {
		return m.asksFirst()
	}
	switch health.State {
	case executing.Ready:
		return nil
	case executing.Failed:
		if !seen && m.release() {
			e.lookAtMachine(m) // the user starts something there, which waits for what this asks
			return nil
		}
		if late {
			e.lookAtMachine(m)
		}
		err := fmt.Errorf("%s: %w", m.row().Name, health.Problem.Err(beckon.ErrUnavailable))
		return problem.New(problem.ExecutorFailed, err, "name", m.row().Name)
	case executing.Lost:
		err := fmt.Errorf("the link to %s is lost: %w", m.row().Name, beckon.ErrUnavailable)
		return problem.New(problem.ExecutorLost, err, "name", m.row().Name)
	case executing.Unknown, executing.Checking:
	}
	if !seen {
		return nil
	}
	e.lookAtMachine(m)
	err = fmt.Errorf("%s is being looked at: %w", m.row().Name, beckon.ErrUnavailable)
	return problem.New(problem.ExecutorChecked, err, "name", m.row().Name)
}

// linked notes whether there is a link to a machine.
func (e *Executors) linked(m *machine, linked bool) {
	e.mu.Lock()
	was := m.health.State
	if linked {
		m.health.Seen = beckon.Now()
		m.enter(executing.Ready, nil)
	} else if was == executing.Ready {
		m.enter(executing.Lost, nil)
	}
	changed := was != m.health.State
	e.mu.Unlock()
	if changed {
		e.publishAll(e.ctx)
		e.Wake()
	}
}
