package merge

import (
	"context"
	"io"
	"strings"

	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
)

const (
	mostConflicts     = 200     // files that are listed
	mostHunks         = 200     // of a file
	mostConflictLines = 400     // of one side of a hunk
	mostConflictBytes = 2 << 20 // of a file that is read
	aroundConflict    = 3       // lines before and after a hunk
)

// Conflicts returns the files that keep the branch of w from being merged into its base,
// with the places in them. Nothing is changed, and no folder is looked at.
func Conflicts(ctx context.Context, repo command.Git, w workdir.Worktree) ([]reviewing.Conflict, error) {
	base, err := repo.Branch(ctx, w.Base)
	if err != nil {
		return nil, err
	}
	tip, err := repo.Branch(ctx, w.Branch)
	if err != nil || base == "" || tip == "" {
		return []reviewing.Conflict{}, err
	}
	repo.Config = append(repo.Config[:len(repo.Config):len(repo.Config)],
		command.Setting{Key: "merge.conflictStyle", Value: "diff3"})
	fields, err := repo.List(ctx, "merge-tree", "--write-tree", "-z", "--no-messages", base, tip)
	if err != nil && command.ExitCode(err) != 1 {
		return nil, err
	}
	list := []reviewing.Conflict{}
	if len(fields) == 0 {
		return list, nil
	}
	who, err := touched(ctx, repo, base, tip)
	if err != nil {
		return nil, err
	}
	for _, f := range inConflict(fields[1:]) {
		if len(list) == mostConflicts {
			break
		}
		c := reviewing.Conflict{
			Path: strings.ToValidUTF8(f.path, "\uFFFD"), Kind: f.kind(),
			Hunks: []reviewing.ConflictHunk{}, Authors: []string{},
		}
		if by := who[f.path]; by != nil {
			c.Commits, c.Authors, c.At = by.commits, by.authors, by.at
		}
		if c.Kind == reviewing.BothChanged {
			if err := readConflict(ctx, repo, fields[0], f.path, marks{base, tip}, &c); err != nil {
				return nil, err
			}
		}
		list = append(list, c)
	}
	return list, nil
}

// conflicted is a file as merge-tree lists it: which sides have it, and whether as text.
type conflicted struct {
	path               string
	common, base, task bool
	special            bool
}

// inConflict reads what merge-tree prints of files: "mode object stage\tpath" for each
// side that has one.
func inConflict(fields []string) (list []conflicted) {
	for _, field := range fields {
		about, path, ok := strings.Cut(field, "\t")
		parts := strings.Fields(about)
		if !ok || len(parts) != 3 {
			continue
		}
		if len(list) == 0 || list[len(list)-1].path != path {
			list = append(list, conflicted{path: path})
		}
		f := &list[len(list)-1]
		f.special = f.special || !strings.HasPrefix(parts[0], "100")
		switch parts[2] {
		case "1":
			f.common = true
		case "2":
			f.base = true
		case "3":
			f.task = true
		}
	}
	return list
}

func (f conflicted) kind() reviewing.ConflictKind {
	switch {
	case f.special:
		return reviewing.NoText
	case f.base && f.task:
		return reviewing.BothChanged
	case f.common && f.task:
		return reviewing.BaseDeleted
	case f.common && f.base:
		return reviewing.TaskDeleted
	default:
		return reviewing.OtherReasons
	}
}

