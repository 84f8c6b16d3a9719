package store

import (
	"errors"
	"testing"

	"beckon/backend/beckon"
)

func TestDraftsSurviveUntilTheAnswerIsSent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openStore(t, dir)
	ctx := t.Context()
	run := addRun(t, s, addTask(t, s, addProject(t, s, "KES").ID).ID)
	sent, expired, cleared := addQuestion(t, s, run), addQuestion(t, s, run), addQuestion(t, s, run)
	err := errors.Join(
		s.SaveDraft(ctx, sent.ID, "k"), s.SaveDraft(ctx, sent.ID, "keep"),
		s.SaveDraft(ctx, expired.ID, "rename"),
		s.SaveDraft(ctx, cleared.ID, "x"), s.SaveDraft(ctx, cleared.ID, ""),
		s.Close(),
	)
	if err != nil {
		t.Fatal(err)
	}

	s = openStore(t, dir)
	drafts, err := s.Drafts(ctx)
	same(t, drafts, map[string]string{sent.ID: "keep", expired.ID: "rename"}, err)

	_, answerErr := s.Settle(ctx, sent.ID, beckon.Answered, answer("keep"), "")
	_, expiryErr := s.Settle(ctx, expired.ID, beckon.Expired, nil, "")
	if err := errors.Join(answerErr, expiryErr); err != nil {
		t.Fatal(err)
	}
	drafts, err = s.Drafts(ctx)
	same(t, drafts, map[string]string{expired.ID: "rename"}, err)
}

func TestTextOfWhoAnsweredTooLateIsKept(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	ctx := t.Context()
	q := addAnswered(t, s, run)
	_, err := s.MarkDelivered(ctx, q.ID)
	err = errors.Join(err, s.SaveDraft(ctx, q.ID, "rather not, because"))
	if err != nil {
		t.Fatal(err)
	}
	drafts, err := s.Drafts(ctx)
	same(t, drafts, map[string]string{q.ID: "rather not, because"}, err)
	if err := s.SaveDraft(ctx, "none", "text"); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("a draft for no question: %v", err)
	}
}
