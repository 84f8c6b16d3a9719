package store

import (
	"errors"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/store/reviewed"
)

func addComment(t *testing.T, s *Store, taskID, text string) reviewing.Comment {
	t.Helper()
	c := reviewing.Comment{
		ID: beckon.NewID(), TaskID: taskID, Text: text,
		CommentLines: reviewing.CommentLines{Path: "a.go", Side: reviewing.After, First: 1, Last: 1},
	}
	if err := s.Comments.Add(t.Context(), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEveryFieldOfACommentIsKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openStore(t, dir)
	task := addTask(t, s, addProject(t, s, "KES").ID)
	c := addComment(t, s, task.ID, "Why?")
	wanted := filledIn(reviewing.Comment{
		ID: c.ID, TaskID: task.ID, Number: c.Number, State: reviewing.CommentAnswered,
		CommentLines: reviewing.CommentLines{Side: reviewing.Before},
	})
	wanted.Outdated = false // it is computed
	_, err := s.Comments.Update(t.Context(), c.ID, func(c *reviewing.Comment) error { *c = wanted; return nil })
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, dir)
	got, err := s.Comments.One(t.Context(), c.ID)
	same(t, got, wanted, err)
}

// TestCommentsGoWithTheirMessage: both are there, or neither, and only once.
func TestCommentsGoWithTheirMessage(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx := t.Context()
	task := addTask(t, s, addProject(t, s, "KES").ID)
	one, other := addComment(t, s, task.ID, "One."), addComment(t, s, task.ID, "Other.")
	along := reviewed.WithComments(ctx, []string{one.ID, other.ID})
	m := beckon.Message{ID: "m1", TaskID: task.ID, Text: "Both."}
	if err := s.AddMessage(along, &m); err != nil {
		t.Fatal(err)
	}
	twin := beckon.Message{ID: "m2", TaskID: task.ID, Text: "Both."}
	if err := s.AddMessage(along, &twin); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("comments were sent twice: %v", err)
	}
	queue, err := s.Messages(ctx, task.ID)
	if err != nil || len(queue) != 1 {
		t.Errorf("%d messages take them, %v", len(queue), err)
	}
	if err := s.Comments.Delete(ctx, one.ID); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("what was sent is deleted: %v", err)
	}
	if _, err := s.ReplaceMessage(ctx, "m1", beckon.Message{ID: "m3", Text: "Both."}); err != nil {
		t.Fatal(err)
	}
	got, err := s.Comments.One(ctx, one.ID)
	if err != nil || got.MessageID != "m3" || got.State != reviewing.CommentSent || got.Sent == 0 {
		t.Errorf("a message is sent again under another id, and its comment is %+v, %v", got, err)
	}
	if err := s.RemoveMessage(reviewed.TakingBack(ctx), "m3"); err != nil {
		t.Fatal(err)
	}
	if got, err = s.Comments.One(ctx, one.ID); err != nil || got.State != reviewing.CommentDraft || got.Sent != 0 {
		t.Errorf("its message is taken back, and the comment is %+v, %v", got, err)
	}
	if err := errors.Join(s.AddMessage(along, &m), s.RemoveMessage(ctx, "m1")); err != nil {
		t.Fatal(err)
	}
	if got, err = s.Comments.One(ctx, one.ID); err != nil || got.State != reviewing.CommentSent {
		t.Errorf("the agent has its message, and the comment is %+v, %v", got, err)
	}
}

func TestATaskHasOnlySoManyComments(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	task := addTask(t, s, addProject(t, s, "KES").ID)
	for n := 1; n <= reviewing.CommentMaxTask; n++ {
		if c := addComment(t, s, task.ID, "x"); c.Number != n {
			t.Fatalf("comment %d has the number %d", n, c.Number)
		}
	}
	more := reviewing.Comment{ID: "more", TaskID: task.ID, CommentLines: reviewing.CommentLines{Side: reviewing.After}}
	if err := s.Comments.Add(t.Context(), &more); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("there is another: %v", err)
	}
	more.TaskID = "gone"
	if err := s.Comments.Add(t.Context(), &more); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("a task that is gone has one: %v", err)
	}
}
