//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/checkpoint"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
	"beckon/tests/client"
)

// worktree takes how long a task waits for its worktree of 50,000 files in a project
// that keeps some ready, against git itself.
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
	s.project.Scripts.Spare = true
	client.Must[beckon.Project](s.Program, "EditProject", s.project)
	var byGit, byBeckon []float64
	var last beckon.Task
	for i := range rounds {
		tree := filepath.Join(b.TempDir(), fmt.Sprint("tree", i))
		b.spares(dir)
		byGit = append(byGit, seconds(func() { client.Git(b, dir, "worktree", "add", "-q", tree) }))
		byBeckon = append(byBeckon, seconds(func() {
			title := fmt.Sprint("Work ", i)
			last = s.create(title, beckon.Running)
			for <-made != title {
			}
		}))
	}
	is, git := median(byBeckon), median(byGit)
	b.print(fmt.Sprintf("worktree of 50,000 files, kept ready: %.2f s of git's %.2f s", is, git), 100*is/git, "%", atMost(25))
	b.turn(s, last.ID)
}

// turn takes what it costs to record what a worktree amounts to, in processor time, since
// the agent works beside, and how long comments wait for it.
func (b *bench) turn(s *stage, taskID string) {
	t := s.InReview(taskID)
	b.must(os.WriteFile(filepath.Join(t.Worktree, "00/00/00000.txt"), []byte("one\n"), 0o600))
	b.must(os.WriteFile(filepath.Join(t.Worktree, "new.txt"), []byte("one\n"), 0o600))
	var status, tree, point, sent []float64
	for range rounds {
		status = append(status, b.ofChildren(func() { client.Git(b, t.Worktree, "status", "--porcelain", "--untracked-files=all") }))
		tree = append(tree, b.ofChildren(func() {
			_, err := workdir.Now(b.ctx, command.Git{Dir: t.Worktree})
			b.must(err)
		}))
		point = append(point, b.ofChildren(func() {
			_, err := checkpoint.Read(b.ctx, command.Git{Dir: t.Worktree})
			b.must(err)
		}))
	}
	for range rounds { // each has an agent begin, whose work is committed
		client.Must[reviewing.Comment](s.Program, "SaveComment", reviewing.CommentEdit{TaskID: t.ID, Text: "Why?", Lines: reviewing.CommentLines{Path: "new.txt", Side: reviewing.After, First: 1, Last: 1}})
		sent = append(sent, 1000*seconds(func() { client.Must[int](s.Program, "SendComments", t.ID) }))
	}
	b.print(fmt.Sprintf("a turn's tree of 50,000 files: %.2f s of processor time, git status %.2f s", median(tree), median(status)), 100*median(tree)/median(status), "%", atMost(300))
	b.print(fmt.Sprintf("a question's checkpoint of 50,000 files: %.2f s of processor time", median(point)), 100*median(point)/median(status), "%", atMost(25))
	b.print("comments on one of 50,000 files are sent", median(sent), "ms", atMost(1500))
}

// ofChildren is how much processor time the processes take that f starts and waits for.
func (b *bench) ofChildren(f func()) float64 {
	used := func() time.Duration {
		var u syscall.Rusage
		b.must(syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u))
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := used()
	f()
	return (used() - before).Seconds()
}

// spares waits until the project in dir has its worktrees ready again, so that nothing
// else is at work.
func (b *bench) spares(dir string) {
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		marks, err := filepath.Glob(filepath.Join(dir, ".git/worktrees/*/beckon-spare"))
		b.must(err)
		if len(marks) == 2 {
			return
		}
		if time.Now().After(end) {
			b.Fatal("no worktrees are made ready")
		}
	}
}

// seconds is how long f takes.
func seconds(f func()) float64 {
	began := time.Now()
	f()
	return time.Since(began).Seconds()
}
