package board

import (
	"context"
	"errors"

	"beckon/backend/beckon"
	"beckon/backend/board/check"
)

// SaveDraft keeps what was typed as an answer; empty text drops it.
func (p *Page) SaveDraft(ctx context.Context, questionID, text string) error {
	if err := check.Draft(text); err != nil {
		return err
	}
	return p.store.Drafts.Save(ctx, questionID, text)
}

// Drafts returns all that was typed and not sent, in no order.
func (p *Page) Drafts(ctx context.Context) ([]beckon.Draft, error) {
	answers, err1 := p.store.Drafts.All(ctx)
	messages, err2 := p.store.Drafts.Messages(ctx)
	drafts := make([]beckon.Draft, 0, len(answers)+len(messages))
	for id, text := range answers {
		drafts = append(drafts, beckon.Draft{QuestionID: id, Text: text})
	}
	for id, text := range messages {
		drafts = append(drafts, beckon.Draft{TaskID: id, Text: text})
	}
	return drafts, errors.Join(err1, err2)
}

// SaveMessageDraft keeps what was typed as a message to a task's agent; empty
// text drops it.
func (p *Page) SaveMessageDraft(ctx context.Context, taskID, text string) error {
	if err := check.Draft(text); err != nil {
		return err
	}
	return p.store.Drafts.SaveMessage(ctx, taskID, text)
}
