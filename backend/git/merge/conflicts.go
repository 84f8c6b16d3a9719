package merge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
	"unicode/utf8"

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
	at, err := meet(ctx, repo, w)
	if err != nil {
		return nil, err
	}
	return at.conflicts(ctx, repo)
}

func (at meeting) conflicts(ctx context.Context, repo command.Git) ([]reviewing.Conflict, error) {
	list := []reviewing.Conflict{}
	if at.tree == "" {
		return list, nil
	}
	who, err := touched(ctx, repo, at.base, at.task)
	if err != nil {
		return nil, err
	}
	for _, f := range at.files {
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
		var unclear bool
		if c.Kind == reviewing.BothChanged {
			if unclear, err = at.read(ctx, repo, f.path, &c); err != nil {
				return nil, err
			}
		}
		if !unclear {
			c.Token = f.token(c)
		}
		list = append(list, c)
	}
	return list, nil
}

// meeting is what git makes of a branch and its base together; without a tree where one of
// them is gone.
type meeting struct {
	marks
	tree  string
	files []conflicted
}

func meet(ctx context.Context, repo command.Git, w workdir.Worktree) (at meeting, err error) {
	if at.base, err = repo.Branch(ctx, w.Base); err != nil {
		return at, err
	}
	if at.task, err = repo.Branch(ctx, w.Branch); err != nil || at.base == "" || at.task == "" {
		return at, err
	}
	repo.Config = append(repo.Config[:len(repo.Config):len(repo.Config)],
		command.Setting{Key: "merge.conflictStyle", Value: "diff3"})
	fields, err := repo.List(ctx, "merge-tree", "--write-tree", "-z", "--no-messages", at.base, at.task)
	if err != nil && command.ExitCode(err) != 1 {
		return at, err
	}
	if len(fields) > 0 {
		at.tree, at.files = fields[0], inConflict(fields[1:])
	}
	return at, nil
}

// conflicted is a file as merge-tree lists it: which sides have it, and whether as text.
type conflicted struct {
	path               string
	common, base, task bool
	special            bool
	stages             string // mode and object of each side
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
		f.stages += about + "\n"
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

// token names a file's conflict by what its sides have, if a side of it can be taken.
func (f conflicted) token(c reviewing.Conflict) string {
	if c.Cut || f.special || c.Kind == reviewing.OtherReasons || !utf8.ValidString(f.path) {
		return ""
	}
	sum := sha256.Sum256([]byte(f.stages))
	return hex.EncodeToString(sum[:16])
}

// text returns a file as the merge has it, with the marks of its conflicts, and its mode; cut
// is true where it has more, and mode is empty where it is no file there.
func (at meeting) text(ctx context.Context, repo command.Git, path string) (text []byte, mode string, cut bool, err error) {
	listed, err := repo.List(ctx, "ls-tree", "-z", "--full-tree", at.tree, "--", path)
	if err != nil || len(listed) != 1 {
		return nil, "", false, err
	}
	about, _, _ := strings.Cut(listed[0], "\t")
	parts := strings.Fields(about)
	if len(parts) != 3 || parts[1] != "blob" {
		return nil, "", false, nil
	}
	err = repo.Stream(ctx, func(out io.Reader) (err error) {
		if text, err = io.ReadAll(io.LimitReader(out, mostConflictBytes+1)); err == nil && len(text) > mostConflictBytes {
			err = command.ErrEnough
		}
		return err
	}, "cat-file", "blob", parts[2])
	if len(text) > mostConflictBytes {
		text, cut = text[:mostConflictBytes], true
	}
	return text, parts[0], cut, err
}

// read finds the hunks of a file in the tree of the merge. It is unclear where a side ends
// whose own lines look like a mark.
func (at meeting) read(ctx context.Context, repo command.Git, path string, c *reviewing.Conflict) (unclear bool, err error) {
	text, mode, cut, err := at.text(ctx, repo, path)
	if err != nil {
		return false, err
	}
	if c.Cut = cut; mode == "" {
		c.Kind = reviewing.OtherReasons
		return false, nil
	}
	hunks, unclear := at.hunks(string(text), c)
	if len(hunks) > 0 {
		c.Hunks = hunks
	} else if !c.Cut {
		c.Kind = reviewing.NoText
	}
	return unclear, nil
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

// place follows the lines of a file with the marks of conflicts in the style diff3.
type place struct {
	marks
	side  int // of a hunk: 0 for none, then the base, what is common, the task
	signs int // how many make a mark here
	// unclear says that a line of the task's side, or of what is common, looks like the mark
	// between the two.
	unclear bool
}

// at returns the side that the next line is of, or that begins with it where it is a mark.
func (p *place) at(line string) (side int, mark bool) {
	line = strings.TrimSuffix(line, "\r")
	if p.side == 0 {
		n, begins := end(line, "<", p.base)
		if begins {
			p.side, p.signs = 1, n
		}
		return p.side, begins
	}
	between := line == strings.Repeat("=", p.signs)
	switch n, ends := end(line, ">", p.task); {
	case ends && n == p.signs:
		p.side = 0
	case p.side == 3 && between:
		p.unclear = true
		return p.side, false
	case p.side == 1 && strings.HasPrefix(line, strings.Repeat("|", p.signs)+" "):
		p.side = 2
	case p.side == 2 && between:
		p.side = 3
	default:
		return p.side, false
	}
	return p.side, true
}

// hunks reads a file with the marks of conflicts in the style diff3.
func (m marks) hunks(text string, c *reviewing.Conflict) (list []reviewing.ConflictHunk, unclear bool) {
	r := reading{place: place{marks: m}, c: c, baseLine: 1, taskLine: 1}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		r.line(strings.TrimSuffix(strings.ToValidUTF8(line, "\uFFFD"), "\r"))
	}
	return r.done, r.unclear
}

// reading is how far a file is read.
type reading struct {
	place
	c                  *reviewing.Conflict
	done               []reviewing.ConflictHunk
	before             []string
	baseLine, taskLine int
}

func (r *reading) line(line string) {
	switch side, mark := r.at(line); {
	case mark && side == 1:
		r.begin()
	case mark && side == 0:
		r.before = nil
	case mark:
	case side == 0:
		r.around(line)
	case side == 1:
		r.baseLine++
		r.keep(&r.done[len(r.done)-1].Base, line)
	case side == 2:
		r.keep(&r.done[len(r.done)-1].Common, line)
	default:
		r.taskLine++
		r.keep(&r.done[len(r.done)-1].Task, line)
	}
}

// begin starts a hunk; of too many the last is gone on with, so that no line counts for
// what is around it.
func (r *reading) begin() {
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
