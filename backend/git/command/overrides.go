package command

import (
	"context"
	"slices"
	"strings"
)

// fixed are the settings of every call: nothing of the repository's runs, and
// nothing is left running behind it.
func fixed() []Setting {
	return []Setting{
		{"core.hooksPath", "/dev/null"},
		{"core.fsmonitor", "false"},
		{"core.longpaths", "true"}, // the data folder's paths are long; Windows only
		{"commit.gpgSign", "false"},
		{"log.showSignature", "false"},
		{"merge.verifySignatures", "false"},
		{"submodule.recurse", "false"},
		{"protocol.ext.allow", "never"},
		{"gc.auto", "0"},
		{"maintenance.auto", "false"},
		{"i18n.commitEncoding", "UTF-8"},
	}
}

// overrides returns the settings that silence what the configuration names
// itself: filters, merge drivers and hooks (git 2.54 has these in the
// configuration too). It reads them before each call that could run one, because
// an include or an agent may have changed them since the last one.
func (c Git) overrides(ctx context.Context, args []string) ([]Setting, error) {
	if runsNothing(args) {
		return nil, nil
	}
	cmd, stderr := c.process(ctx, nil, []string{"config", "-z", "--name-only", "--get-regexp", `^(filter|merge|hook)\.`})
	out, err := cmd.Output()
	if err != nil && ExitCode(err) != 1 { // 1: there are none
		return nil, explain(ctx, "config", err, stderr.String())
	}
	isolated, _, err := c.Isolated()
	if err != nil {
		return nil, err
	}
	var silenced []Setting
	for key := range strings.SplitSeq(string(out), "\x00") {
		silenced = append(silenced, silence(key, c.Trusted && !isolated)...)
	}
	return silenced, nil
}

// runsNothing reports whether a call reads refs, commits, trees, names or settings
// alone, makes trees or commits of what is there, or keeps git's record of worktrees:
// such a call compares no file's content, merges nothing and moves no ref, so that it
// runs no filter, driver or hook whatever the configuration says.
func runsNothing(args []string) bool {
	switch args[0] {
	case "check-ref-format", "show-ref", "for-each-ref", "rev-parse", "rev-list", "merge-base", "ls-tree":
		return true
	case "mktree", "commit-tree": // not write-tree, which compares files
		return true
	case "config": // that is read
		return slices.Contains(args, "--get") || slices.Contains(args, "--get-regexp")
	case "worktree": // these move folders, and write files of git's own
		return len(args) > 1 && slices.Contains([]string{"list", "move", "unlock"}, args[1])
	case "symbolic-ref": // without -q and one name it may write
		return len(args) > 1 && args[1] == "-q" && !slices.Contains(args, "-d") && !slices.Contains(args, "-m")
	case "ls-files": // only these compare no content
		return !slices.ContainsFunc(args[1:], func(a string) bool {
			return strings.HasPrefix(a, "-") && !slices.Contains(namesOnly, a)
		})
	case "diff-tree":
		return slices.Contains(args, "--no-textconv") && slices.Contains(args, "--no-ext-diff")
	default:
		return false
	}
}

// namesOnly are the options of ls-files that read the index and folders.
var namesOnly = []string{
	"-z", "-v", "--cached", "--others", "--ignored", "--exclude-standard",
	"--directory", "--deduplicate", "--",
}

// silence returns what keeps the program named by key from running. A file
// whose merge driver may not run counts as conflicting when both sides
// changed it: git's own merge of it could be wrong without a sign.
func silence(key string, trusted bool) []Setting {
	section, rest, _ := strings.Cut(key, ".")
	dot := strings.LastIndexByte(rest, '.')
	if dot < 0 {
		return nil
	}
	driver := section + "." + rest[:dot]
	switch {
	case section == "hook":
		return []Setting{{driver + ".enabled", "false"}}
	case trusted:
		return nil
	case section == "filter":
		return []Setting{
			{driver + ".smudge", ""},
			{driver + ".clean", ""},
			{driver + ".process", ""},
			{driver + ".required", "false"},
		}
	case section == "merge" && rest[dot:] == ".driver":
		return []Setting{{key, "false"}}
	default:
		return nil
	}
}
