package disk

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"beckon/backend/beckon"
)

// This file measures the room that Beckon takes on the disk. It follows no link,
// counts so many files and for so long and no more, and says where there are more. It
// changes nothing.

// mostFiles is how many files and folders are counted, and longest for how long.
const (
	mostFiles = 1_000_000
	longest   = 10 * time.Second
)

// RoomMeter measures. One measure is taken at a time.
type RoomMeter struct {
	Dir   string // the data folder
	Tasks func(ctx context.Context, projectID string) ([]beckon.Task, error)
	// Own returns the folders with the spares and with the discarded work of a project.
	Own func(ctx context.Context, projectID string) (spare, discarded string, err error)
	// Moments returns how many bytes a project's repository has of what worktrees were.
	Moments func(ctx context.Context, projectID string) (int64, error)

	mu sync.Mutex // held while one is taken
}

// Of returns what a project takes; without an id, what all take.
func (m *RoomMeter) Of(ctx context.Context, projectID string) (u beckon.DiskUse, err error) {
	trees := []string{filepath.Join(m.Dir, "worktrees")}
	spare, discarded := filepath.Join(m.Dir, "ready"), filepath.Join(m.Dir, "trash")
	if projectID != "" {
		if spare, discarded, err = m.Own(ctx, projectID); err != nil {
			return u, err
		}
		if trees, err = m.trees(ctx, projectID); err != nil {
			return u, err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	c := counter{ctx: ctx, left: mostFiles}
	u.Discarded, u.Spare = c.folder(discarded), c.folder(spare)
	for _, dir := range trees {
		u.Worktrees += c.folder(dir)
	}
	if projectID != "" {
		if u.Moments, err = m.Moments(ctx, projectID); err != nil {
			slog.Debug("count what is kept of turns", "err", err, "project", projectID)
			c.partial = true
		}
	}
	u.Partial = c.partial
	return u, nil
}

// trees lists the worktrees of a project's tasks that are Beckon's own.
func (m *RoomMeter) trees(ctx context.Context, projectID string) (dirs []string, err error) {
	tasks, err := m.Tasks(ctx, projectID)
	for _, t := range tasks {
		rel, err := filepath.Rel(filepath.Join(m.Dir, "worktrees"), t.Worktree)
		if err == nil && rel != "." && filepath.IsLocal(rel) {
			dirs = append(dirs, t.Worktree, t.Worktree+".with") // which has those of further repositories
		}
	}
	return dirs, err
}

// counter counts until it has enough.
type counter struct {
	ctx     context.Context
	left    int
	partial bool
}

// folder returns how many bytes the files of a folder have; 0 where there is none.
func (c *counter) folder(dir string) (bytes int64) {
	if dir == "" {
		return 0
	}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if c.left--; c.left < 0 || c.ctx.Err() != nil {
			c.partial = true
			return fs.SkipAll
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // it is gone meanwhile
		case err != nil:
			c.partial = true
			return nil
		case d.Type().IsRegular():
			if info, err := d.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return nil
	})
	c.partial = c.partial || err != nil
	return bytes
}
