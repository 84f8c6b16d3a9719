package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
)

// post adds messages with the ids to a task.
func post(t *testing.T, s *Store, taskID string, ids ...string) {
	t.Helper()
	for _, id := range ids {
		m := beckon.Message{ID: id, TaskID: taskID, Text: "text of " + id}
		if err := s.AddMessage(t.Context(), &m); err != nil {
			t.Fatal(err)
		}
	}
}

// queueOf returns the ids of a task's messages, those handed over in brackets.
func queueOf(t *testing.T, s *Store, taskID string) string {
	t.Helper()
	list, err := s.Messages(t.Context(), taskID)
	if err != nil {
		t.Fatal(err)
	}
	ids := make([]string, 0, len(list))
	for _, m := range list {
		if m.Sent != 0 {
			m.ID = "[" + m.ID + "]"
		}
		ids = append(ids, m.ID)
	}
	return strings.Join(ids, " ")
}

func sendAt(t *testing.T, s *Store, id string, at int64) {
	t.Helper()
	if _, err := s.UpdateMessage(t.Context(), id, func(m *beckon.Message) error { m.Sent = at; return nil }); err != nil {
		t.Fatal(err)
	}
}

func TestAQueuedMessageGoesWhereItIsPut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id   string
		to   int
		want string
	}{
		{"c", 0, "[s] c a b d"},
		{"a", 2, "[s] b c a d"},
		{"a", 9, "[s] b c d a"},
		{"b", 1, "[s] a b c d"},
		{"d", -1, "[s] d a b c"},
	} {
		s := openStore(t, t.TempDir())
		task := addTask(t, s, addProject(t, s, "KES").ID)
		post(t, s, task.ID, "a", "s", "b", "c", "d")
		sendAt(t, s, "s", 5)
		if err := s.MoveMessage(t.Context(), c.id, c.to); err != nil {
			t.Fatal(err)
		}
		if got := queueOf(t, s, task.ID); got != c.want {
			t.Errorf("%s to %d: %s, want %s", c.id, c.to, got, c.want)
		}
		if err := s.MoveMessage(t.Context(), "s", 0); !errors.Is(err, beckon.ErrConflict) {
			t.Errorf("moving what the agent has: %v, want a conflict", err)
		}
	}
}

func TestWhatAnAgentNeverTookIsFirstAgain(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	task := addTask(t, s, addProject(t, s, "KES").ID)
	post(t, s, task.ID, "a", "b", "late", "early")
	sendAt(t, s, "late", 20)
	sendAt(t, s, "early", 10)
	if got := queueOf(t, s, task.ID); got != "[early] [late] a b" {
		t.Errorf("with two on their way: %s", got)
	}
	if next, ok, err := s.NextMessage(t.Context(), task.ID); err != nil || !ok || next.ID != "a" {
		t.Errorf("the next is %s, %v, %v; want a", next.ID, ok, err)
	}
	if err := s.Unsend(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	post(t, s, task.ID, "new")
	if got := queueOf(t, s, task.ID); got != "early late a b new" {
		t.Errorf("unsent: %s", got)
	}
}

func TestAThousandQueuedMessagesKeepTheirOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openStore(t, dir)
	task := addTask(t, s, addProject(t, s, "KES").ID)
	want := make([]string, 1000)
	for i := range want {
		want[i] = fmt.Sprintf("m%03d", i)
	}
	post(t, s, task.ID, want...)
	if err := errors.Join(s.MoveMessage(t.Context(), "m999", 0), s.Close()); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, dir)
	want = slices.Insert(want[:999], 0, "m999")
	if got := queueOf(t, s, task.ID); got != strings.Join(want, " ") {
		t.Errorf("after a restart: %.200s", got)
	}
}

func TestAMessageGoesWithItsTaskAndItsDraftWithIt(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx := t.Context()
	p := addProject(t, s, "KES")
	const typed = `{"text":"say <\"why\">\nto me ","images":[]}`
	kept, deleted := addTask(t, s, p.ID), addTask(t, s, p.ID)
	post(t, s, deleted.ID, "m")
	err := errors.Join(
		s.Drafts.SaveMessage(ctx, deleted.ID, "typed"), s.Drafts.SaveMessage(ctx, kept.ID, "ty"),
		s.Drafts.SaveMessage(ctx, kept.ID, typed),
		s.DeleteTask(ctx, deleted.ID))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Message(ctx, "m"); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("the message of a deleted task: %v", err)
	}
	drafts, err := s.Drafts.Messages(ctx)
	same(t, drafts, map[string]string{kept.ID: typed}, err)
	post(t, s, kept.ID, "written on a phone")
	drafts, err = s.Drafts.Messages(ctx)
	same(t, drafts, map[string]string{kept.ID: typed}, err)
	if err := s.AddMessage(ctx, &beckon.Message{ID: "sent", TaskID: kept.ID, Text: "say <\"why\">\nto me"}); err != nil {
		t.Fatal(err)
	}
	drafts, err = s.Drafts.Messages(ctx)
	same(t, drafts, map[string]string{}, err)
	if err := s.AddMessage(ctx, &beckon.Message{ID: "x", TaskID: "none"}); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("a message for no task: %v", err)
	}
}

func TestAnEditedMessageKeepsItsPlace(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	task := addTask(t, s, addProject(t, s, "KES").ID)
	post(t, s, task.ID, "a", "b", "c")
	image := beckon.Image{ID: "i", Name: "shot.png", Type: "image/png", Size: 3}
	_, err := s.ReplaceMessage(t.Context(), "b", beckon.Message{ID: "b2", Text: "else", Images: []beckon.Image{image}})
	if err != nil {
		t.Fatal(err)
	}
	if got := queueOf(t, s, task.ID); got != "a b2 c" {
		t.Errorf("edited: %s", got)
	}
	m, err := s.Message(t.Context(), "b2")
	same(t, m.Images, []beckon.Image{image}, err)
}
