package review

import (
	"context"
	"errors"
	"fmt"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/store/reviewed"
)

// Send brings all drafts of a task to its agent, as one message: behind what it is at,
// so that nothing of that is cut short and no question is withdrawn, or by resuming
// the task. Where that cannot be, they are drafts still. It returns how many they are.
func (s *Comments) Send(ctx context.Context, taskID string) (int, error) {
	if err := s.Agents.AwaitEnd(ctx, taskID); err != nil {
		return 0, err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	drafts, err := s.drafts(ctx, taskID)
	if err != nil {
		return 0, err
	}
	ids := make([]string, 0, len(drafts))
	for _, c := range drafts {
		ids = append(ids, c.ID)
	}
	text := message(drafts)
	if len(text) > beckon.MaxBrief {
		err := fmt.Errorf("%d comments are more than fits one message: send some of them first: %w", len(drafts), beckon.ErrInvalid)
		return 0, problem.New(problem.LongComments, err)
	}
	if err := s.send(reviewed.WithComments(ctx, ids), taskID, text); err != nil {
		return 0, errors.Join(err, s.publishCounts(ctx, taskID))
	}
	s.wait(taskID)
	return len(drafts), s.publishCounts(ctx, taskID)
}

// drafts returns those of a task, where their lines are by now.
func (s *Comments) drafts(ctx context.Context, taskID string) ([]reviewing.Comment, error) {
	list, err := s.List(ctx, taskID)
	if err != nil {
		return nil, err
	}
	var drafts []reviewing.Comment
	for _, c := range list {
		if c.State == reviewing.CommentDraft {
			drafts = append(drafts, c)
		}
	}
	if len(drafts) == 0 {
		return nil, problem.New(problem.NoComments, fmt.Errorf("there is no comment that was not sent: %w", beckon.ErrConflict))
	}
	return drafts, nil
}

// send gives the message to the run that has the session, or to one that resumes it.
func (s *Comments) send(ctx context.Context, taskID, text string) error {
	switch kind, live := s.Agents.Live(taskID); {
	case live && kind != beckon.TaskRun:
		err := fmt.Errorf("a chat is open on this task, which does not have its session: end it first: %w", beckon.ErrConflict)
		return problem.New(problem.ChatOpen, err)
	case live:
		_, err := s.Agents.SendMessage(ctx, taskID, beckon.NewMessage{Text: text, Manner: beckon.Queue})
		return err
	}
	_, err := s.Agents.SendBack(ctx, taskID, beckon.NewMessage{Text: text})
	return err
}

// RemoveMessage takes back a message that the agent has not taken: the comments that
// went along are drafts again.
func (s *Comments) RemoveMessage(ctx context.Context, id string) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	taskID, err := s.Kept.TaskOf(ctx, id)
	if err != nil {
		return err
	}
	if err := s.Agents.RemoveMessage(reviewed.TakingBack(ctx), id); err != nil || taskID == "" {
		return err
	}
	return s.publishCounts(ctx, taskID)
}
