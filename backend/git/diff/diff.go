// Package diff compares two trees: which files differ, by how many lines, and
// their patches as far as a page can show them. No program of the repository's
// is asked.
package diff

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/git/command"
)

// Sizes that the paths are held to that a card carries along.
const (
	MaxPaths    = 100
	MaxPathText = 8 << 10 // bytes, all of them
)

// MaxFiles is how many files a page is shown.
const MaxFiles = 10_000

// Trees are two trees, and what counts between them.
type Trees struct {
	From, To string // commits or trees
	// IgnoreSpace leaves out lines that differ in nothing but white space.
	IgnoreSpace bool
	// Only are the paths that count, as git has them; none: all do.
	Only []string
}

// arguments are how two trees are compared, in whatever form: renames found,
// and no program of the repository's asked.
func (t Trees) arguments(form ...string) []string {
	args := append([]string{
		"diff-tree", "-r", "-M", "--no-ext-diff", "--no-textconv", "--no-color",
		"--submodule=short",
	}, form...)
	if t.IgnoreSpace {
		args = append(args, "--ignore-all-space")
	}
	args = append(args, t.From, t.To)
	if len(t.Only) > 0 {
		args = append(append(args, "--"), t.Only...)
	}
	return args
}

// comparing returns how git compares trees: files above 16 MB count as
// binary, because nobody reads their diff and making it takes seconds.
func comparing(c command.Git) command.Git {
	c.Config = []command.Setting{{Key: "core.bigFileThreshold", Value: "16m"}}
	return c
}

// Files lists the files that differ between two trees, without their
// patches. Those that differ in white space alone are among them, with no lines.
func Files(ctx context.Context, c command.Git, t Trees) ([]beckon.FileDiff, error) {
	all := Trees{From: t.From, To: t.To}
	fields, err := comparing(c).List(ctx, all.arguments("-z", "--raw", "--numstat")...)
	if err != nil {
		return nil, err
	}
	l, rest := parseRaw(fields)
	if t.IgnoreSpace {
		return l.files, count(ctx, c, t, l.files)
	}
	return l.files, parseNumstat(rest, l.files, false)
}

// count has git count the lines of the first files that differ.
func count(ctx context.Context, c command.Git, t Trees, files []beckon.FileDiff) error {
	fields, err := comparing(c).List(ctx, t.arguments("-z", "--numstat")...)
	if err != nil {
		return err
	}
	return parseNumstat(fields, files, t.IgnoreSpace)
}

// Differing returns the paths that are not the same in two trees, as a page shows them.
func Differing(ctx context.Context, c command.Git, from, to string) (map[string]bool, error) {
	names, err := c.List(ctx, "diff-tree", "-r", "-z", "--no-renames", "--name-only", from, to)
	paths := make(map[string]bool, len(names))
	for _, name := range names {
		paths[strings.ToValidUTF8(name, "\uFFFD")] = true
	}
	return paths, err
}

// OnlySpace reports whether a file that was compared without white space has nothing
// left: git prints nothing of it then.
func OnlySpace(f beckon.FileDiff) bool {
	return f.Change == beckon.FileModified && f.Mode == "" && !f.Binary && f.Added == 0 && f.Removed == 0
}

// listed are files that differ, as git lists them: without lines.
type listed struct {
	files []beckon.FileDiff
	blobs [][2]string // the hashes of each, before and after
	names [][]string  // the paths of each as git has them, that after a rename last
}

// first returns the first of them.
func (l listed) first(most int) listed {
	most = min(most, len(l.files))
	return listed{l.files[:most], l.blobs[:most], l.names[:most]}
}

// list returns the files that differ between two trees. White space counts.
func list(ctx context.Context, c command.Git, t Trees) (listed, error) {
	t.IgnoreSpace = false
	fields, err := comparing(c).List(ctx, t.arguments("-z", "--raw")...)
	l, _ := parseRaw(fields)
	return l, err
}

