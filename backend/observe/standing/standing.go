package main

import (
	"context"
	"log/slog"
	"sync"

	"beckon/backend/beckon"
)

// standing gives the standing answers that are to hold elsewhere, too, to sessions
// that Beckon did not start: once a question is recorded, and its hook waits for the
// answer. What only a terminal or its keys can answer is left to the user.
type standing struct {
	// answer gives a project's standing answer to a question, if there is one.
	answer   func(ctx context.Context, questionID, projectID string) error
	projects func(context.Context) ([]beckon.Project, error)

	mu     sync.Mutex
	asked  map[string]bool                  // questions from outside that are open
	hooked map[string]beckon.OutsideSession // by the question that its hook waits with
	tried  map[string]string                // by question: the repository that was known then
}

func newStanding(answer func(ctx context.Context, questionID, projectID string) error, projects func(context.Context) ([]beckon.Project, error)) *standing {
	return &standing{
		answer: answer, projects: projects,
		asked: map[string]bool{}, hooked: map[string]beckon.OutsideSession{}, tried: map[string]string{},
	}
}

// OnQuestion takes what became of a question. It waits for nothing.
func (s *standing) OnQuestion(q beckon.Question) {
	if q.Origin == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if q.Settlement != beckon.Open {
		delete(s.asked, q.ID)
		delete(s.hooked, q.ID)
		delete(s.tried, q.ID)
		return
	}
	s.asked[q.ID] = true
	s.try(q.ID)
}

// OnSession takes how a session elsewhere stands. It waits for nothing.
func (s *standing) OnSession(now beckon.OutsideSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, before := range s.hooked {
		if before.ID == now.ID {
			delete(s.hooked, id)
		}
	}
	for _, a := range now.Asks {
		if a.Way == beckon.WayHook {
			s.hooked[a.QuestionID] = now
			s.try(a.QuestionID)
		}
	}
}

// try looks for an answer once all is known that it takes. The caller holds mu.
func (s *standing) try(id string) {
	session, hooked := s.hooked[id]
	repo, before := s.tried[id]
	if !s.asked[id] || !hooked || before && repo == session.Repo {
		return
	}
	s.tried[id] = session.Repo
	go func() {
		ctx := context.Background()
		projects, err := s.projects(ctx)
		if err == nil {
			if p, found := beckon.ProjectAt(projects, session.Dir, session.Repo); found {
				err = s.answer(ctx, id, p.ID)
			}
		}
		if err != nil {
			slog.Error("look for a standing answer for a session elsewhere", "err", err, "question", id)
		}
	}()
}
