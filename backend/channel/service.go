package channel

import (
	"context"
	"errors"
	"maps"

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
}

// Join adds a channel that is a service, and starts it where the user switched it on.
func (h *Hub) Join(ctx context.Context, channel remote.Channel, s Service) error {
	h.joining.Lock()
	services := map[remote.Channel]Service{channel: s}
	maps.Copy(services, h.services)
	h.services = services
	h.joining.Unlock()
	if !h.all()[channel].On {
		return nil
	}
	return s.Start(ctx)
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
