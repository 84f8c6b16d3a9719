package main

import (
	"testing"

	"beckon/backend/beckon"
)

// A reader would take the code for missing.
func TestEmptySubmodulesAreNamedInTheTranscript(t *testing.T) {
	t.Parallel()
	d := start(t, "text done\n")
	d.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", d.project.Dir, "lib/words")
	d.git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", "submodule")
	task, run := d.ended(d.run(beckon.NewTask{Title: "Use the library"}).ID)
	if run.Outcome != beckon.Succeeded {
		t.Errorf("the run %s: %s", run.Outcome, run.Reason)
	}
	d.shows(task.ID, "submodules_empty", "lib/words")
}
