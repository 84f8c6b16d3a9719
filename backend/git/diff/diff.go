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

// Sizes that patches are held to. What a page cannot show is not sent to it.
const (
	MaxPatch = 512 << 10 // bytes, one file
	MaxAll   = 20 << 20  // bytes, all files
)

// arguments are how two trees are compared, in whatever form: renames found,
// and no program of the repository's asked.
func arguments(form ...string) []string {
	return append([]string{"diff-tree", "-r", "-M", "--no-ext-diff", "--no-textconv", "--no-color", "--submodule=short"}, form...)
}

// comparing returns how git compares trees: files above 16 MB count as
// binary, because nobody reads their diff and making it takes seconds.
func comparing(c command.Git) command.Git {
	c.Config = []command.Setting{{Key: "core.bigFileThreshold", Value: "16m"}}
	return c
}

// Files lists the files that differ between two trees, without their
// patches.
func Files(ctx context.Context, c command.Git, from, to string) ([]beckon.FileDiff, error) {
	fields, err := comparing(c).List(ctx, arguments("-z", "--raw", "--numstat", from, to)...)
	if err != nil {
		return nil, err
	}
	files, rest := parseRaw(fields)
	return files, parseNumstat(rest, files)
}

// parseRaw reads the raw part, ":MODE MODE HASH HASH LETTER", the path and,
// after a rename, the path it has now. It returns the fields behind it.
func parseRaw(fields []string) (files []beckon.FileDiff, rest []string) {
	files = []beckon.FileDiff{}
	for len(fields) > 1 && strings.HasPrefix(fields[0], ":") {
		info := strings.Fields(fields[0][1:])
		f := beckon.FileDiff{Path: fields[1], Change: beckon.FileModified}
		fields = fields[2:]
		switch info[4][0] {
		case 'A':
			f.Change = beckon.FileAdded
		case 'D':
			f.Change = beckon.FileDeleted
		case 'R':
			f.Change, f.OldPath, f.Path = beckon.FileRenamed, strings.ToValidUTF8(f.Path, "\uFFFD"), fields[0]
			fields = fields[1:]
		}
		if info[0] != info[1] && f.Change != beckon.FileAdded && f.Change != beckon.FileDeleted {
			f.Mode = info[0] + " → " + info[1]
		}
		f.Path = strings.ToValidUTF8(f.Path, "\uFFFD")
		f.Content = fmt.Sprintf("%.16s-%.16s", info[2], info[3])
		files = append(files, f)
	}
	return files, fields
}

// parseNumstat reads "ADDED\tREMOVED\tPATH" for each file in turn. Of a
// rename the path is empty and the old and new one follow.
func parseNumstat(fields []string, files []beckon.FileDiff) error {
	for i := range files {
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

// Trees lists the paths that are only in the second tree, and those that
// are only in the first.
func Trees(ctx context.Context, c command.Git, from, to string) (added, removed []string, err error) {
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
