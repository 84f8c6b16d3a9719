package watch

import (
	"context"
	"log/slog"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/observe"
)

// This file gives the standing answers that are to hold elsewhere, too, to
// sessions that Beckon did not start: once a question is recorded, and its hook waits
// for the answer. What only a terminal or its keys can answer is left to the user.

// StandingConfig is what Answers work with.
type StandingConfig struct {
	// Answer gives a project's standing answer to a question, if there is one.
	Answer   func(ctx context.Context, questionID, projectID string) error
	Projects func(context.Context) ([]beckon.Project, error)
}

// StandingAnswers look for the standing answers. They are safe for use from several
// goroutines.
type StandingAnswers struct {
	StandingConfig
	working sync.WaitGroup

	mu     sync.Mutex
	closed bool
	asked  map[string]bool                  // questions from outside that are open
	hooked map[string]beckon.OutsideSession // by the question that its hook waits with
	tried  map[string]string                // by question: the repository that was known then
}

// NewStanding returns Answers that know of no question yet.
func NewStanding(c StandingConfig) *StandingAnswers {
	return &StandingAnswers{StandingConfig: c, asked: map[string]bool{}, hooked: map[string]beckon.OutsideSession{}, tried: map[string]string{}}
}

// OnQuestion takes what became of a question. It waits for nothing.
func (a *StandingAnswers) OnQuestion(q beckon.Question) {
	if q.Origin == "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if q.Settlement != beckon.Open {
		delete(a.asked, q.ID)
		delete(a.hooked, q.ID)
		delete(a.tried, q.ID)
		return
	}
	a.asked[q.ID] = true
	a.try(q.ID)
}

// OnSession takes how a session elsewhere stands. It waits for nothing.
func (a *StandingAnswers) OnSession(now beckon.OutsideSession) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, before := range a.hooked {
		if before.ID == now.ID {
			delete(a.hooked, id)
		}
	}
	for _, open := range now.Asks {
		if open.Way == beckon.WayHook {
			a.hooked[open.QuestionID] = now
			a.try(open.QuestionID)
		}
	}
}

// try looks for an answer once all is known that it takes. The caller holds mu.
func (a *StandingAnswers) try(id string) {
	session, hooked := a.hooked[id]
	repo, before := a.tried[id]
	if !a.asked[id] || !hooked || before && repo == session.Repo || a.closed {
		return
	}
	a.tried[id] = session.Repo
	a.working.Go(func() {
		if err := a.answerQuestion(context.Background(), id, session); err != nil {
			slog.Error("look for a standing answer for a session elsewhere", "err", err, "question", id)
		}
	})
}

// answerQuestion answers a question where the session's project has an answer to it.
func (a *StandingAnswers) answerQuestion(ctx context.Context, id string, session beckon.OutsideSession) error {
	projects, err := a.Projects(ctx)
	if err != nil {
		return err
	}
	p, found := observe.ProjectOf(projects, session.Dir, session.Repo)
	if !found {
		return nil
	}
	return a.Answer(ctx, id, p.ID)
}

// Close looks for no answer any more, and waits for what is being given.
func (a *StandingAnswers) Close() {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	a.working.Wait()
}
