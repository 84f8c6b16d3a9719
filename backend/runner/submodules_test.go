package runner_test

import (
	"testing"

	"beckon/backend/beckon"
)

// A reader would take the code for missing.
func TestEmptySubmodulesAreNamedInTheTranscript(t *testing.T) {
	t.Parallel()
	d := start(t, "text done\n")
	d.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", d.Project.Dir, "lib/words")
	d.Git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", "submodule")
	d.Git("submodule", "--quiet", "deinit", "--force", "lib/words")
	task, run := d.Ended(d.Run(beckon.NewTask{Title: "Use the library"}).ID)
	if run.Outcome != beckon.Succeeded {
		t.Errorf("the run %s: %s", run.Outcome, run.Reason)
	}
	d.shows(task.ID, "submodules_empty", "lib/words")
}
