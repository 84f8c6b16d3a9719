package review

import (
	"context"

	"beckon/backend/beckon/reviewing"
)

// How much of a file is shown at once beside what changed in it.
const (
	mostLines = 2000
	mostBytes = 512 << 10
)

// Stretch returns lines of a file as it is in a task's work, as many of them as a page
// takes at once. A file that is not there any more has none.
func (s *Comments) Stretch(ctx context.Context, taskID string, of reviewing.Stretch) (reviewing.Lines, error) {
	files, err := s.Shown(ctx, taskID, of)
	if err != nil {
		return reviewing.Lines{}, err
	}
	file := files[of.Path]
	found := reviewing.Lines{First: max(1, of.First), Lines: []string{}, Total: len(file)}
	size := 0
	for n := found.First; n <= min(of.Last, len(file), found.First+mostLines-1); n++ {
		if size += len(file[n-1]); size > mostBytes {
			break
		}
		found.Lines = append(found.Lines, file[n-1])
	}
	return found, nil
}

// Picture returns an image of a task's changes. What is not there, or is no image, has
// no URL.
func (s *Comments) Picture(ctx context.Context, taskID string, of reviewing.Side) (reviewing.Picture, error) {
	content, size, err := s.Content(ctx, taskID, of, Most)
	if err != nil {
		return reviewing.Picture{}, err
	}
	p := pictureOf(of.Path, content)
	p.Bytes, p.Large = size, p.Large || size > Most
	return p, nil
}
