package merge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
)

// Take gives files that are in conflict since Begin the sides that a person took, in the
// worktree and in git's index. repo is git in the repository, folder in the worktree of w.
// Where a file is in conflict otherwise than it was shown, nothing is written.
func Take(ctx context.Context, repo, folder command.Git, w workdir.Worktree, taken []reviewing.TakenSides) error {
	at, err := meet(ctx, repo, w)
	if err != nil {
		return err
	}
	list, err := at.conflicts(ctx, repo)
	if err != nil {
		return err
	}
	left, err := Left(ctx, folder)
	if err != nil {
		return err
	}
	files := make([]reviewing.Conflict, len(taken))
	for i, one := range taken {
		nth := slices.IndexFunc(list, func(c reviewing.Conflict) bool { return c.Path == one.Path })
		if nth < 0 || list[nth].Token == "" || list[nth].Token != one.Token || !fits(list[nth], one.Sides) || !slices.Contains(left, one.Path) {
			return otherwise(one.Path)
		}
		files[i] = list[nth]
	}
	for i, one := range taken {
		if files[i].Kind == reviewing.BothChanged {
			err = at.takePlaces(ctx, repo, folder, one)
		} else {
			err = takeFile(ctx, folder, files[i].Kind, one)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// otherwise is the error of a file whose conflict is none that a side can be taken in.
func otherwise(path string) error {
	path = fmt.Sprintf("%.200s", path)
	err := fmt.Errorf("%s is in conflict otherwise by now: %w", path, beckon.ErrConflict)
	return problem.New(problem.OtherConflict, err, "path", path)
}

// fits reports whether sides are those of a conflict: one for each place, or one of the two.
func fits(c reviewing.Conflict, sides []reviewing.ConflictSide) bool {
	if c.Kind != reviewing.BothChanged {
		return len(sides) == 1 && (sides[0] == reviewing.TakeBase || sides[0] == reviewing.TakeTask)
	}
	return len(sides) == len(c.Hunks) && !slices.ContainsFunc(sides, func(s reviewing.ConflictSide) bool {
		return !slices.Contains(reviewing.ConflictSides, s)
	})
}

// takePlaces gives a file its text with a side in each place. Git writes it to the worktree, as
// it does each file: with the line ends and the filters of that. The worktree has it before git's
// index says that it is resolved.
func (at meeting) takePlaces(ctx context.Context, repo, folder command.Git, one reviewing.TakenSides) error {
	text, mode, cut, err := at.text(ctx, repo, one.Path)
	if err == nil && (mode == "" || cut) {
		err = otherwise(one.Path)
	}
	if err != nil {
		return err
	}
	resolved, last := at.resolved(text, one.Sides)
	if odd, err := hasMark(ctx, bytes.NewReader(resolved), append(slices.Clone(endMarks), commonMark)...); err != nil {
		return err
	} else if odd {
		return otherwise(one.Path)
	}
	if last != 0 {
		if ends, err := at.endsWithLine(ctx, repo, one.Path, last); err != nil {
			return err
		} else if !ends {
			resolved = bytes.TrimSuffix(bytes.TrimSuffix(resolved, []byte("\n")), []byte("\r"))
		}
	}
	hashing := folder
	hashing.Input = string(resolved)
	blob, err := hashing.Line(ctx, "hash-object", "-w", "--stdin")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", workdir.Scratch(folder.Owner))
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	beside := folder
	beside.Index = filepath.Join(dir, "index")
	if _, err := beside.Run(ctx, "update-index", "--add", "--cacheinfo", mode+","+blob+","+one.Path); err != nil {
		return err
	}
	if _, err := beside.Run(ctx, "checkout-index", "--force", "--", one.Path); err != nil {
		return err
	}
	_, err = folder.Run(ctx, "add", "--", one.Path)
	return err
}

// resolved returns a text without the marks of its conflicts, with a side in each place. last is
// the side of its last line, 1 or 3, where a place ends the text; else 0.
func (m marks) resolved(text []byte, sides []reviewing.ConflictSide) (out []byte, last int) {
	p, nth := place{marks: m}, -1
	for line := range bytes.Lines(text) {
		side, mark := p.at(strings.TrimSuffix(string(line), "\n"))
		switch {
		case mark && side == 1:
			nth++
		case mark || side == 2:
		case side == 0,
			side == 1 && sides[nth] != reviewing.TakeTask,
			side == 3 && sides[nth] != reviewing.TakeBase:
			out, last = append(out, line...), side
		}
	}
	return out, last
}

// endsWithLine reports whether a side's whole file ends with the end of a line, which git
// writes before a mark in any case. side is 1 for the base and 3 for the task.
func (at meeting) endsWithLine(ctx context.Context, repo command.Git, path string, side int) (ends bool, err error) {
	commit := at.base
	if side == 3 {
		commit = at.task
	}
	tail := byte('\n') // of an empty file nothing is to be taken away
	err = repo.Stream(ctx, func(out io.Reader) error {
		part := make([]byte, 32<<10)
		for {
			n, err := out.Read(part)
			if n > 0 {
				tail = part[n-1]
			}
			if err != nil {
				if errors.Is(err, io.EOF) {
					return nil
				}
				return err
			}
		}
	}, "cat-file", "blob", commit+":"+path)
	return tail == '\n', err
}

// takeFile gives a file that has no places the side of the base or of the task, or none where
// that has none. In the worktree the task's branch is ours, and the base theirs.
func takeFile(ctx context.Context, folder command.Git, kind reviewing.ConflictKind, one reviewing.TakenSides) error {
	side := one.Sides[0]
	if kind == reviewing.BaseDeleted && side == reviewing.TakeBase || kind == reviewing.TaskDeleted && side == reviewing.TakeTask {
		_, err := folder.Run(ctx, "rm", "--quiet", "--force", "--", one.Path)
		return err
	}
	which := "--ours"
	if side == reviewing.TakeBase {
		which = "--theirs"
	}
	if _, err := folder.Run(ctx, "checkout", "--quiet", which, "--", one.Path); err != nil {
		return err
	}
	_, err := folder.Run(ctx, "add", "--", one.Path)
	return err
}
