package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/transcript"
)

// PreviewRewind tells what Rewind would do; nothing is changed.
func (r *Runner) PreviewRewind(ctx context.Context, taskID, messageID string) (beckon.Rewind, error) {
	run, p, err := r.resting(taskID)
	if err != nil {
		return beckon.Rewind{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, controlIn)
	defer cancel()
	return run.previewRewind(ctx, p, messageID)
}

// Rewind takes the files that the agent changed back to how a message of the
// user's found them, and what was done to those files since with them. What
// was said stays said; what commands did is not undone.
func (r *Runner) Rewind(ctx context.Context, taskID, messageID string) (beckon.Rewind, error) {
	run, p, err := r.resting(taskID)
	if err != nil {
		return beckon.Rewind{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, controlIn)
	defer cancel()
	w, err := run.previewRewind(ctx, p, messageID)
	if err != nil {
		return w, err
	}
	if !w.Possible {
		return w, fmt.Errorf("the files cannot be taken back to that message: %s: %w", w.Reason, beckon.ErrConflict)
	}
	if _, err := p.Rewind(ctx, ownID(messageID), false); err != nil {
		return w, fmt.Errorf("the files were not taken back: %w", err)
	}
	return w, errors.Join(run.record(transcript.NoticeLine("rewound", strings.Join(w.Files, "\n"))), run.recount(ctx))
}

// resting returns a task's live agent between two turns: in one it may be
// writing the very files.
func (r *Runner) resting(taskID string) (*agentRun, agent.Session, error) {
	run, p, err := r.agent(taskID)
	if err == nil && run.snapshot().Phase != beckon.Idle {
		err = problem.New(problem.RewindWorking, fmt.Errorf("the agent is working; interrupt it before you rewind files: %w", beckon.ErrConflict))
	}
	return run, p, err
}

// ownID is the id by which the agent knows a message of the transcript.
func ownID(messageID string) string { return strings.TrimPrefix(messageID, "user/") }

func (run *agentRun) previewRewind(ctx context.Context, p agent.Session, messageID string) (beckon.Rewind, error) {
	found, err := p.Rewind(ctx, ownID(messageID), true)
	w := beckon.Rewind{Possible: found.Possible, Reason: found.Reason, Files: []string{}, Added: found.Added, Removed: found.Removed}
	dir := cmp.Or(run.task.Worktree, run.project.Dir)
	if run.kind() == beckon.ChatRun {
		dir = run.project.Dir
	}
	for _, file := range found.Files {
		if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
			file = filepath.ToSlash(rel)
		}
		w.Files = append(w.Files, file)
	}
	return w, err
}

// recount counts again what a task's run has changed in its worktree.
func (run *agentRun) recount(ctx context.Context) error {
	if run.kind() != beckon.TaskRun {
		return nil
	}
	return run.r.Cards.Recount(ctx, run.task.ID)
}
