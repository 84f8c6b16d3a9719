package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/disk"
)

// imageID is the form of an image's id: what it is called by its bytes.
var imageID = regexp.MustCompile(`\b[0-9a-f]{64}\b`)

func (s *Store) images() string { return filepath.Join(s.dir, "images") }

// KeepImage keeps an image for messages that will name it and returns its id.
// The same image has the same id, and is kept once.
func (s *Store) KeepImage(data []byte) (id string, err error) {
	sum := sha256.Sum256(data)
	id = hex.EncodeToString(sum[:])
	if err := os.MkdirAll(s.images(), 0o700); err != nil {
		return "", err
	}
	return id, disk.Replace(filepath.Join(s.images(), id), data)
}

// Image reads a kept image. One that is gone is beckon.ErrNotFound, and what
// can not be an id is beckon.ErrInvalid: it would be a path.
func (s *Store) Image(id string) ([]byte, error) {
	if imageID.FindString(id) != id || id == "" {
		return nil, fmt.Errorf("%.100q names no image: %w", id, beckon.ErrInvalid)
	}
	data, err := os.ReadFile(filepath.Join(s.images(), id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the image is not kept any more; add it again: %w", beckon.ErrNotFound)
	}
	return data, err
}

// SweepImages removes the images that no message and no draft names, once they
// are older than age.
func (s *Store) SweepImages(ctx context.Context, age time.Duration) error {
	files, err := os.ReadDir(s.images())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	named, err := s.namedImages(ctx)
	if err != nil {
		return err
	}
	for _, file := range files {
		info, err := file.Info()
		if err != nil || named[file.Name()] || time.Since(info.ModTime()) < age {
			continue // one that can not be looked at is looked at another time
		}
		if err := os.Remove(filepath.Join(s.images(), file.Name())); err != nil {
			return err
		}
	}
	return nil
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
		for _, id := range imageID.FindAllString(text, -1) {
			named[id] = true
		}
	}
	return named, errors.Join(err1, err2)
}
