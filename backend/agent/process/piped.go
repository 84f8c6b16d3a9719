package process

import (
	"context"
	"fmt"
	"os"
)

// Piped is a child whose standard files are pipes. Their ends are its holder's to close.
type Piped struct {
	Stdin, Stdout, Stderr *os.File
	*Child
}

// StartPiped starts a child with pipes in place of the spec's standard files.
func StartPiped(ctx context.Context, s Spec) (Piped, error) {
	files, err := openPipes()
	if err != nil {
		return Piped{}, err
	}
	defer files.closeTheirs()
	s.Stdin, s.Stdout, s.Stderr = files.theirs[0], files.theirs[1], files.theirs[2]
	child, err := Start(ctx, s)
	if err != nil {
		files.closeOurs()
		return Piped{}, fmt.Errorf("start %s: %w", s.Path, err)
	}
	Widen(files.ours[1])
	return Piped{files.ours[0], files.ours[1], files.ours[2], child}, nil
}

// pipes are the two ends of stdin, stdout and stderr.
type pipes struct{ ours, theirs [3]*os.File }

func openPipes() (*pipes, error) {
	var p pipes
	for i := range p.ours {
		r, w, err := os.Pipe()
		if err != nil {
			p.closeOurs()
			p.closeTheirs()
			return nil, err
		}
		p.ours[i], p.theirs[i] = r, w
		if i == 0 {
			p.ours[i], p.theirs[i] = w, r
		}
	}
	return &p, nil
}

func (p *pipes) closeOurs()   { closeAll(p.ours) }
func (p *pipes) closeTheirs() { closeAll(p.theirs) }

func closeAll(files [3]*os.File) {
	for _, f := range files {
		f.Close() // of nil it does nothing
	}
}
