package question

import (
	"context"

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
