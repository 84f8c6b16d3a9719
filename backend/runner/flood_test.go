package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
)

// TestAnAgentThatFloodsIsRefusedAndAnotherIsHeard: by its tool as well as by
// what it wants to be allowed.
func TestAnAgentThatFloodsIsRefusedAndAnotherIsHeard(t *testing.T) {
	t.Parallel()
	const asks, most = 60, 100
	var flood strings.Builder
	flood.WriteString("-- script --\nmatch: Flood\nparallel\n")
	for i := range asks {
		fmt.Fprintf(&flood, "ask_user {\"question\":\"Flood %d?\"}\npermit Bash {\"command\":\"echo flood %d\"}\n", i, i)
	}
	flood.WriteString("end\n")
	scripts := t.TempDir()
	for name, script := range map[string]string{
		"flood": flood.String(),
		"calm":  "-- script --\nmatch: Calm\nask_user {\"question\":\"Which colour?\"}\n",
	} {
		if err := os.WriteFile(filepath.Join(scripts, name+".txtar"), []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d := startWith(t, agentsOf(t, scripts))
	flooding := d.run(beckon.NewTask{Title: "Flood", Policy: beckon.Wait})
	refused := func() (n int) {
		for _, e := range d.shown {
			if e.Tool != nil && strings.Contains(e.Tool.Result, "too many questions: 100 wait for the user's answer already") {
				n++
			}
		}
		return n
	}
	d.until("refusals that the agent reads", func() bool { return refused() >= 2*asks-most })
	d.run(beckon.NewTask{Title: "Calm", Policy: beckon.Wait})
	d.open("Which colour?")

	open := 0
	frame, err := d.Attach("testclient")
	if err != nil {
		t.Fatal(err)
	}
	var floods []beckon.Flood
	for _, e := range frame.Events {
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
	if want := (beckon.Flood{TaskID: flooding.ID, Refused: 2*asks - most}); len(floods) != 1 || floods[0] != want {
		t.Errorf("the page hears of the floods %+v; want %+v", floods, want)
	}
}
