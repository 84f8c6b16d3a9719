package nearby

import (
	"os"
	"path/filepath"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/disk"
)

// Expand returns the path that a person typed, who may say ~ for their home
// folder as in a shell. Nobody else's home is looked for.
func Expand(typed, home string) string {
	rest, ok := strings.CutPrefix(typed, "~")
	if !ok || home == "" || rest != "" && !os.IsPathSeparator(rest[0]) {
		return typed
	}
	return home + rest
}

// AtHome is Expand for the user's own home folder, with the blanks around what was
// typed taken off.
func AtHome(typed string) string {
	typed = strings.TrimSpace(typed)
	home, err := os.UserHomeDir()
	if full := Expand(typed, home); err == nil && full != typed {
		return filepath.Clean(full)
	}
	return typed
}

// Own returns a folder that the user names for what is to be read in it, or why it
// cannot be: it must be theirs.
func Own(typed string) (string, error) {
	dir := AtHome(typed)
	info, err := os.Stat(dir)
	kind := problem.NotYours
	switch {
	case !filepath.IsAbs(dir):
		kind = problem.Relative
	case err != nil:
		kind = problem.NoFolder
	case !info.IsDir():
		kind = problem.NotFolder
	case disk.Owned(info):
		return filepath.Clean(dir), nil
	}
	return "", problem.New(kind, beckon.Invalid("no sessions are read in %.200q", dir), "dir", dir)
}
