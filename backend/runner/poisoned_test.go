package runner_test

import (
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
)

func TestASessionThatAnswersWithNothingIsSetAside(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "ask Which? | A | B\ntext I know ${message}\n", `say {"type":"system","subtype":"init","session_id":"x","model":"claude-opus-4-8[1m]","mcp_servers":[{"name":"beckon","status":"connected"}]}
replay empty
-- empty --
{"type":"result","subtype":"success","is_error":false,"num_turns":0,"result":"","stop_reason":null,"session_id":"x","total_cost_usd":0,"usage":{},"modelUsage":{},"permission_denials":[]}
`)
	task := d.Run(beckon.NewTask{Title: "Go on", Brief: "With this."})
	d.Question("Which?")
	if err := d.Runner.Stop(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	_, first := d.Ended(task.ID)
	if _, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Running, 0); err != nil {
		t.Fatal(err)
	}
	d.Choose(d.Question("Which?"), "A") // of the new session
	d.Until("a run that succeeded", func() bool { return d.Runs[task.ID].Outcome == beckon.Succeeded })
	runs, err := d.History.Runs(t.Context(), task.ID)
	if err != nil || runs[1].Outcome != beckon.Failed || !strings.Contains(runs[1].Reason.String(), "set aside") || runs[len(runs)-1].Session == first.Session {
		t.Errorf("runs %+v, %v; want one that set the session aside, and a new session", runs, err)
	}
	d.shows(task.ID, "session_set_aside", "")
	page, err := d.History.Transcript(t.Context(), task.ID, "", 100)
	if err != nil || !slices.ContainsFunc(page.Entries, func(e beckon.Entry) bool {
		return strings.Contains(e.Text, "I know Go on") && strings.Contains(e.Text, "With this.")
	}) {
		t.Errorf("the new session was not told the brief: %+v, %v", page.Entries, err)
	}
}

// TestASessionThatFirstNotesWhatItLostIsNotSetAside, nor ended since it has no tools in
// that turn: claude connects to its host's servers with the first message.
func TestASessionThatFirstNotesWhatItLostIsNotSetAside(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "ask Which? | A | B\n", `say {"type":"system","subtype":"init","session_id":"x","model":"claude-opus-4-8[1m]","mcp_servers":[]}
say {"type":"result","subtype":"success","is_error":false,"num_turns":0,"result":"","stop_reason":null,"session_id":"x","total_cost_usd":0,"usage":{},"modelUsage":{},"permission_denials":[],"origin":{"kind":"task-notification"}}
say {"type":"system","subtype":"init","session_id":"x","model":"claude-opus-4-8[1m]","mcp_servers":[{"name":"beckon","status":"connected"}]}
text I go on with ${message}
`)
	task := d.Run(beckon.NewTask{Title: "Go on"})
	d.Question("Which?")
	if err := d.Runner.Stop(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	d.Ended(task.ID)
	if _, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Running, 0); err != nil {
		t.Fatal(err)
	}
	d.Until("a run that goes on", func() bool { return d.Runs[task.ID].Number == 2 && d.Runs[task.ID].Phase == beckon.Ended })
	if run := d.latest(task.ID); run.Outcome != beckon.Succeeded {
		t.Errorf("run %+v; want success in the session that was stopped", run)
	}
	page, err := d.History.Transcript(t.Context(), task.ID, "", 100)
	if err != nil || !slices.ContainsFunc(page.Entries, func(e beckon.Entry) bool { return strings.Contains(e.Text, "I go on with") }) {
		t.Errorf("the session's answer is lost: %+v, %v", page.Entries, err)
	}
}
