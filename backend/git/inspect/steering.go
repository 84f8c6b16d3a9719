package inspect

import (
	"path"
	"slices"
	"strings"

	"beckon/backend/beckon"
)

// steeringFiles are the names of files that steer or run something on the computer that has
// them checked out: git's filters and submodules, the servers of agents, and containers.
var steeringFiles = []string{".gitattributes", ".gitmodules", ".lfsconfig", ".mcp.json", ".devcontainer.json"}

// Steering returns those of a repository's paths by which it would steer or run something on
// this computer, in their order. Instructions for agents are none of them: agents change those
// every day, and nothing runs of them.
func Steering(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(name string) bool { return !steers(name) })
}

func steers(name string) bool {
	if slices.Contains(steeringFiles, path.Base(name)) || strings.HasPrefix(name, ".devcontainer/") {
		return true
	}
	_, part, inside := strings.Cut("/"+name, "/.claude/")
	if !inside {
		return path.Base(name) == ".claude" // a link, in the folder's place
	}
	part, _, _ = strings.Cut(part, "/")
	kind, known := claudeFolder[part]
	return !known || kind == beckon.BroughtSettings
}
