package main

import (
	"context"
	"errors"
	"fmt"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel"
	"beckon/backend/channel/phone/push"
)

// pushes is what the page for phones may do about its notifications.
type pushes struct {
	sender *push.Sender
	hub    *channel.Hub
}

// off is the error of what takes notifications while they are switched off.
func (p pushes) off() error {
	if p.hub.On(remote.Push) {
		return nil
	}
	return fmt.Errorf("notifications on phones are switched off: %w", beckon.ErrNotFound)
}

// Key returns the key with which a phone's browser subscribes; beckon.ErrNotFound
// while notifications are switched off.
func (p pushes) Key(ctx context.Context) (string, error) {
	if err := p.off(); err != nil {
		return "", err
	}
	return p.sender.Key(ctx)
}

// Subscribe has a phone notified as its browser says, first of what waits already.
func (p pushes) Subscribe(ctx context.Context, device string, subscription []byte) error {
	if err := p.off(); err != nil {
		return err
	}
	if err := p.sender.Subscribe(ctx, device, subscription); err != nil {
		return err
	}
	p.hub.Look(ctx, remote.Push)
	return nil
}

// Unsubscribe ends that, and forgets what the phone was told.
func (p pushes) Unsubscribe(ctx context.Context, device string) error {
	return errors.Join(p.sender.Unsubscribe(ctx, device), p.hub.Forget(ctx, remote.Push, device))
}
