package observe

import (
	"path/filepath"

	"beckon/backend/beckon"
)

// This file says which project a session that Beckon did not start is in.

// ProjectOf returns the innermost project that has the first of the paths that is in
// any: a session's own folder, and then the repository that this is a worktree of.
func ProjectOf(projects []beckon.Project, paths ...string) (innermost beckon.Project, found bool) {
	for i := 0; i < len(paths) && !found; i++ {
		for _, p := range projects {
			rel, err := filepath.Rel(p.Dir, paths[i])
			if err == nil && filepath.IsLocal(rel) && len(p.Dir) > len(innermost.Dir) {
				innermost, found = p, true
			}
		}
	}
	return innermost, found
}
