package real

import (
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// TestTheAgentWorksInAFurtherRepository: the real CLI takes the folder of the worktrees, opens
// a repository by Beckon's tool, and what it changes there is in that repository's diff.
func TestTheAgentWorksInAFurtherRepository(t *testing.T) {
	t.Parallel()
	write := `echo made > "$PWD.with/dash/made.txt"`
	s := fixture.New(t, fixture.Turn{"tool": "mcp__beckon__open_repository", "input": map[string]any{"name": "dash"}}, bash(write), fixture.Turn{"text": "Done."})
	edit := s.Project
	edit.Repositories = []reviewing.Repository{{Name: "dash", Dir: client.Repository(t, map[string]string{"dash.txt": "dash\n"})}}
	s.Project = client.Must[beckon.Project](s.Program, "EditProject", edit)
	task := allowed(s, "Change both", "made.txt")
	s.Heard(task.Worktree + ".with/dash")
	if task.Trouble != nil || task.Changes.Files != 1 || task.Changes.Commits != 1 {
		t.Errorf("the card says %q of %+v", task.Trouble, task.Changes)
	}
	parts := client.Must[[]reviewing.Part](s.Program, "Parts", task.ID)
	if len(parts) != 2 || parts[0].Name != "dash" || parts[0].State != reviewing.PartClean || parts[1].State != reviewing.PartUnchanged {
		t.Fatalf("the parts are %+v", parts)
	}
	review := client.Must[beckon.ReviewDiff](s.Program, "Review", parts[0].ID, reviewing.View{})
	if len(review.Files) != 1 || review.Files[0].Path != "made.txt" {
		t.Errorf("the diff of dash is %+v", review.Files)
	}
	now := client.Must[beckon.Task](s.Program, "MergeTogether", task.ID, []reviewing.PartOrder{{ID: parts[0].ID}})
	if now.Status != beckon.Done || client.Git(t, parts[0].Dir, "show", "main:made.txt") != "made\n" {
		t.Errorf("merged it is in %s", now.Status)
	}
}
