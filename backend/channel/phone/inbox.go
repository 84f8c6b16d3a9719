package phone

import (
	"context"
	"net/http"

	"beckon/backend/beckon"
	"beckon/backend/channel/phone/view"
	"beckon/backend/store/away"
)

func (s *Server) inbox(r *http.Request, d away.Device) result {
	inbox, err := s.inboxOf(r.Context(), d)
	if err != nil {
		return failed(err)
	}
	inbox.Now = s.now().UnixMilli()
	return found(inbox)
}

// inboxOf is what a phone's inbox shows, without the time.
func (s *Server) inboxOf(ctx context.Context, d away.Device) (view.Inbox, error) {
	open, err := s.Desk.Open(ctx)
	if err != nil {
		return view.Inbox{}, err
	}
	answered, err := s.Desk.Answered(ctx, s.View.Today(s.now()))
	return s.View.Inbox(open, answered, d), err
}

// card returns one question with what was said before it.
func (s *Server) card(r *http.Request, d away.Device) result {
	a, err := s.find(r.Context(), r.PathValue("id"), d)
	if err != nil {
		return failed(err)
	}
	entries, err := s.Desk.Entries(r.Context(), a.Question)
	if err != nil {
		return failed(err)
	}
	return found(s.View.Card(a, entries, d))
}

// find returns a question that the phone may see.
func (s *Server) find(ctx context.Context, id string, d away.Device) (view.Asked, error) {
	if len(id) > maxID {
		return view.Asked{}, beckon.ErrNotFound
	}
	a, err := s.Desk.Asked(ctx, id)
	if err == nil && !a.SeenFrom(d) {
		err = beckon.ErrNotFound
	}
	return a, err
}
