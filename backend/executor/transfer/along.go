package transfer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/problem"
	"beckon/backend/executor/calls"
	"beckon/backend/executor/worker"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
)

// This file takes files that git ignores, such as .env, to where a task works. They go over
// the same link as its work, in a repository for this once, which is removed on both sides.

// What goes along at the most.
const (
	mostFiles = 5000
	mostBytes = 64 << 20
	namedMost = 3 // files that are named before
)

// Accompany brings what the patterns, which are those of .gitignore, mean of what git ignores
// in the project's folder into the worktree there, once. What git does not ignore there, and
// where there is something already, nothing is put.
func (w Work) Accompany(ctx context.Context, patterns []string) (err error) {
	if len(patterns) == 0 {
		return nil
	}
	var meeting calls.Meeting
	if err := worker.Call(ctx, w.at, w.name, calls.Meet, w.there, &meeting); err != nil || meeting.Dir == "" {
		return err
	}
	scratch, err := os.MkdirTemp("", workdir.Scratch(w.repo.Owner)) // what a kill leaves, the next start removes
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	commit, err := w.gather(ctx, scratch, patterns)
	if err != nil || commit == "" {
		return err
	}
	way, git, err := w.over(ctx, meeting.Dir)
	if err != nil {
		return err
	}
	git = git.In(scratch)
	_, err = git.Run(ctx, "push", "--quiet", "--no-verify", way.Address, commit+":refs/heads/along")
	way.Done()
	if err != nil {
		if worker.IsFull(err.Error()) {
			return worker.Full(w.name)
		}
		return err
	}
	var missed calls.Missed
	if err := worker.Call(ctx, w.at, w.name, calls.Along, calls.Files{Task: w.there, Commit: commit}, &missed); err != nil {
		return err
	}
	if len(missed.Paths) > 0 {
		slog.Warn("files that git ignores did not go along", "executor", w.name, "task", w.task.Key, "files", len(missed.Paths))
	}
	return nil
}

// GoesAlong tells which part of a project would go along by the patterns, and which stays here. The
// data folder is that of this Beckon.
func GoesAlong(ctx context.Context, p beckon.Project, patterns []string, dataDir string) (a executing.Along, err error) {
	a.Files = []string{}
	if !p.Git {
		return a, nil
	}
	git := repoOf(p, dataDir)
	names, err := workdir.Ignored(ctx, git, patterns)
	if err != nil {
		return a, err
	}
	a.Count = len(names)
	a.Files = append(a.Files, names[:min(len(names), namedMost)]...)
	tracked, err := git.List(ctx, "ls-files", "--stage", "-z")
	if err != nil {
		return a, err
	}
	var files strings.Builder
	for _, one := range tracked { // mode, object and stage, a tab, and the name
		entry, name, _ := strings.Cut(one, "\t")
		if strings.HasPrefix(entry, "160000 ") {
			a.Submodules++
			continue
		}
		files.WriteString(name + "\x00")
	}
	err = workdir.Filters(ctx, git, files.String(), func(_, filter string) {
		if filter == "lfs" {
			a.LFS++
		}
	})
	return a, err
}

// gather makes a repository in scratch with a commit of the files, and returns that; empty
// where there is none. They are as they are: git runs no filter.
func (w Work) gather(ctx context.Context, scratch string, patterns []string) (commit string, err error) {
	names, err := workdir.Ignored(ctx, w.repo, patterns)
	if err != nil || len(names) == 0 {
		return "", err
	}
	root, err := os.OpenRoot(w.project.Dir)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	stream := &strings.Builder{}
	stream.WriteString("feature done\ncommit refs/heads/along\ncommitter Beckon <beckon@localhost> 0 +0000\ndata 0\n")
	files := 0
	for _, name := range names {
		err := workdir.PlainFiles(ctx, root, name, func(at string) error {
			if strings.ContainsAny(at, "\n\"") {
				return nil // a name that its stream cannot have
			}
			if files++; files > mostFiles {
				return tooMuch()
			}
			return add(stream, root, at)
		})
		if err != nil {
			return "", err
		}
	}
	if files == 0 {
		return "", nil
	}
	stream.WriteString("done\n")
	git := command.Git{Dir: scratch, Trusted: true}
	if _, err := git.Run(ctx, "init", "--quiet", "--bare", "--template=", scratch); err != nil {
		return "", err
	}
	git.Input = stream.String()
	if _, err := git.Run(ctx, "fast-import", "--quiet"); err != nil {
		return "", err
	}
	git.Input = ""
	return git.Line(ctx, "rev-parse", "--verify", "refs/heads/along")
}

// add adds a file to a stream of git fast-import.
func add(stream *strings.Builder, root *os.Root, name string) error {
	file, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() { // it was replaced meanwhile
		return err
	}
	if int64(stream.Len())+info.Size() > mostBytes {
		return tooMuch()
	}
	content := make([]byte, info.Size())
	n, err := file.ReadAt(content, 0) // it may have become shorter
	if n < len(content) && n == 0 && err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	mode := "100644"
	if info.Mode()&0o100 != 0 {
		mode = "100755"
	}
	fmt.Fprintf(stream, "M %s inline %s\ndata %d\n%s\n", mode, name, n, content[:n])
	return nil
}

func tooMuch() error {
	most, files := strconv.Itoa(mostBytes>>20), strconv.Itoa(mostFiles)
	err := fmt.Errorf("what is to go along has more than %s files or %s MB: %w", files, most, beckon.ErrConflict)
	return problem.New(problem.CopyMuch, err, "files", files, "most", most)
}
