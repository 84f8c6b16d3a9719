package channel

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/remote"
)

// Switch switches a channel on or off. One that is switched off forgets what it was
// to tell.
func (h *Hub) Switch(ctx context.Context, channel remote.Channel, on bool) error {
	service := h.joined()[channel]
	h.leave(channel)
	if service != nil && on {
		if err := service.Start(ctx); err != nil {
			return err // it says what is missing
		}
	}
	if service == nil && on {
		if err := h.ready(ctx, channel); err != nil {
			return err
		}
	}
	err := h.set(ctx, channel, func(s *remote.Setup) error {
		s.On = on
		return nil
	})
	if err != nil {
		return err
	}
	if !on {
		if service != nil {
			service.Stop()
		}
		err = h.Store.Told.Forget(ctx, channel)
	} else if service == nil {
		h.begin(ctx, channel)
	}
	if line := h.lines[channel]; line != nil {
		line.reset()
	}
	err = errors.Join(err, h.endPush(ctx))
	h.publish(ctx)
	return err
}

// endPush switches push off where phones have no page: what is pushed opens there.
func (h *Hub) endPush(ctx context.Context) error {
	if h.On(remote.Phone) || !h.On(remote.Push) {
		return nil
	}
	return h.Switch(ctx, remote.Push, false)
}

// ready returns what is missing for a channel with a line to be switched on.
func (h *Hub) ready(ctx context.Context, channel remote.Channel) error {
	switch setups := h.all(); {
	case channel == remote.Hook && setups[channel].To == "":
		return problem.New(problem.NoAddress, beckon.Invalid("it has no address yet; enter one, then switch it on"))
	case channel == remote.Push && !setups[remote.Phone].On:
		return problem.New(problem.PhoneAway, beckon.Invalid("phones are switched off; switch their page on first"))
	case channel == remote.Push && h.Push != nil:
		return h.Push.Ready(ctx)
	}
	return nil
}

// On reports whether a channel is switched on.
func (h *Hub) On(channel remote.Channel) bool { return h.all()[channel].On }

// SendWaiting has a channel send what waits, as when it has a new addressee.
func (h *Hub) SendWaiting(ctx context.Context, channel remote.Channel) {
	if h.lines[channel] != nil && h.On(channel) {
		h.begin(ctx, channel)
	}
}

// Forget forgets what somebody was told by a channel, and is to be.
func (h *Hub) Forget(ctx context.Context, channel remote.Channel, receiver string) error {
	return h.lines[channel].gone(ctx, receiver)
}

// Link leads to a question on the page for phones; empty while that is off.
func (h *Hub) Link(questionID string) string {
	phone := h.all()[remote.Phone]
	if !phone.On || phone.To == "" {
		return ""
	}
	return phone.To + "/#/q/" + url.PathEscape(questionID)
}

// SwitchOff switches everything off that leaves this computer.
func (h *Hub) SwitchOff(ctx context.Context) error {
	var errs []error
	for _, channel := range shown {
		if h.lines[channel] != nil || h.joined()[channel] != nil {
			errs = append(errs, h.Switch(ctx, channel, false))
		}
	}
	return errors.Join(errs...)
}

// Choose has an optional part leave, or not.
func (h *Hub) Choose(ctx context.Context, channel remote.Channel, part remote.Part, on bool) error {
	err := h.set(ctx, channel, func(s *remote.Setup) error {
		if !slices.Contains(leaves[channel].optional, part) {
			return fmt.Errorf("%q is no choice of %q: %w", part, channel, beckon.ErrInvalid)
		}
		s.Chosen = slices.DeleteFunc(slices.Clone(s.Chosen), func(p remote.Part) bool { return p == part })
		if on {
			s.Chosen = append(s.Chosen, part)
		}
		return nil
	})
	if err == nil && on {
		h.SendWaiting(ctx, channel)
	}
	h.publish(ctx)
	return err
}

// set changes how a channel is set up, on the disk before anything follows it.
func (h *Hub) set(ctx context.Context, channel remote.Channel, change func(*remote.Setup) error) error {
	if h.lines[channel] == nil && h.joined()[channel] == nil {
		return fmt.Errorf("there is no channel %q: %w", channel, beckon.ErrInvalid)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.setups[channel]
	if err := change(&s); err != nil {
		return err
	}
	all := maps.Clone(h.setups)
	all[channel] = s
	if err := h.Store.Settings.SaveChannels(ctx, all); err != nil {
		return err
	}
	h.setups = all
	return nil
}
