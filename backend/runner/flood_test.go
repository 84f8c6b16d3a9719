package runner_test

import (
	"fmt"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/runnertest"
)

// TestAnAgentThatFloodsIsRefusedAndAnotherIsHeard: by its tool as well as by
// what it wants to be allowed.
func TestAnAgentThatFloodsIsRefusedAndAnotherIsHeard(t *testing.T) {
	t.Parallel()
	const asks, most = 60, 100
	var flood strings.Builder
	flood.WriteString("match: Flood\nparallel\n")
	for i := range asks {
		fmt.Fprintf(&flood, "ask_user {\"question\":\"Flood %d?\"}\npermit Bash {\"command\":\"echo flood %d\"}\n", i, i)
	}
	flood.WriteString("end\n")
	d := startWith(t, runnertest.AgentsOf(t, map[string]string{
		"flood": flood.String(),
		"calm":  "match: Calm\nask_user {\"question\":\"Which colour?\"}\n",
	}))
	flooding := d.Run(beckon.NewTask{Title: "Flood", Policy: beckon.Wait})
	const refusals = 2*asks - most
	d.Until("refusals that the agent reads", func() bool { // in the log: pages fetch the end of a flood
		if f := d.Desk.Floods().Floods; len(f) == 0 || f[0].Refused < refusals {
			return false
		}
		page, err := d.History.Transcript(t.Context(), flooding.ID, "", 500)
		read := 0
		for _, e := range page.Entries {
			if e.Tool != nil && strings.Contains(e.Tool.Result, "too many questions: 100 wait for the user's answer already") {
				read++
			}
		}
		return err == nil && read >= refusals
	})
	d.Run(beckon.NewTask{Title: "Calm", Policy: beckon.Wait})
	d.Question("Which colour?")
	d.Until("as many questions as may wait", func() bool {
		waits := 0
		for _, q := range d.Asked {
			if q.TaskID == flooding.ID {
				waits++
			}
		}
		return waits >= most
	})

	open := 0
	events, _, err := d.History.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var floods []beckon.Flood
	for _, e := range events {
		if e.Floods != nil {
			floods = e.Floods.Floods
		}
		if e.Question != nil && e.Question.TaskID == flooding.ID {
			open++
		}
	}
	if open != most {
		t.Errorf("%d of its questions are open; want %d", open, most)
	}
	if want := (beckon.Flood{TaskID: flooding.ID, Refused: refusals}); len(floods) != 1 || floods[0] != want {
		t.Errorf("the page hears of the floods %+v; want %+v", floods, want)
	}
}
