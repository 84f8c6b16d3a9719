package reviewed

import (
	"context"
	"database/sql"

	"beckon/backend/beckon"
)

// along is the key of what a context says of messages: the ids of the drafts that go
// along with the one that is added.
type along struct{}

// WithComments returns a context in which the message that is added takes these drafts
// along, and gives them back where it is removed.
func WithComments(ctx context.Context, ids []string) context.Context {
	return context.WithValue(ctx, along{}, ids)
}

// TakingBack returns a context in which a message that is removed gives its comments
// back: they are drafts again.
func TakingBack(ctx context.Context) context.Context { return WithComments(ctx, nil) }

// CommentsAdded marks the drafts that go along with a message, in the transaction that adds
// it. Where one of them was sent or deleted meanwhile it is ErrSent.
func CommentsAdded(ctx context.Context, tx *sql.Tx, messageID string) error {
	ids, _ := ctx.Value(along{}).([]string)
	for _, id := range ids {
		done, err := tx.ExecContext(ctx, "UPDATE comment SET message_id = ?, sent = ? WHERE id = ? AND message_id = ''",
			messageID, beckon.Now(), id)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n != 1 {
			return ErrSent
		}
	}
	return nil
}

// CommentsRemoved gives the comments of a message back where it is taken back, in the
// transaction that removes it. One that its agent has keeps them.
func CommentsRemoved(ctx context.Context, tx *sql.Tx, messageID string) error {
	if _, back := ctx.Value(along{}).([]string); !back {
		return nil
	}
	return giveBack(ctx, tx, messageID)
}
