package spare

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"beckon/backend/beckon"
)

const bundleEnd = ".bundle"

// bundleOf is the file that has what a ref keeps.
func (t Trash) bundleOf(ref string) string {
	sum := sha256.Sum256([]byte(ref))
	return filepath.Join(t.Bundles, hex.EncodeToString(sum[:16])+bundleEnd)
}

// bundled reports whether a ref has a bundle.
func (t Trash) bundled(ref string) bool {
	info, err := os.Lstat(t.bundleOf(ref))
	return t.Bundles != "" && err == nil && info.Mode().IsRegular()
}

// writeBundle writes what a ref has and the commit since lacks, if that is anything.
func (t Trash) writeBundle(ctx context.Context, ref, since string) error {
	if t.Bundles == "" {
		return nil
	}
	only := []string{ref}
	if since != "" {
		only = append(only, "^"+since)
	}
	more, err := t.Git.Line(ctx, append([]string{"rev-list", "--max-count=1"}, only...)...)
	if err != nil || more == "" {
		return err
	}
	if err := os.MkdirAll(t.Bundles, 0o700); err != nil {
		return err
	}
	// Written beside and renamed, so that a bundle is whole or is none.
	part, err := os.MkdirTemp(t.Bundles, "part-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(part)
	file := filepath.Join(part, "bundle")
	if _, err := t.Git.Run(ctx, append([]string{"bundle", "create", "--quiet", file}, only...)...); err != nil {
		return err
	}
	if err := os.Chmod(file, 0o600); err != nil {
		return err
	}
	return os.Rename(file, t.bundleOf(ref))
}

// readBundle brings a ref and its objects back from its bundle, and returns its commit.
func (t Trash) readBundle(ctx context.Context, ref string) (string, error) {
	out, err := t.Git.Line(ctx, "bundle", "unbundle", t.bundleOf(ref))
	if err != nil {
		return "", fmt.Errorf("bring back %s from its copy: %w", ref, err)
	}
	for line := range strings.Lines(out) {
		if commit, name, _ := strings.Cut(strings.TrimSpace(line), " "); name == ref {
			_, err := t.Git.Run(ctx, "update-ref", ref, commit, "")
			return commit, err
		}
	}
	return "", fmt.Errorf("the copy of %s has something else: %w", ref, beckon.ErrNotFound)
}

// removeBundle removes the bundle of a ref, if it has one.
func (t Trash) removeBundle(ref string) error {
	if t.Bundles == "" {
		return nil
	}
	if err := os.Remove(t.bundleOf(ref)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// orphans lists the bundles of which the repository has lost the refs, each under
// its file's name. They count their days like any other.
func (t Trash) orphans(refs []TrashKept) ([]TrashKept, error) {
	if t.Bundles == "" {
		return nil, nil
	}
	files, err := os.ReadDir(t.Bundles)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, k := range refs {
		known[filepath.Base(t.bundleOf(k.Ref))] = true
	}
	var list []TrashKept
	for _, f := range files {
		info, err := f.Info()
		if err == nil && strings.HasSuffix(f.Name(), bundleEnd) && !known[f.Name()] {
			list = append(list, TrashKept{Ref: f.Name(), At: info.ModTime().UnixMilli()})
		}
	}
	return list, nil
}
