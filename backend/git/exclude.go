package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/beckon"
)

// Exclude has git ignore the patterns in all worktrees of the repository,
// without touching a file that is committed. Each is written once, however
// often it is asked for.
func (r *Repo) Exclude(ctx context.Context, worktree string, patterns ...string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	common, err := r.commonDir(ctx, worktree)
	if err != nil {
		return err
	}
	name := filepath.Join(common, "info", "exclude")
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	lines := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	var add strings.Builder
	if len(text) > 0 && text[len(text)-1] != '\n' {
		add.WriteByte('\n')
	}
	for _, pattern := range patterns {
		if strings.ContainsAny(pattern, "\r\n\x00") {
			return fmt.Errorf("exclude pattern %q has more than one line: %w", pattern, beckon.ErrInvalid)
		}
		if !slices.Contains(lines, pattern) {
			lines = append(lines, pattern)
			add.WriteString(pattern + "\n")
		}
	}
	if strings.TrimSpace(add.String()) == "" {
		return nil
	}
	return appendTo(name, add.String())
}

// appendTo adds text to the end of a file, which it makes where there is none.
func appendTo(name, text string) (err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = f.WriteString(text)
	return err
}

// Tracked tells whether the repository itself has the file, or has a link or
// file where one of the folders above it would be. Where git can not tell, it
// is taken to be tracked, because the caller asks before writing there.
func (r *Repo) Tracked(ctx context.Context, worktree, file string) bool {
	file = path.Clean(filepath.ToSlash(file))
	for at := file; at != "." && at != "/"; at = path.Dir(at) {
		listed, err := r.in(worktree).list(ctx, "ls-files", "-z", "--", at)
		if err != nil || slices.Contains(listed, at) {
			return true
		}
	}
	return false
}
