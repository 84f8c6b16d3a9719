package desk

import (
	"context"
	"errors"
	"fmt"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel"
	"beckon/backend/channel/phone/push"
)

// Pushes is what the page for phones may do about its notifications.
type Pushes struct {
	Sender *push.Sender
	Hub    *channel.Hub
}

// off is the error of what takes notifications while they are switched off.
func (p Pushes) off() error {
	if p.Hub.On(remote.Push) {
		return nil
	}
	return fmt.Errorf("notifications on phones are switched off: %w", beckon.ErrNotFound)
}

// Key returns the key with which a phone's browser subscribes; beckon.ErrNotFound
// while notifications are switched off.
func (p Pushes) Key(ctx context.Context) (string, error) {
	if err := p.off(); err != nil {
		return "", err
	}
	return p.Sender.Key(ctx)
}

// Subscribe has a phone notified as its browser says, first of what waits already.
func (p Pushes) Subscribe(ctx context.Context, device string, subscription []byte) error {
	if err := p.off(); err != nil {
		return err
	}
	if err := p.Sender.Subscribe(ctx, device, subscription); err != nil {
		return err
	}
	p.Hub.SendWaiting(ctx, remote.Push)
	return nil
}

// Unsubscribe ends that, and forgets what the phone was told.
func (p Pushes) Unsubscribe(ctx context.Context, device string) error {
	return errors.Join(p.Sender.Unsubscribe(ctx, device), p.Hub.Forget(ctx, remote.Push, device))
}
