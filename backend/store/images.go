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
	named, err := s.namedImages(ctx)
	if err != nil {
		return err
	}
	return s.Sweep(named, age)
}

// namedImages returns the ids of the images that messages and drafts name. A
// draft is the page's own text, so whatever looks like an id there counts.
func (s *Store) namedImages(ctx context.Context) (map[string]bool, error) {
	messages, err1 := s.AllMessages(ctx)
	drafts, err2 := s.MessageDrafts(ctx)
	named := map[string]bool{}
	for _, m := range messages {
		for _, i := range m.Images {
			named[i.ID] = true
		}
	}
	for _, text := range drafts {
		for _, id := range datadir.ImageIDs(text) {
			named[id] = true
		}
	}
	return named, errors.Join(err1, err2)
}
