package inspect

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"beckon/backend/beckon/starting"
	"beckon/backend/git/command"
)

// Branches finds the branches of a repository whose names have a text, those of the repository before
// those of its remotes, the newest first, and at most so many. A branch that is both here and
// on a remote is listed as the one here. Ahead and Behind are against the branch base, and none
// where that is gone.
func Branches(ctx context.Context, c command.Git, text, base string, most int) (starting.BranchSearch, error) {
	found := starting.BranchSearch{Branches: []starting.FoundBranch{}}
	all, err := everyBranch(ctx, c)
	if err != nil {
		return found, err
	}
	here := map[string]bool{}
	for _, b := range all {
		if b.Remote == "" {
			here[b.Name] = true
		}
	}
	found.Here = len(here)
	for _, b := range all {
		if b.Remote != "" && here[b.Name] {
			continue
		}
		if b.Remote != "" {
			found.OnRemote++
		}
		if strings.Contains(strings.ToLower(b.Name), strings.ToLower(text)) {
			found.Branches = append(found.Branches, b)
		}
	}
	slices.SortStableFunc(found.Branches, func(a, b starting.FoundBranch) int {
		return cmp.Or(cmp.Compare(match(a, text), match(b, text)), cmp.Compare(b.At, a.At))
	})
	found.Branches = found.Branches[:min(len(found.Branches), most)]
	commit, err := c.Branch(ctx, base)
	if err != nil || commit == "" {
		return found, err
	}
	for i := range found.Branches {
		if err := compare(ctx, c, &found.Branches[i], commit); err != nil {
			return found, err
		}
	}
	return found, nil
}

// match orders what was found: the very name, those here, those of remotes.
func match(b starting.FoundBranch, text string) int {
	switch {
	case b.Name == text:
		return 0
	case b.Remote == "":
		return 1
	}
	return 2
}

// everyBranch lists the branches of the repository and of its remotes.
func everyBranch(ctx context.Context, c command.Git) ([]starting.FoundBranch, error) {
	remotes, err := c.Line(ctx, "remote")
	if err != nil {
		return nil, err
	}
	out, err := c.Run(ctx, "for-each-ref", "--format=%(refname)%00%(symref)%00%(authorname)%00%(committerdate:unix)%00%(worktreepath)",
		"refs/heads/", "refs/remotes/")
	var list []starting.FoundBranch
	for line := range strings.Lines(out) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		if len(fields) != 5 || fields[1] != "" { // a name for another, such as origin/HEAD
			continue
		}
		seconds, _ := strconv.ParseInt(fields[3], 10, 64) // a commit without a date is the oldest
		b := starting.FoundBranch{Author: strings.ToValidUTF8(fields[2], "\uFFFD"), At: seconds * 1000, Dir: fields[4]}
		var ok bool
		if b.Name, ok = strings.CutPrefix(fields[0], "refs/heads/"); !ok {
			b.Remote, b.Name = remoteBranch(fields[0], strings.Fields(remotes))
		}
		if b.Name != "" {
			list = append(list, b)
		}
	}
	return list, err
}

// remoteBranch splits the name of a remote's branch; a remote's own name may have a slash.
func remoteBranch(ref string, remotes []string) (remote, name string) {
	for _, one := range remotes {
		if rest, ok := strings.CutPrefix(ref, "refs/remotes/"+one+"/"); ok && len(one) > len(remote) {
			remote, name = one, rest
		}
	}
	return remote, name
}

// compare counts the commits that a branch and the commit of its base have apart.
func compare(ctx context.Context, c command.Git, b *starting.FoundBranch, base string) error {
	ref := "refs/heads/" + b.Name
	if b.Remote != "" {
		ref = "refs/remotes/" + b.Remote + "/" + b.Name
	}
	out, err := c.Line(ctx, "rev-list", "--left-right", "--count", base+"..."+ref)
	if err == nil {
		_, err = fmt.Sscan(out, &b.Behind, &b.Ahead)
	}
	return err
}
