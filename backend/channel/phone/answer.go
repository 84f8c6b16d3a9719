package phone

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/channel/phone/view"
	"beckon/backend/store/away"
)

// given is an answer as a phone sends it.
type given struct {
	Answer beckon.Answer `json:"answer"`
	Sure   bool          `json:"sure"` // of what destroys something
}

// decodeAnswer reads what a phone sends, without what only Beckon itself may say.
func decodeAnswer(text []byte) (given, error) {
	var g given
	if err := decode(text, &g); err != nil {
		return g, err
	}
	g.Answer.By, g.Answer.ByName, g.Answer.At = "", "", 0
	return g, nil
}

// answer settles a question.
func (s *Server) answer(r *http.Request, d away.Device) result {
	a, err := s.find(r.Context(), r.PathValue("id"), d)
	var text json.RawMessage
	if err == nil {
		err = read(r, &text)
	}
	if err != nil {
		return failed(err)
	}
	g, err := decodeAnswer(text)
	if err != nil {
		return failed(err)
	}
	switch q := a.Question; {
	case !a.TakenFrom(d) || beyond(g.Answer):
		return mayNot
	case destroys(q, g.Answer) && !g.Sure:
		return refused(http.StatusPreconditionRequired, string(problem.Sure), "This destroys something: it takes a second press.")
	}
	if g.Answer, err = s.View.Unmask(a.Question, g.Answer); err == nil {
		err = s.Desk.Answer(r.Context(), a.Question.ID, g.Answer, d.Name)
	}
	if err == nil {
		s.answered(r.Context(), d)
	}
	return s.settled(r, d, err)
}

// answered writes down that a phone answered.
func (s *Server) answered(ctx context.Context, d away.Device) {
	if err := s.Book.Answered(ctx, d.ID); err != nil {
		slog.Error("when a phone answered is not written down", "err", err)
	}
	s.Changed()
}

// beyond reports whether an answer does what is done at the desk only: makes a rule that
// answers for the project from then on, or has an agent ask less than a plan's two
// buttons say.
func beyond(a beckon.Answer) bool {
	modes := []beckon.PermissionMode{"", beckon.ModeDefault, beckon.ModeAcceptEdits}
	return a.Standing || a.Project || !slices.Contains(modes, a.Mode)
}

func destroys(q beckon.Question, a beckon.Answer) bool {
	return q.Permission != nil && q.Permission.Destructive && (a.Verdict == beckon.AllowOnce || a.Verdict == beckon.AllowAlways)
}

// settled is the result of what was done to a question. Who came too late reads how it
// was settled.
func (s *Server) settled(r *http.Request, d away.Device, err error) result {
	if !errors.Is(err, beckon.ErrConflict) {
		return done(err)
	}
	late := struct {
		failure
		Settled *view.Answered `json:"settled,omitempty"`
	}{failure: failure{beckon.Code(err), err.Error()}}
	if a, err := s.Desk.Asked(r.Context(), r.PathValue("id")); err == nil {
		settled := s.View.Settled(a, d)
		late.Settled = &settled
	}
	return result{http.StatusConflict, late}
}

// hold stops a question's clock, or lets it go on.
func (s *Server) hold(r *http.Request, d away.Device) result {
	a, err := s.find(r.Context(), r.PathValue("id"), d)
	var wanted struct{ Held bool }
	if err == nil {
		err = read(r, &wanted)
	}
	if err == nil && !a.TakenFrom(d) {
		return mayNot
	}
	if err == nil {
		err = s.Desk.Hold(r.Context(), a.Question.ID, wanted.Held)
	}
	return s.settled(r, d, err)
}

// stopTask ends a task's agent.
func (s *Server) stopTask(r *http.Request, d away.Device) result {
	if !d.Rights.Steer {
		return mayNot
	}
	return done(s.Desk.Stop(r.Context(), r.PathValue("id")))
}

// message writes to a task's agent. The page names it, so that one that it sends again
// is written once.
func (s *Server) message(r *http.Request, d away.Device) result {
	if !d.Rights.Steer {
		return mayNot
	}
	var m struct{ ID, Text string }
	err := read(r, &m)
	switch {
	case err != nil:
	case m.ID == "" || len(m.ID) > maxID:
		err = beckon.Invalid("the message has no id")
	case strings.TrimSpace(m.Text) == "":
		err = beckon.Invalid("the message is empty")
	default:
		err = s.Desk.Message(r.Context(), r.PathValue("id"), m.Text, "phone/"+d.ID+"/"+m.ID)
	}
	return done(err)
}
