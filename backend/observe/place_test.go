package observe

import (
	"testing"

	"beckon/backend/beckon"
)

// TestASessionBelongsToTheInnermostProject of its own folder, and to that of its
// repository only where its folder is in none.
func TestASessionBelongsToTheInnermostProject(t *testing.T) {
	t.Parallel()
	projects := []beckon.Project{
		{ID: "all", Dir: "/src"}, {ID: "kestrel", Dir: "/src/kestrel"}, {ID: "docs", Dir: "/src/kestrel/docs"}, {ID: "other", Dir: "/opt/other"},
	}
	for name, c := range map[string]struct{ dir, repo, want string }{
		"its folder":                           {"/src/kestrel", "", "kestrel"},
		"below its folder":                     {"/src/kestrel/plan", "", "kestrel"},
		"the innermost":                        {"/src/kestrel/docs/en", "", "docs"},
		"a name that begins alike":             {"/src/kestrel-old", "", "all"},
		"above every folder":                   {"/", "", ""},
		"beside a folder":                      {"/opt/other/../secret", "", ""},
		"a worktree elsewhere":                 {"/tmp/fix", "/src/kestrel", "kestrel"},
		"a worktree of a repository below one": {"/tmp/fix", "/opt/other/lib", "other"},
		"a worktree in another project":        {"/opt/other/fix", "/src/kestrel", "other"},
		"neither":                              {"/tmp/fix", "/tmp/repo", ""},
		"nothing known":                        {"", "", ""},
	} {
		if got, found := ProjectOf(projects, c.dir, c.repo); got.ID != c.want || found != (c.want != "") {
			t.Errorf("%s: %q, %t, want %q", name, got.ID, found, c.want)
		}
	}
	if got, found := ProjectOf([]beckon.Project{{ID: "machine", Dir: "/"}}, "/tmp/fix"); !found || got.ID != "machine" {
		t.Errorf("in a project that is the whole machine: %q, %t", got.ID, found)
	}
}
