package command

import "testing"

// TestOnlyCallsThatRunNothingAreSpared: a call that is taken for harmless and
// is not would run the filter of a hostile repository.
func TestOnlyCallsThatRunNothingAreSpared(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spared bool
		args   []string
	}{
		{true, []string{"show-ref", "--verify", "refs/heads/main"}},
		{true, []string{"ls-files", "-z", "--", "a"}},
		{true, []string{"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"}},
		{false, []string{"ls-files", "-m"}},
		{false, []string{"ls-files", "-z", "--eol"}},
		{true, []string{"symbolic-ref", "-q", "HEAD"}},
		{false, []string{"symbolic-ref", "HEAD", "refs/heads/x"}},
		{false, []string{"symbolic-ref", "-q", "-d", "HEAD"}},
		{true, []string{"diff-tree", "--no-ext-diff", "--no-textconv", "a", "b"}},
		{false, []string{"diff-tree", "a", "b"}},
		{false, []string{"cat-file", "--filters", "a"}},
		{false, []string{"status"}},
		{false, []string{"update-ref", "a", "b"}},
		{true, []string{"worktree", "list", "--porcelain", "-z"}},
		{true, []string{"worktree", "move", "--", "a", "b"}},
		{true, []string{"worktree", "unlock", "--", "a"}},
		{false, []string{"worktree", "add"}},
		{false, []string{"worktree", "remove", "a"}},
		{false, []string{"worktree"}},
		{false, []string{"reset", "--hard"}},
		{true, []string{"mktree", "-z"}},
		{false, []string{"write-tree"}},
		{true, []string{"commit-tree", "a", "-F", "-"}},
		{true, []string{"config", "--get", "user.name"}},
		{true, []string{"config", "-z", "--show-scope", "--get-regexp", "x"}},
		{false, []string{"config", "--edit"}},
		{false, []string{"read-tree", "--reset", "-u", "a"}},
		{false, []string{"hash-object", "-w", "a"}},
	} {
		if got := runsNothing(c.args); got != c.spared {
			t.Errorf("%q: %t", c.args, got)
		}
	}
}
