package store

import (
	"context"
	"errors"
	"time"

	"beckon/backend/store/datadir"
)

// SweepImages removes the images that no message and no draft names, once they
// are older than age.
func (s *Store) SweepImages(ctx context.Context, age time.Duration) error {
	messages, err1 := s.AllMessages(ctx)
	drafts, err2 := s.Drafts.Messages(ctx)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	return s.Sweep(datadir.NamedImages(messages, drafts), age)
}
