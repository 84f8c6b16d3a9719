package check

import (
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
)

const (
	maxCommand = 16 << 10 // bytes
	maxCopied  = 100      // patterns
)

// scripts refuses what a project cannot have its worktrees run.
func scripts(s beckon.ScriptSet) error {
	for _, kind := range beckon.ScriptKinds {
		command := s.Command(kind)
		if len(command) > maxCommand {
			most := strconv.Itoa(maxCommand >> 10)
			return problem.New(problem.LongCommand, beckon.Invalid("a command has at most %s KB", most), "most", most)
		}
		if strings.Contains(command, "\x00") {
			return beckon.Invalid("a command is text")
		}
	}
	if len(s.Copied) > maxCopied {
		return beckon.Invalid("there are at most %d patterns of files to copy, not %d", maxCopied, len(s.Copied))
	}
	for _, pattern := range s.Copied {
		if err := copied(pattern); err != nil {
			return err
		}
	}
	return nil
}

// copied refuses what is no pattern of files below a folder. Patterns are those of
// .gitignore: one that begins with ! takes back what one before it names.
func copied(pattern string) error {
	clean := strings.Trim(strings.TrimPrefix(pattern, "!"), "/")
	_, err := path.Match(clean, "")
	if err != nil || clean == "" || len(pattern) > maxPath || !filepath.IsLocal(filepath.FromSlash(clean)) || strings.ContainsAny(pattern, "\\\n\r\x00") {
		return problem.New(problem.CopyPattern, beckon.Invalid("%.80q is no pattern of files below the project's folder", pattern), "pattern", pattern)
	}
	return nil
}
