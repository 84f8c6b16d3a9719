package store

import (
	"errors"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

func TestDraftsSurviveUntilTheAnswerIsSent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openStore(t, dir)
	ctx := t.Context()
	run := addRun(t, s, addTask(t, s, addProject(t, s, "KES").ID).ID)
	sent, expired, cleared, afar := addQuestion(t, s, run), addQuestion(t, s, run),
		addQuestion(t, s, run), addQuestion(t, s, run)
	err := errors.Join(
		s.Drafts.Save(ctx, sent.ID, "k"), s.Drafts.Save(ctx, sent.ID, "keep"),
		s.Drafts.Save(ctx, expired.ID, "rename"), s.Drafts.Save(ctx, afar.ID, "rather not"),
		s.Drafts.Save(ctx, cleared.ID, "x"), s.Drafts.Save(ctx, cleared.ID, ""),
		s.Close(),
	)
	if err != nil {
		t.Fatal(err)
	}

	s = openStore(t, dir)
	drafts, err := s.Drafts.All(ctx)
	same(t, drafts, map[string]string{sent.ID: "keep", expired.ID: "rename", afar.ID: "rather not"}, err)

	_, answerErr := s.Settle(ctx, sent.ID, beckon.Answered, answer("keep"), nil)
	_, expiryErr := s.Settle(ctx, expired.ID, beckon.Expired, nil, nil)
	fromPhone := answer("keep")
	fromPhone.By = beckon.ByPhone
	_, afarErr := s.Settle(ctx, afar.ID, beckon.Answered, fromPhone, nil)
	if err := errors.Join(answerErr, expiryErr, afarErr); err != nil {
		t.Fatal(err)
	}
	drafts, err = s.Drafts.All(ctx)
	same(t, drafts, map[string]string{expired.ID: "rename", afar.ID: "rather not"}, err)
}

func TestTextOfWhoAnsweredTooLateIsKept(t *testing.T) {
	t.Parallel()
	s, run := withRun(t)
	ctx := t.Context()
	q := addAnswered(t, s, run)
	_, err := s.MarkDelivered(ctx, q.ID, "")
	err = errors.Join(err, s.Drafts.Save(ctx, q.ID, "rather not, because"))
	if err != nil {
		t.Fatal(err)
	}
	drafts, err := s.Drafts.All(ctx)
	same(t, drafts, map[string]string{q.ID: "rather not, because"}, err)
	if err := s.Drafts.Save(ctx, "none", "text"); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("a draft for no question: %v", err)
	}
}

// TestWhatWasTypedGoesAlongWhereASessionElsewhereAsksAgain, as after Beckon died,
// and to no other question.
func TestWhatWasTypedGoesAlongWhereASessionElsewhereAsksAgain(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx := t.Context()
	ask := func(session, text string) beckon.Question {
		t.Helper()
		run := beckon.Run{Kind: beckon.ExternalRun, Session: session}
		q := beckon.Question{
			ID: beckon.NewID(), Kind: beckon.Ask, Policy: beckon.Wait, Settlement: beckon.Open, Asked: 1,
			Items: []beckon.QuestionItem{{Text: text}},
		}
		err := s.AddRun(ctx, &run)
		q.RunID = run.ID
		if err := errors.Join(err, s.AddQuestion(ctx, q)); err != nil {
			t.Fatal(err)
		}
		return q
	}
	first, open := ask("one", "Which?"), ask("two", "Which?")
	_, err := s.Settle(ctx, first.ID, beckon.Withdrawn, nil, reason.Said("Beckon died"))
	if err := errors.Join(err, s.Drafts.Save(ctx, first.ID, "half"), s.Drafts.Save(ctx, open.ID, "of two")); err != nil {
		t.Fatal(err)
	}
	ask("one", "Which other?")
	ask("two", "Which?") // the first is still open
	ask("", "Which?")
	drafts, err := s.Drafts.All(ctx)
	same(t, drafts, map[string]string{first.ID: "half", open.ID: "of two"}, err)
	again := ask("one", "Which?")
	drafts, err = s.Drafts.All(ctx)
	same(t, drafts, map[string]string{again.ID: "half", open.ID: "of two"}, err)
}