// parseRaw reads the raw part, ":MODE MODE HASH HASH LETTER", the path and,
// after a rename, the path it has now. It returns the fields behind it, too.
func parseRaw(fields []string) (l listed, rest []string) {
	l.files = []beckon.FileDiff{}
	for len(fields) > 1 && strings.HasPrefix(fields[0], ":") {
		info := strings.Fields(fields[0][1:])
		f := beckon.FileDiff{Path: fields[1], Change: beckon.FileModified, Kind: kindOf(info[1])}
		names := fields[1:2]
		fields = fields[2:]
		switch info[4][0] {
		case 'A':
			f.Change = beckon.FileAdded
		case 'D':
			f.Change, f.Kind = beckon.FileDeleted, kindOf(info[0])
		case 'R':
			f.Change, f.OldPath, f.Path = beckon.FileRenamed, strings.ToValidUTF8(f.Path, "\uFFFD"), fields[0]
			f.Similar, _ = strconv.Atoi(info[4][1:])
			names, fields = []string{names[0], fields[0]}, fields[1:]
		}
		if info[0] != info[1] && f.Change != beckon.FileAdded && f.Change != beckon.FileDeleted {
			f.Mode = info[0] + " → " + info[1]
		}
		f.Path = strings.ToValidUTF8(f.Path, "\uFFFD")
		f.Content = fmt.Sprintf("%.16s-%.16s", info[2], info[3])
		l.files, l.blobs, l.names = append(l.files, f), append(l.blobs, [2]string{info[2], info[3]}), append(l.names, names)
	}
	return l, fields
}

// kindOf returns what has a mode of git's.
func kindOf(mode string) beckon.FileKind {
	switch mode {
	case "120000":
		return beckon.FileLink
	case "160000":
		return beckon.FileSubmodule
	default:
		return beckon.FileRegular
	}
}

// parseNumstat reads "ADDED\tREMOVED\tPATH" for each file in turn. Of a
// rename the path is empty and the old and new one follow. Some may be missing: those
// that nothing is left of.
func parseNumstat(fields []string, files []beckon.FileDiff, some bool) error {
	for i := range files {
		if some && !isNumstatOf(fields, files[i].Path) {
			continue
		}
		if len(fields) == 0 {
			return fmt.Errorf("git counted the lines of %d files out of %d", i, len(files))
		}
		counts := strings.SplitN(fields[0], "\t", 3)
		if len(counts) < 3 {
			return fmt.Errorf("git counts lines as %q, which is unknown", fields[0])
		}
		fields = fields[1:]
		if counts[2] == "" && len(fields) > 1 {
			fields = fields[2:]
		}
		if files[i].Binary = counts[0] == "-"; files[i].Binary {
			continue
		}
		files[i].Added, _ = strconv.Atoi(counts[0])
		files[i].Removed, _ = strconv.Atoi(counts[1])
	}
	return nil
}

// isNumstatOf reports whether the next file that is counted has that path.
func isNumstatOf(fields []string, path string) bool {
	if len(fields) == 0 {
		return false
	}
	_, name, _ := strings.Cut(fields[0], "\t")
	_, name, _ = strings.Cut(name, "\t")
	if name == "" && len(fields) > 2 {
		name = fields[2]
	}
	return strings.ToValidUTF8(name, "\uFFFD") == path
}

// Paths lists the paths of files, as many as a card carries along: those that
// do not fit are left out.
func Paths(files []beckon.FileDiff) []string {
	paths, size := []string{}, 0
	for _, f := range files {
		if len(paths) < MaxPaths && size+len(f.Path) <= MaxPathText {
			paths, size = append(paths, f.Path), size+len(f.Path)
		}
	}
	return paths
}

// Names lists the paths that are only in the second tree, and those that
// are only in the first.
func Names(ctx context.Context, c command.Git, from, to string) (added, removed []string, err error) {
	fields, err := c.List(ctx, "diff-tree", "-r", "-z", "--no-renames", "--name-status", from, to)
	if err != nil {
		return nil, nil, err
	}
	for pair := range slices.Chunk(fields, 2) {
		switch pair[0] {
		case "A":
			added = append(added, pair[1])
		case "D":
			removed = append(removed, pair[1])
		}
	}
	return added, removed, nil
}
