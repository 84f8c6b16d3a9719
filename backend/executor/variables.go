package executor

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
)

// This file has the variables that agents elsewhere get, by name: out of Beckon's own
// environment, or out of the system's key ring, where a value of an executor's own is kept. A
// value goes over the link into the agent's environment, and is in no row, log or event.

// secretOf names the value of a variable in the key ring.
func secretOf(executorID, name string) string { return "executor." + executorID + "." + name }

// variables returns what an executor's agents get. A value that the key ring does not give is
// no reason to start with another: the run says so.
func (e *Executors) variables(row executing.Executor) (env []string, err error) {
	return environ(row, func(name string) (string, error) {
		value, err := e.Secrets.Get(secretOf(row.ID, name))
		if err != nil {
			err = reason.Of(reason.VariableGone, "variable", name, "name", row.Name).Err(fmt.Errorf("%w: %w", err, beckon.ErrConflict))
		}
		return value, err
	})
}

// named returns those of an executor's variables that its agents get, without the values that
// are kept: a look does not open the key ring.
func named(row executing.Executor) []string {
	env, _ := environ(row, func(string) (string, error) { return "kept", nil })
	return env
}

// environ returns an executor's variables, with the values of those that are kept from kept.
func environ(row executing.Executor, kept func(name string) (string, error)) (env []string, err error) {
	for _, name := range row.Variables {
		value, is := os.LookupEnv(name)
		if slices.Contains(row.Kept, name) {
			if value, err = kept(name); err != nil {
				return nil, err
			}
			is = true
		}
		if is {
			env = append(env, name+"="+value)
		}
	}
	return env, nil
}

// Keep keeps the value of one of an executor's variables; an empty one is forgotten.
func (e *Executors) Keep(ctx context.Context, id, name, value string) error {
	e.saving.Lock()
	defer e.saving.Unlock()
	row, err := e.Rows.One(ctx, id)
	if err != nil {
		return err
	}
	switch {
	case !slices.Contains(row.Variables, name):
		err := beckon.Invalid("%s has no variable %.80q", row.Name, name)
		return problem.New(problem.ExecutorField, err, "field", "variables", "value", name)
	case len(value) > executing.MaxValue || strings.ContainsAny(value, "\x00\r\n"):
		err := beckon.Invalid("the value of %s has more than one line, or more than %d KB", name, executing.MaxValue>>10)
		return problem.New(problem.VariableValue, err, "variable", name, "most", fmt.Sprint(executing.MaxValue>>10))
	}
	if err := e.Secrets.Set(secretOf(id, name), value); err != nil {
		return err
	}
	row.Kept = slices.DeleteFunc(row.Kept, func(one string) bool { return one == name })
	if value != "" {
		row.Kept = append(row.Kept, name)
	}
	if err := e.Rows.Replace(ctx, row); err != nil {
		return err
	}
	e.renew(&row)
	e.publishAll(ctx)
	return nil
}

// stillKept returns the names of the values that are kept of variables which an executor has
// still.
func stillKept(old executing.Executor, variables []string) []string {
	return slices.DeleteFunc(append([]string{}, old.Kept...), func(name string) bool { return !slices.Contains(variables, name) })
}

// forgetValues forgets the values of an executor's variables, but for those that it has still.
// Nothing reads one that the key ring does not let go of.
func (e *Executors) forgetValues(old executing.Executor, kept []string) {
	for _, name := range old.Kept {
		if slices.Contains(kept, name) {
			continue
		}
		if err := e.Secrets.Set(secretOf(old.ID, name), ""); err != nil {
			slog.Warn("forget the value of a variable", "err", err, "executor", old.Name, "variable", name)
		}
	}
}
