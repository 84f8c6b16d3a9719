//go:build linux

package main

import (
	"fmt"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
)

// Twelve agents ask, and wait for an answer as long as the clocks are watched. The pointer
// moves now and then: the clocks of a page that nobody touches step less often.
const (
	clocksOpen = 12
	clocksWarm = 10 * time.Second
	clocksSpan = 40 * time.Second
	clocksMove = 10 * time.Second
	clocksWait = 10 * time.Minute
)

// clocks takes what Mission Control costs while nothing happens in it but that the
// clocks of questions run.
func clocks(b *bench) {
	s := b.serve(asking, b.TempDir())
	settings := beckon.DefaultSettings()
	settings.Slots = clocksOpen
	client.Must[any](s.Program, "SaveSettings", settings)
	client.Must[any](s.Program, "SaveMission", beckon.Mission{Layout: panesShown, Panes: []beckon.Pane{}})
	for i := range clocksOpen {
		client.Must[beckon.Task](s.Program, "CreateTask", beckon.NewTask{
			ProjectID: s.project.ID, Title: fmt.Sprintf("Parse the headers of the %dth server", i),
			Status: beckon.Running, Policy: beckon.Proceed, WaitMs: clocksWait.Milliseconds(),
		})
	}
	tab := b.chromium()
	tab.visit(s.Program, "#/mission")
	tab.until(fmt.Sprintf("document.querySelectorAll('.agent.needs').length === %d && document.querySelectorAll('.pane [role=timer]').length === %d", clocksOpen, panesShown))
	time.Sleep(clocksWarm)
	renderer := tab.renderer()
	began, page, back := time.Now(), worked(b, renderer), worked(b, s.Cmd.Process.Pid)
	for time.Since(began) < clocksSpan {
		tab.until("dispatchEvent(new Event('pointermove'))")
		time.Sleep(clocksMove)
	}
	span := time.Since(began).Seconds()
	load := fmt.Sprintf("%d open clocks in Mission Control, and nothing else", clocksOpen)
	b.print(load+": the page's process", 100*(worked(b, renderer)-page).Seconds()/span, "% of a core", atMost(1))
	b.print(load+": the back end", 100*(worked(b, s.Cmd.Process.Pid)-back).Seconds()/span, "% of a core", atMost(0.05))
}
