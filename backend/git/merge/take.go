package merge

import (
	"bytes"
	"context"
	"fmt"
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
	list, err := Conflicts(ctx, repo, w)
	if err != nil {
		return err
	}
	at, err := meet(ctx, repo, w)
	if err != nil {
		return err
	}
	for _, one := range taken {
		i := slices.IndexFunc(list, func(c reviewing.Conflict) bool { return c.Path == one.Path })
		if i < 0 || list[i].Token == "" || list[i].Token != one.Token || !fits(list[i], one.Sides) {
			path := fmt.Sprintf("%.200s", one.Path)
			err := fmt.Errorf("%s is in conflict otherwise by now: %w", path, beckon.ErrConflict)
			return problem.New(problem.OtherConflict, err, "path", path)
		}
	}
	for _, one := range taken {
		i := slices.IndexFunc(list, func(c reviewing.Conflict) bool { return c.Path == one.Path })
		if list[i].Kind == reviewing.BothChanged {
			err = at.takePlaces(ctx, repo, folder, one)
		} else {
			err = takeFile(ctx, folder, list[i].Kind, one)
		}
		if err != nil {
			return err
		}
	}
	return nil
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
// it does each file: with the line ends and the filters of that.
func (at meeting) takePlaces(ctx context.Context, repo, folder command.Git, one reviewing.TakenSides) error {
	text, mode, cut, err := at.text(ctx, repo, one.Path)
	if err == nil && (mode == "" || cut) {
		err = command.Conflict("%s cannot be read", one.Path)
	}
	if err != nil {
		return err
	}
	hashing := folder
	hashing.Input = string(at.resolved(text, one.Sides))
	blob, err := hashing.Line(ctx, "hash-object", "-w", "--stdin")
	if err != nil {
		return err
	}
	if _, err := folder.Run(ctx, "update-index", "--cacheinfo", mode+","+blob+","+one.Path); err != nil {
		return err
	}
	_, err = folder.Run(ctx, "checkout-index", "--force", "--index", "--", one.Path)
	return err
}

// resolved returns a text without the marks of its conflicts, with a side in each place.
func (m marks) resolved(text []byte, sides []reviewing.ConflictSide) []byte {
	p, nth := place{marks: m}, -1
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		side, mark := p.at(strings.TrimSuffix(string(line), "\n"))
		switch {
		case mark && side == 1:
			nth++
		case mark || side == 2:
		case side == 0,
			side == 1 && sides[nth] != reviewing.TakeTask,
			side == 3 && sides[nth] != reviewing.TakeBase:
			out.Write(line)
		}
	}
	return out.Bytes()
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
