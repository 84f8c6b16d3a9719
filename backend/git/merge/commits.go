package merge

import (
	"context"
	"strings"

	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
)

// Commits returns what the commits of w say that its base lacks, the oldest first.
// Merges among them are left out.
func Commits(ctx context.Context, repo command.Git, w workdir.Worktree) ([]reviewing.MergedCommit, error) {
	base, err := repo.Branch(ctx, w.Base)
	if err != nil {
		return nil, err
	}
	tip, err := repo.Branch(ctx, w.Branch)
	if err != nil || tip == "" || base == "" {
		return nil, err
	}
	const form = "--format=%s%x1f%(trailers:key=Co-authored-by,valueonly,unfold,separator=%x1e)"
	fields, err := repo.List(ctx, "log", "--reverse", "--topo-order", "--no-merges", "--no-show-signature",
		"--encoding=UTF-8", "-z", form, base+".."+tip)
	list := make([]reviewing.MergedCommit, 0, len(fields))
	for _, field := range fields {
		subject, names, _ := strings.Cut(strings.ToValidUTF8(field, "\uFFFD"), "\x1f")
		c := reviewing.MergedCommit{Subject: subject}
		for name := range strings.SplitSeq(names, "\x1e") {
			if name = strings.TrimSpace(name); name != "" {
				c.Authors = append(c.Authors, name)
			}
		}
		list = append(list, c)
	}
	return list, err
}
