//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
)

// worktree takes how long a task waits for its worktree of 50,000 files,
// against git itself.
func worktree(b *bench) {
	dir := b.TempDir()
	for i := range 50_000 {
		folder := filepath.Join(dir, fmt.Sprintf("%02d", i%100), fmt.Sprintf("%02d", i/100%50))
		b.must(os.MkdirAll(folder, 0o755))
		b.must(os.WriteFile(filepath.Join(folder, fmt.Sprintf("%05d.txt", i)), fmt.Appendf(nil, "file %d\n%s", i, prose(2000)), 0o644))
	}
	client.Git(b, dir, "init", "-q", "-b", "main")
	client.Git(b, dir, "add", "-A")
	client.Git(b, dir, "commit", "-q", "-m", "first")

	s := b.serve("text Done.\n", dir)
	made := make(chan string, 1000)
	s.Follow(clientID, func(f beckon.Frame) {
		for _, e := range f.Events {
			if e.Task != nil && e.Task.Worktree != "" {
				made <- e.Task.Title
			}
		}
	})
	var byGit, byBeckon []float64
	for i := range rounds {
		tree := filepath.Join(b.TempDir(), fmt.Sprint("tree", i))
		byGit = append(byGit, seconds(func() { client.Git(b, dir, "worktree", "add", "-q", tree) }))
		byBeckon = append(byBeckon, seconds(func() {
			title := fmt.Sprint("Work ", i)
			s.create(title, beckon.Running)
			for <-made != title {
			}
		}))
	}
	is, git := median(byBeckon), median(byGit)
	b.print(fmt.Sprintf("worktree of 50,000 files: %.2f s of git's %.2f s", is, git), 100*is/git, "%", atMost(25))
}

// seconds is how long f takes.
func seconds(f func()) float64 {
	began := time.Now()
	f()
	return time.Since(began).Seconds()
}
