package question

import (
	"context"
	"fmt"

	"beckon/backend/beckon"
)

// Offer changes what an open permission would allow always, where that came out
// after it was asked.
func (d *Desk) Offer(ctx context.Context, id, always string, lasting []string) error {
	p := cleanQuestion(beckon.Question{Permission: &beckon.PermissionRequest{Always: always, Lasting: lasting}}).Permission
	q, err := d.store.Offer(ctx, id, p.Always, p.Lasting)
	if err != nil {
		return err
	}
	d.publishNewest(ctx, q)
	return nil
}

// Leave records and shows a question of Beckon's own, on which no agent waits. Its answer
// goes to Owner.DeliverAnswer, at once or after a restart. One that cannot be shown is
// beckon.ErrInvalid.
func (d *Desk) Leave(ctx context.Context, q beckon.Question) error {
	why := q.Reason
	q = d.begin(cleanQuestion(q))
	if err := checkQuestion(q); err != nil {
		return err
	}
	q.Settlement, q.Reason = beckon.Orphaned, why
	if err := d.store.AddQuestion(ctx, q); err != nil {
		return fmt.Errorf("record question: %w", err)
	}
	d.publishNewest(ctx, q)
	return nil
}
