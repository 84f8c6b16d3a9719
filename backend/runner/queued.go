package runner

import (
	"context"

	"beckon/backend/beckon"
)

// PostMessage tells a task's live agent something, or queues it.
func (r *Runner) PostMessage(_ context.Context, _ string, _ beckon.NewMessage) (beckon.Message, error) {
	return beckon.Message{}, beckon.ErrUnavailable
}

// EditMessage replaces what a message says that the agent has not taken.
func (r *Runner) EditMessage(_ context.Context, _ string, _ beckon.NewMessage) (beckon.Message, error) {
	return beckon.Message{}, beckon.ErrUnavailable
}

// MoveMessage puts a queued message at a place of its queue.
func (r *Runner) MoveMessage(_ context.Context, _ string, _ int) error { return beckon.ErrUnavailable }

// RemoveMessage takes back a message that the agent has not taken.
func (r *Runner) RemoveMessage(_ context.Context, _ string) error { return beckon.ErrUnavailable }

// KeepImage keeps an image for messages that will name it.
func (r *Runner) KeepImage(_ context.Context, _ beckon.NewImage) (beckon.Image, error) {
	return beckon.Image{}, beckon.ErrUnavailable
}

// Image returns a kept image as a data: URL.
func (r *Runner) Image(_ context.Context, _ string) (string, error) {
	return "", beckon.ErrUnavailable
}

// SaveMessageDraft keeps what was typed as a message to a task's agent.
func (r *Runner) SaveMessageDraft(_ context.Context, _, _ string) error { return beckon.ErrUnavailable }
