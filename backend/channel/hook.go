package channel

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
)

// HookSender sends to an address that the user chose.
type HookSender interface {
	Sender
	// Check returns the host of an address, or beckon.ErrInvalid with what is
	// wrong with it.
	Check(a remote.Address) (host string, err error)
}

// Secrets of the hook.
const (
	HookURL = "url"
	HookKey = "key"
)

// SetHook keeps where the hook sends to, and returns the key by which its receiver
// knows that a message is Beckon's: a new one each time, which is shown once. What
// was to be told goes to the new address.
func (h *Hub) SetHook(ctx context.Context, a remote.Address) (key string, err error) {
	host, err := h.Hook.Check(a)
	if err != nil {
		return "", err
	}
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // it never fails
	key = hex.EncodeToString(raw)
	err = errors.Join(h.Secrets.Set(string(remote.Hook)+"."+HookURL, a.URL), h.Secrets.Set(string(remote.Hook)+"."+HookKey, key))
	if err == nil {
		err = h.set(ctx, remote.Hook, func(s *remote.Setup) error {
			s.To, s.Shape = host, a.Shape
			return nil
		})
	}
	if err != nil {
		return "", err
	}
	h.lines[remote.Hook].reset()
	h.publish(ctx)
	return key, nil
}

// TryHook sends the hook a message that says what it is, at once, whether the hook
// is on or not.
func (h *Hub) TryHook(ctx context.Context) error {
	l := h.lines[remote.Hook]
	letter := Letter{ID: beckon.NewID(), Event: Test, Time: time.Now().UnixMilli()}
	letter.Title = h.say(ctx, "", string(Test), letter)
	err := l.sender.Send(ctx, l.recipient(h.all()[remote.Hook], ""), letter)
	var f *Failure
	if errors.As(err, &f) {
		l.note("", f)
		h.publish(ctx)
		return f.explain()
	}
	return err
}
