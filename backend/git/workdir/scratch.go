package workdir

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"beckon/backend/git/command"
)

// WithIndex has do work on a copy of the folder's index.
func WithIndex(ctx context.Context, c command.Git, do func(command.Git) error) (err error) {
	gitDir, err := c.GitDir(ctx)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", Scratch(c.Owner))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	c.Index = filepath.Join(scratch, "index")
	if err := copyIndex(filepath.Join(gitDir, "index"), c.Index); err != nil {
		return err
	}
	return do(c)
}

// Scratch is how the names begin of what an owner has in the folder for temporary
// files.
func Scratch(owner string) string {
	sum := sha256.Sum256([]byte(owner))
	return "beckon-index-" + hex.EncodeToString(sum[:8]) + "-"
}

// ClearScratch removes what an owner that was killed left in the folder for temporary
// files. The caller has the owner's data folder, which one Beckon at a time has: whatever
// bears its name belongs to none that lives.
func ClearScratch(owner string) error {
	entries, err := os.ReadDir(os.TempDir())
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), Scratch(owner)) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(os.TempDir(), e.Name())))
		}
	}
	return err
}
