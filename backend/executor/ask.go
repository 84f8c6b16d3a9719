package executor

import (
	"context"
	"errors"
	"fmt"
	"io"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/problem"
	"beckon/backend/executor/shim"
	"beckon/backend/executor/worker"
)

// asks returns what may ask the user before a machine is reached; nil where nothing does.
func (m *machine) asks() worker.Asker {
	if asking, is := m.Machine.(worker.Asking); is {
		return asking.Asks()
	}
	return nil
}

// Answer gives the user's answer to what an executor asks. Where that is not what was
// answered it returns beckon.ErrConflict.
func (e *Executors) Answer(id, askID string, r executing.Reply) error {
	e.mu.Lock()
	m := e.machines[id]
	e.mu.Unlock()
	if m != nil {
		if asks := m.asks(); asks != nil {
			return asks.Answer(askID, r)
		}
	}
	return fmt.Errorf("nothing is asked there any more: %w", beckon.ErrConflict)
}

// Asked notes that an executor asks something else than before, or nothing any more.
func (e *Executors) Asked(id string) {
	e.mu.Lock()
	m := e.machines[id]
	if m != nil {
		if asks := m.asks(); asks != nil {
			m.health.Ask = asks.Ask()
		}
	}
	e.mu.Unlock()
	if m == nil || e.ctx.Err() != nil {
		return
	}
	e.publishAll(e.ctx)
	e.Wake()
}

// reach waits until a machine can be reached, however long the user takes to answer what
// it asks. Where it asks nothing it does nothing.
func (m *machine) reach(ctx context.Context) error {
	if asks := m.asks(); asks != nil {
		return asks.Reach(ctx)
	}
	return nil
}

// onceAnswered does a step. Where it fails because the machine asks something, it is done
// again once the user has answered.
func (m *machine) onceAnswered(ctx context.Context, step func() error) error {
	for {
		err := step()
		if !errors.Is(err, worker.ErrAsks) {
			return err
		}
		if err := m.reach(ctx); err != nil {
			return err
		}
	}
}

// patiently returns a dial that waits for the user, too.
func (m *machine) patiently(dial shim.Dial) shim.Dial {
	return func(ctx context.Context) (io.ReadWriteCloser, error) {
		if err := m.reach(ctx); err != nil {
			return nil, err
		}
		return dial(ctx)
	}
}

// release has a machine ask again what the user refused to answer. It reports whether
// there was such a thing.
func (m *machine) release() bool {
	asks := m.asks()
	if asks == nil || !asks.Held() {
		return false
	}
	asks.Release()
	return true
}

// asksFirst is why no run of the queue begins on a machine that asks something.
func (m *machine) asksFirst() error {
	err := fmt.Errorf("%s asks something: answer it in the Inbox: %w", m.row().Name, beckon.ErrUnavailable)
	return problem.New(problem.ExecutorAsks, err, "name", m.row().Name)
}
