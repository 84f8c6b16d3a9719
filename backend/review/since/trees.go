package since

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file keeps a list of trees as a tree, so that adding one writes little however many
// there are. Its newest entries are the trees themselves, each under its own name. So many
// as a shelf has go together into a tree of their own, which takes their place, and so
// many of those into one of the next level: an entry is named by its level and its hash.
// A list of older versions has all of its trees at the top, and becomes
// such a one when the next is added.

// shelf is how many entries of a level are at the top before they are put together.
const shelf = 16

// treeEntry is what a list has at its top.
type treeEntry struct {
	level int // 0: a tree that is kept
	hash  string
}

func (e treeEntry) String() string {
	name := e.hash
	if e.level > 0 {
		name = fmt.Sprintf("%d-%s", e.level, e.hash)
	}
	return "040000 tree " + e.hash + "\t" + name
}

// readEntry reads what ls-tree says of an entry.
func readEntry(line string) (e treeEntry, err error) {
	kind, name, _ := strings.Cut(line, "\t")
	e.hash = strings.TrimPrefix(kind, "040000 tree ")
	if level, _, above := strings.Cut(name, "-"); above {
		e.level, _ = strconv.Atoi(level)
	}
	if e.String() != line {
		return e, fmt.Errorf("the list of a task's trees has the unknown entry %.100q, and stays as it is", line)
	}
	return e, nil
}

// list returns what the tree of a list has at its top; nothing of none.
func (l TreeLog) list(ctx context.Context, tree string) (list []treeEntry, err error) {
	if tree == "" {
		return nil, nil
	}
	lines, err := l.Git.List(ctx, "ls-tree", "-z", tree)
	if err != nil {
		return nil, err
	}
	for _, line := range lines {
		e, err := readEntry(line)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

// write writes the tree of a list, in which what fills a shelf is put together.
func (l TreeLog) write(ctx context.Context, list []treeEntry) (tree string, err error) {
	for level := 0; slices.ContainsFunc(list, func(e treeEntry) bool { return e.level >= level }); level++ {
		var full [][]treeEntry
		var these, others []treeEntry
		for _, e := range list {
			if e.level != level {
				others = append(others, e)
			} else if these = append(these, e); len(these) == shelf {
				full, these = append(full, these), nil
			}
		}
		list = append(others, these...)
		hashes, err := l.trees(ctx, full...)
		if err != nil {
			return "", err
		}
		for _, hash := range hashes {
			if e := (treeEntry{level + 1, hash}); !slices.Contains(list, e) {
				list = append(list, e)
			}
		}
	}
	top, err := l.trees(ctx, list)
	if err != nil {
		return "", err
	}
	return top[0], nil
}

// trees writes a tree of each list, with its entries as they are, and returns their hashes.
func (l TreeLog) trees(ctx context.Context, lists ...[]treeEntry) ([]string, error) {
	if len(lists) == 0 {
		return nil, nil
	}
	var text strings.Builder
	for _, list := range lists {
		for _, e := range list {
			text.WriteString(e.String() + "\x00")
		}
		text.WriteString("\x00")
	}
	writer := l.Git
	writer.Input = text.String()
	out, err := writer.Run(ctx, "mktree", "-z", "--batch")
	hashes := strings.Fields(out)
	if err == nil && len(hashes) != len(lists) {
		err = fmt.Errorf("git made %d trees of %d", len(hashes), len(lists))
	}
	return hashes, err
}
