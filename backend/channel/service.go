package channel

import (
	"context"
	"errors"
	"maps"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
)

// Service is a channel that is spoken to both ways, and has no line: it keeps what it
// tells itself.
type Service interface {
	// Start begins to tell; an error says what is missing.
	Start(ctx context.Context) error
	Stop()
	// OnEvent takes what happened, and does not wait.
	OnEvent(beckon.Event)
	// Trouble is why nothing goes; empty for none.
	Trouble() (remote.Trouble, string)
	// Refused is how much was refused, and when that was last, in Unix milliseconds.
	Refused() (n int, last int64)
}

// Join adds a channel that is a service, and starts it where the user switched it on.
func (h *Hub) Join(ctx context.Context, channel remote.Channel, s Service) error {
	h.joining.Lock()
	services := map[remote.Channel]Service{channel: s}
	maps.Copy(services, h.services)
	h.services = services
	h.joining.Unlock()
	if !h.On(channel) {
		return nil
	}
	err := s.Start(ctx)
	if err != nil && !errors.Is(err, beckon.ErrInvalid) {
		h.starting.Lock()
		h.late[channel] = true
		h.starting.Unlock()
		h.ended.Go(func() { h.startLate(channel, s) })
	}
	return err
}

// startEvery is how often a service is started that could not be.
const startEvery = 15 * time.Second

// startLate starts a service that could not be when Beckon started, as while the key
// ring was locked. It leaves it to the user once they switch it.
func (h *Hub) startLate(channel remote.Channel, s Service) {
	for {
		select {
		case <-h.ctx.Done():
			return
		case <-time.After(h.Every):
		}
		h.starting.Lock()
		is := h.late[channel] && h.On(channel)
		var err error
		if is {
			err = s.Start(h.ctx)
		}
		h.starting.Unlock()
		if !is || err == nil || errors.Is(err, beckon.ErrInvalid) {
			h.Changed()
			return
		}
	}
}

// leave has a service started and stopped by the user alone from now on.
func (h *Hub) leave(channel remote.Channel) {
	h.starting.Lock() // waits for a start that is under way
	defer h.starting.Unlock()
	delete(h.late, channel)
}

// joined returns the channels that are services. The map is never changed.
func (h *Hub) joined() map[remote.Channel]Service {
	h.joining.Lock()
	defer h.joining.Unlock()
	return h.services
}

// Changed tells the page how the channels go, as after a service met trouble. It
// does not wait.
func (h *Hub) Changed() {
	h.ended.Go(func() { h.publish(h.ctx) })
}

// May reports whether a part leaves by a channel as the user set it.
func (h *Hub) May(channel remote.Channel, part remote.Part) bool {
	return may(channel, h.all()[channel], part)
}

// Name keeps whom a service tells, such as a bot's name; empty: nobody, and it is
// switched off.
func (h *Hub) Name(ctx context.Context, channel remote.Channel, to string) error {
	err := h.set(ctx, channel, func(s *remote.Setup) error {
		s.To, s.On = to, s.On && to != ""
		return nil
	})
	err = errors.Join(err, h.endPush(ctx))
	h.publish(ctx)
	return err
}

// To names whom a channel tells; empty: nobody yet.
func (h *Hub) To(channel remote.Channel) string { return h.all()[channel].To }
