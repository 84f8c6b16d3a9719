package datadir

import (
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
	"beckon/backend/beckon/problem"
	"beckon/backend/disk"
)

// imageID is the form of an image's id: what it is called by its bytes.
var imageID = regexp.MustCompile(`\b[0-9a-f]{64}\b`)

// Images are the images of messages: files, named by their bytes.
type Images struct{ dir string }

// ImagesOf returns the images of the data folder dir.
func ImagesOf(dir string) Images { return Images{filepath.Join(dir, "images")} }

// NamedImages returns the ids of the images that messages and drafts name. A draft
// is the page's own text, so whatever looks like an id there counts.
func NamedImages(messages []beckon.Message, drafts map[string]string) map[string]bool {
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
	return named
}

// KeepImage keeps an image for messages that will name it and returns its id.
// The same image has the same id, and is kept once.
func (i Images) KeepImage(data []byte) (id string, err error) {
	sum := sha256.Sum256(data)
	id = hex.EncodeToString(sum[:])
	if err := os.MkdirAll(i.dir, 0o700); err != nil {
		return "", err
	}
	return id, disk.Replace(filepath.Join(i.dir, id), data)
}

// Image reads a kept image. One that is gone is beckon.ErrNotFound, and what
// cannot be an id is beckon.ErrInvalid: it would be a path.
func (i Images) Image(id string) ([]byte, error) {
	if imageID.FindString(id) != id || id == "" {
		return nil, fmt.Errorf("%.100q names no image: %w", id, beckon.ErrInvalid)
	}
	data, err := os.ReadFile(filepath.Join(i.dir, id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, problem.New(problem.ImageGone,
			fmt.Errorf("the image is no longer kept; add it again: %w", beckon.ErrNotFound))
	}
	return data, err
}

// Sweep removes the images that are not named, once they are older than age.
func (i Images) Sweep(named map[string]bool, age time.Duration) error {
	files, err := os.ReadDir(i.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, file := range files {
		info, err := file.Info()
		if err != nil || named[file.Name()] || time.Since(info.ModTime()) < age {
			continue // one that cannot be looked at is looked at another time
		}
		if err := os.Remove(filepath.Join(i.dir, file.Name())); err != nil {
			return err
		}
	}
	return nil
}
