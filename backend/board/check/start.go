package check

import (
	"fmt"
	"regexp"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/starting"
	"beckon/backend/git/command"
)

// Start refuses what a task cannot start from, beside the others of its project.
func Start(t beckon.Task, others []beckon.Task) error {
	s := t.Start
	if s.Kind != "" && !slices.Contains(starting.Kinds, s.Kind) {
		return beckon.Invalid("nothing starts from %q", s.Kind)
	}
	for _, name := range []string{s.Branch, s.Base} {
		if name != "" && !command.UserBranch(name) {
			return problem.New(problem.BranchName, beckon.Invalid("git takes no branch called %.80q", name), "branch", name)
		}
	}
	switch {
	case s.Kind.Adopts() && s.Branch == "", s.Kind == starting.OnTask && s.TaskID == "", s.TaskID == t.ID,
		(s.Remote == "") != (s.Ref == ""), s.Remote != "" && (!remoteName.MatchString(s.Remote) || !fetchedRef.MatchString(s.Ref)),
		len(s.URL) > maxURL, s.URL != "" && !webPage.MatchString(s.URL), s.Number < 0:
		return beckon.Invalid("what the task starts from is not whole: %.200q", fmt.Sprint(s))
	case !s.Kind.Adopts():
		return nil
	}
	for _, other := range others {
		if other.ID != t.ID && other.WorksOn(s.Branch) {
			err := fmt.Errorf("%s works on %s: %w", other.Key, s.Branch, beckon.ErrConflict)
			return problem.New(problem.BranchUsed, err, "branch", s.Branch, "key", other.Key)
		}
	}
	return nil
}

// Under returns the branch on which a task builds that starts from the first one's work: the
// base of that, where the work is in it already.
func Under(first beckon.Task) (branch string, err error) {
	switch {
	case first.Resolution == beckon.Merged:
		return first.Base, nil
	case first.Branch == "":
		err := fmt.Errorf("%s has no branch yet to build on: %w", first.Key, beckon.ErrConflict)
		return "", problem.New(problem.NoBranch, err, "key", first.Key)
	}
	return first.Branch, nil
}

// maxURL is how long the address of a pull request or an issue may be, in bytes.
const maxURL = 2000

var (
	webPage    = regexp.MustCompile(`^https?://[^\s/]+/\S*$`)
	remoteName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./-]*$`)
	// fetchedRef is what a task may start from that a remote has: a branch, or what GitHub
	// and GitLab keep of a request.
	fetchedRef = regexp.MustCompile(`^refs/(heads/[^\s~^:?*\[\\]+|pull/[0-9]+/head|merge-requests/[0-9]+/head)$`)
	// patternWords is a pattern in which only the known names stand in braces.
	patternWords = regexp.MustCompile(`^([^{}\s]|\{key\}|\{number\}|\{title\})+$`)
)

// branchPattern refuses what is no pattern of branches' names.
func branchPattern(pattern string) error {
	sample := command.BranchName(pattern, "KES-47", 47, "sample")
	if pattern == "" || len(pattern) <= starting.MaxBranch && starting.Named(pattern) &&
		sample != command.BranchName("", "KES-47", 47, "") && patternWords.MatchString(pattern) {
		return nil
	}
	err := beckon.Invalid("%.80q names no branches", pattern)
	return problem.New(problem.BranchPattern, err, "pattern", pattern, "example", "feature/{key}-{title}")
}
