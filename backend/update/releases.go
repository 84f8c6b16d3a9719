package update

import (
	"os"
	"strings"
)

// ReleasesAt returns the repository whose releases are asked for, of that which the build
// names. It is empty, and nobody is asked, in the demo, in a build that nobody publishes
// yet, and where a distribution brings the updates and sets BECKON_NO_UPDATE_CHECK.
func ReleasesAt(repository string, demo bool) string {
	owner, _, _ := strings.Cut(repository, "/")
	if demo || strings.HasSuffix(owner, ".invalid") || os.Getenv("BECKON_NO_UPDATE_CHECK") != "" {
		return ""
	}
	return repository
}
