package crash

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/client"
)

// TestATranscriptThatCannotBeReadKeepsNobodyOut: Beckon starts, the card says
// what happened and where the file is, and what the agent had not taken waits.
func TestATranscriptThatCannotBeReadKeepsNobodyOut(t *testing.T) {
	t.Parallel()
	v := raise(t)
	v.Asked(v.task.ID, "Which colour?")
	client.Must[beckon.Message](v.Program, "SendMessage", v.task.ID,
		beckon.NewMessage{Text: "handed over", Manner: beckon.Steer, Images: []beckon.Image{}}) // and not taken, since the agent waits
	run := client.Must[[]beckon.Run](v.Program, "Runs", v.task.ID)[0]
	_ = v.Cmd.Process.Kill()
	_ = v.Cmd.Wait()
	log := filepath.Join(v.args[1], "transcripts", run.ID+".ndjson")
	if err := os.Rename(log, log+".good"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(log, 0o700); err != nil {
		t.Fatal(err)
	}
	v.Program = client.Serve(t, beckonBin, v.env, v.args...)
	if trouble := v.Task(v.task.ID).Trouble; !strings.Contains(trouble.String(), "cannot be read") || !strings.Contains(trouble.String(), log+".unreadable") {
		t.Errorf("the card says %q", trouble)
	}
	if _, err := os.Stat(log + ".unreadable"); err != nil {
		t.Error(err)
	}
	if got := v.waiting(); len(got) != 1 || got[0] != "handed over" {
		t.Errorf("%q wait", got)
	}
}
