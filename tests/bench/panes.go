//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
)

// Mission Control shows at most nine panes; twelve agents work.
const (
	panesShown = 9
	paneAgents = 12
	paneRate   = 5000 / paneAgents // lines a second, each
	paneWarm   = 10 * time.Second
	paneSpan   = 30 * time.Second
)

// gapsScript notes how long the page goes without a frame, in milliseconds,
// from the moment when it is evaluated.
const gapsScript = `window.gaps = []; let last = performance.now();
(function look(now) { window.gaps.push(now - last); last = now; requestAnimationFrame(look); })(last)`

// panes takes what Mission Control costs the page while all its agents write more than
// anybody reads.
func panes(b *bench) { b.panes(paneAgents, paneRate) }

// readable takes the same while they write what people can read.
func readable(b *bench) { b.panes(soakAgents, soakRate) }

// panes takes what nine panes cost while so many agents write rate lines a second, each.
func (b *bench) panes(agents, rate int) {
	s := b.busy(agents, rate)
	tab := b.chromium()
	tab.visit(s.Program, "#/mission")
	time.Sleep(paneWarm)
	if shown := tab.number("document.querySelectorAll('section.pane').length"); shown != panesShown {
		b.Fatalf("%v panes are shown, not %d", shown, panesShown)
	}
	renderer := tab.renderer()
	began, before := time.Now(), worked(b, renderer)
	tab.call("Runtime.evaluate", map[string]any{"expression": gapsScript})
	tab.trace("devtools.timeline", "disabled-by-default-devtools.timeline")
	time.Sleep(paneSpan)
	share := 100 * (worked(b, renderer) - before).Seconds() / time.Since(began).Seconds()
	load := fmt.Sprintf("%d panes, %d agents at %d lines/s in all", panesShown, agents, agents*rate)
	b.print(load+": the page's process", share, "% of a core", atMost(40))
	tasks := tab.traced(renderer)
	b.print(fmt.Sprintf("%s: longest task of the page's main thread (%d over 50 ms, of its own work)", load, tasks.over(50*time.Millisecond)), tasks.longest().Seconds()*1000, "ms", atMost(50))
	p99 := tab.number("window.gaps.sort((a, b) => a - b)[Math.floor(window.gaps.length * 0.99)]")
	b.print(fmt.Sprintf("%s: longest gap between frames (p99 %.0f ms)", load, p99), tab.number("Math.max(...window.gaps)"), "ms", atMost(50))
}

// busy starts Beckon with so many agents that never end, each writing rate
// lines a second, and Mission Control laid out for nine. For the tasks of other
// scripts there are slots, too.
func (b *bench) busy(agents, rate int, others ...string) *stage {
	script := fmt.Sprintf("text %s\npace 100000000 %d @mix\n-- mix --\n%s", firstWords, rate, mixture())
	s := b.serve(script, b.TempDir(), others...)
	settings := beckon.DefaultSettings()
	settings.Slots = agents + len(others)
	client.Must[any](s.Program, "SaveSettings", settings)
	client.Must[any](s.Program, "SaveMission", beckon.Mission{Layout: panesShown, Panes: []beckon.Pane{}})
	for i := range agents {
		s.create(fmt.Sprintf("Parse the headers of the %dth server", i), beckon.Running)
	}
	return s
}

// Twenty agents write what people can read, for ten minutes and for an hour.
const (
	soakAgents = 20
	soakRate   = 10 // lines a second, each
	soakWarm   = 2 * time.Minute
	soakEvery  = 10 * time.Second
)

// soak takes whether memory stays flat while agents work and Mission Control
// is watched.
func soak(b *bench) { _, _ = b.soak(10 * time.Minute) }

// hour takes the same for so long that what is lost slowly shows, too, and what the back
// end has more than it had at the beginning. A few goroutines come and go with what is said
// at the moment; one that stays for each agent, or each minute, shows.
func hour(b *bench) {
	early, page := b.watched()
	page.close()
	first := early.goroutines() // a back end that is asked for them ends
	s, files := b.soak(time.Hour)
	b.print(fmt.Sprintf("an hour of %d agents: descriptors more than at its beginning", soakAgents), descriptors(b, s.Cmd.Process.Pid)-files, "", atMost(0))
	b.print(fmt.Sprintf("an hour of %d agents: children that are no supervisor of theirs", soakAgents), float64(len(children(s.Cmd.Process.Pid))-soakAgents), "", atMost(0))
	last := s.goroutines()
	b.print(fmt.Sprintf("an hour of %d agents: goroutines more than at its beginning (%.0f)", soakAgents, first), last-first, "", atMost(soakAgents))
}

// watched has so many agents that work, and a page that shows them, both warm.
func (b *bench) watched() (*stage, *tab) {
	s := b.busy(soakAgents, soakRate)
	tab := b.chromium()
	tab.visit(s.Program, "#/mission")
	time.Sleep(soakWarm)
	return s, tab
}

// soak prints how memory grows while it is looked at for so long, and returns the stage and
// the descriptors that its back end had at the beginning.
func (b *bench) soak(span time.Duration) (*stage, float64) {
	s, tab := b.watched()
	renderer, files := tab.renderer(), descriptors(b, s.Cmd.Process.Pid)
	var back, page, heap slope
	for began := time.Now(); time.Since(began) < span; time.Sleep(soakEvery) {
		at := time.Since(began).Minutes()
		back.add(at, pss(b, s.Cmd.Process.Pid))
		heap.add(at, tab.heap())
		page.add(at, pss(b, renderer))
	}
	load := fmt.Sprintf("soak, %d agents at %d lines/s in all, %s", soakAgents, soakAgents*soakRate, span)
	for _, m := range []struct {
		name string
		s    slope
	}{{"back end (PSS)", back}, {"page's process (PSS)", page}, {"page's heap, collected", heap}} {
		name := fmt.Sprintf("%s: growth of the %s, %.0f to %.0f MB", load, m.name, m.s.y[0], m.s.y[len(m.s.y)-1])
		b.print(name, m.s.rise(), "MB/min", atMost(0.5))
	}
	return s, files
}

// heap returns what the page's scripts hold once garbage is collected, in MB.
func (t *tab) heap() float64 {
	t.call("HeapProfiler.collectGarbage", nil)
	var usage struct{ UsedSize float64 }
	t.b.must(json.Unmarshal(t.call("Runtime.getHeapUsage", nil), &usage))
	return usage.UsedSize / megabyte
}

// slope is a line through points, by least squares.
type slope struct{ x, y []float64 }

func (s *slope) add(x, y float64) { s.x, s.y = append(s.x, x), append(s.y, y) }

// rise returns how much y grows with each unit of x.
func (s *slope) rise() float64 {
	n := float64(len(s.x))
	var sx, sy, sxx, sxy float64
	for i, x := range s.x {
		sx, sy, sxx, sxy = sx+x, sy+s.y[i], sxx+x*x, sxy+x*s.y[i]
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}
