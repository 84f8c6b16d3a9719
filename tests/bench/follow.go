//go:build linux

package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
)

const (
	followers  = 16 // agents that a client follows
	followWarm = 3 * time.Second
	followSpan = 10 * time.Second
	usualLine  = 2600 // bytes of a line, the mean of those that ingest writes
)

// following takes how old an agent's line is when a client of serve has it, over a
// WebSocket and decoded, while the client shows all of them. The agents begin as
// their processes come up, so that their lines are spread as those of agents are.
func following(b *bench) {
	for _, c := range []struct {
		every    time.Duration
		bytes    int
		p50, p99 float64
	}{{100 * time.Millisecond, 20, 1, 5}, {100 * time.Millisecond, usualLine, 1, 5}, {20 * time.Millisecond, usualLine, 1, 5}, {time.Second, 64 << 10, 2, 15}} {
		ages := b.follow(c.every, c.bytes)
		name := fmt.Sprintf("agent's line of %d bytes to a client of serve, %d agents at %d lines/s in all", c.bytes, followers, followers*int(time.Second/c.every))
		b.print(name+": p50", ms(ages[len(ages)/2]), "ms", atMost(c.p50))
		b.print(name+": p99", ms(ages[len(ages)*99/100]), "ms", atMost(c.p99))
	}
	followBusy(b)
}

// follow returns the ages of the lines of that many bytes of agents that say the time that often,
// youngest first.
func (b *bench) follow(every time.Duration, bytes int) []time.Duration {
	s := b.serve(saysTheTime(every, bytes), b.TempDir())
	defer s.Close()
	return s.ages(every, func() { time.Sleep(followSpan) })
}

// saysTheTime is the script of an agent that says the time that often, in lines of that many bytes.
func saysTheTime(every time.Duration, bytes int) string {
	return fmt.Sprintf("clock 1000000 %s %d\n", every, bytes)
}

// ages returns the ages of the lines of such agents, youngest first, while something is
// done.
func (s *stage) ages(every time.Duration, do func()) []time.Duration {
	settings := beckon.DefaultSettings()
	settings.Slots = followers
	client.Must[any](s.Program, "SaveSettings", settings)
	a := &clientAges{tasks: map[string]bool{}}
	s.Follow(clientID, a.take)
	var tasks []string
	for i := range followers {
		tasks = append(tasks, s.create(fmt.Sprintf("Tell the time of the %dth server", i), beckon.Backlog).ID)
	}
	client.Must[any](s.Program, "Watch", clientID, tasks)
	for _, id := range tasks {
		client.Must[beckon.Task](s.Program, "MoveTask", id, beckon.Running, 0)
	}
	s.Until("all of them say the time", patience, func() bool { return a.said() == followers })
	time.Sleep(followWarm)
	a.reset()
	began := time.Now()
	do()
	list := a.reset()
	if due := followers * int(time.Since(began)/every); len(list) < due*99/100 {
		s.b.Fatalf("%d of %d lines came", len(list), due)
	}
	slices.Sort(list)
	return list
}

// followBusy takes what the back end works while agents write more than anybody
// can read, and a client shows nine of them.
func followBusy(b *bench) {
	s := b.busy(paneAgents, paneRate)
	s.watchBusy()
	time.Sleep(paneWarm)
	pid := s.Cmd.Process.Pid
	began, before := time.Now(), worked(b, pid)
	time.Sleep(paneSpan)
	share := 100 * (worked(b, pid) - before).Seconds() / time.Since(began).Seconds()
	b.print(fmt.Sprintf("back end: processor, %d agents at %d lines/s in all, %d of them shown", paneAgents, paneAgents*paneRate, panesShown), share, "% of a core", atMost(32))
}

// watchBusy has a client show as many of the agents that are at work as Mission
// Control does.
func (s *stage) watchBusy() {
	const id = "benchwatcher"
	s.Follow(id, func(beckon.Frame) {})
	var tasks []string
	for _, e := range client.Must[beckon.Frame](s.Program, "Attach", id).Events {
		if e.Task != nil && e.Task.Status == beckon.Running && len(tasks) < panesShown {
			tasks = append(tasks, e.Task.ID)
		}
	}
	client.Must[any](s.Program, "Watch", id, tasks)
}

// clientAges collects how old the times are that a client reads.
type clientAges struct {
	mu    sync.Mutex
	list  []time.Duration
	tasks map[string]bool // that said one
}

func (a *clientAges) take(f beckon.Frame) {
	now := time.Now()
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, e := range f.Events {
		if e.Entry == nil || e.Entry.Kind != beckon.TextEntry {
			continue
		}
		said, _, _ := strings.Cut(e.Entry.Text, " ")
		if ns, err := strconv.ParseInt(said, 10, 64); err == nil {
			a.list, a.tasks[e.TaskID] = append(a.list, now.Sub(time.Unix(0, ns))), true
		}
	}
}

// said returns how many tasks' agents have said the time.
func (a *clientAges) said() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.tasks)
}

// reset returns the ages since the last call.
func (a *clientAges) reset() []time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := a.list
	a.list = nil
	return list
}