// readConflict finds the hunks of a file in the tree of the merge.
func readConflict(ctx context.Context, repo command.Git, tree, path string, m marks, c *reviewing.Conflict) error {
	listed, err := repo.List(ctx, "ls-tree", "-z", "--full-tree", tree, "--", path)
	if err != nil {
		return err
	}
	if len(listed) != 1 {
		c.Kind = reviewing.OtherReasons
		return nil
	}
	about, _, _ := strings.Cut(listed[0], "\t")
	parts := strings.Fields(about)
	if len(parts) != 3 || parts[1] != "blob" {
		c.Kind = reviewing.OtherReasons
		return nil
	}
	var text []byte
	err = repo.Stream(ctx, func(out io.Reader) (err error) {
		if text, err = io.ReadAll(io.LimitReader(out, mostConflictBytes+1)); err == nil && len(text) > mostConflictBytes {
			err = command.ErrEnough
		}
		return err
	}, "cat-file", "blob", parts[2])
	if err != nil {
		return err
	}
	if len(text) > mostConflictBytes {
		text, c.Cut = text[:mostConflictBytes], true
	}
	if hunks := m.hunks(string(text), c); len(hunks) > 0 {
		c.Hunks = hunks
	} else if !c.Cut {
		c.Kind = reviewing.NoText
	}
	return nil
}

// marks are the commits that git names at the two ends of a hunk.
type marks struct{ base, task string }

// end reports whether a line begins or ends a hunk: the sign several times, and the
// commit, so that what a file itself has of that kind is none. n is how often.
func end(line, sign, commit string) (n int, ok bool) {
	rest := strings.TrimLeft(line, sign)
	n = len(line) - len(rest)
	return n, n > 0 && (rest == " "+commit || strings.HasPrefix(rest, " "+commit+":"))
}

// hunks reads a file with the marks of conflicts in the style diff3.
func (m marks) hunks(text string, c *reviewing.Conflict) []reviewing.ConflictHunk {
	r := reading{marks: m, c: c, baseLine: 1, taskLine: 1}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		r.line(strings.TrimSuffix(strings.ToValidUTF8(line, "\uFFFD"), "\r"))
	}
	return r.done
}

// reading is how far a file is read.
type reading struct {
	marks
	c                  *reviewing.Conflict
	done               []reviewing.ConflictHunk
	before             []string
	side               int // of a hunk: 0 for none, then the base, what is common, the task
	signs              int // how many make a mark here
	baseLine, taskLine int
}

func (r *reading) line(line string) {
	if r.side == 0 {
		if n, ok := end(line, "<", r.base); ok {
			r.begin(n)
			return
		}
		r.around(line)
		return
	}
	h := &r.done[len(r.done)-1]
	switch n, ends := end(line, ">", r.task); {
	case ends && n == r.signs:
		r.side, r.before = 0, nil
	case r.side == 1 && strings.HasPrefix(line, strings.Repeat("|", r.signs)+" "):
		r.side = 2
	case r.side < 3 && line == strings.Repeat("=", r.signs):
		r.side = 3
	case r.side == 1:
		r.baseLine++
		r.keep(&h.Base, line)
	case r.side == 2:
		r.keep(&h.Common, line)
	default:
		r.taskLine++
		r.keep(&h.Task, line)
	}
}

// begin starts a hunk; of too many the last is gone on with, so that no line counts for
// what is around it.
func (r *reading) begin(signs int) {
	r.side, r.signs = 1, signs
	if len(r.done) == mostHunks {
		r.c.Cut = true
		return
	}
	r.done = append(r.done, reviewing.ConflictHunk{
		BaseLine: r.baseLine, TaskLine: r.taskLine,
		Before: append([]string{}, r.before...), Base: []string{}, Common: []string{}, Task: []string{}, After: []string{},
	})
}

// around takes a line that is in no hunk.
func (r *reading) around(line string) {
	r.baseLine++
	r.taskLine++
	if len(r.done) > 0 {
		if h := &r.done[len(r.done)-1]; len(h.After) < aroundConflict && len(r.before) < aroundConflict {
			h.After = append(h.After, line)
		}
	}
	if r.before = append(r.before, line); len(r.before) > aroundConflict {
		r.before = r.before[1:]
	}
}

func (r *reading) keep(side *[]string, line string) {
	if len(*side) == mostConflictLines {
		r.c.Cut = true
		return
	}
	*side = append(*side, line)
}
