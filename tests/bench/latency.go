//go:build linux

package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/claude"
	"beckon/backend/question"
	"beckon/backend/runner"
	"beckon/backend/store"
	"beckon/backend/toolserver"
)

// latency takes how old a line is when its entry is published, with 16 agents
// at 800 lines a second each. It has a runner of its own, since a client is
// sent a frame only 20 times a second.
func latency(b *bench) {
	const agents, lines = 16, 8000
	a := &ages{}
	r := b.runner("clock "+strconv.Itoa(lines)+" 1250us\n", a.publish)
	p, err := r.AddProject(b.ctx, beckon.NewProject{Dir: b.TempDir(), Trusted: true})
	b.must(err)
	for range agents {
		t, err := r.CreateTask(b.ctx, beckon.NewTask{ProjectID: p.ID, Title: "Tell the time"})
		b.must(err)
		_, err = r.MoveTask(b.ctx, t.ID, beckon.Running, 0)
		b.must(err)
	}
	for end := time.Now().Add(patience); a.ended() < agents; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			b.Fatalf("%d of %d agents have ended", a.ended(), agents)
		}
	}
	slices.Sort(a.list)
	if len(a.list) < agents*lines*9/10 {
		b.Fatalf("%d of %d lines were published", len(a.list), agents*lines)
	}
	at := func(percent int) float64 { return float64(a.list[len(a.list)*percent/100].Microseconds()) / 1000 }
	name := fmt.Sprintf("agent's line to what clients are sent, 16 agents at 800 lines/s: p99 (p50 %.2f ms)", at(50))
	b.print(name, at(99), "ms", atMost(2.2))
}

// runner returns one whose agents play script in folders without git, and
// whose every transcript is shown.
func (b *bench) runner(script string, publish func(beckon.Event)) *runner.Runner {
	dir := filepath.Join(b.TempDir(), "data")
	s, err := store.Open(b.ctx, dir)
	b.must(err)
	b.Cleanup(func() { _ = s.Close() })
	desk, agent := question.New(s, publish), b.agent(script)
	tools, err := toolserver.Listen(toolserver.Desk{Ask: desk.Ask, Delivered: desk.Delivered})
	b.must(err)
	b.Cleanup(func() { _ = tools.Close(b.ctx) })
	token := tools.Admit(toolserver.Caller{})
	r := runner.New(runner.Config{
		Store: s, Desk: desk, Publish: publish, DataDir: dir,
		Watched: func(string) bool { return true },
		Claude:  func() (claude.Options, error) { return claude.Options{Path: agent}, nil },
		Lend: func(runner.Borrower) (runner.Tools, func()) {
			return runner.Tools{URL: tools.URL(), Token: token}, func() {}
		},
	})
	b.must(r.Start(b.ctx))
	b.Cleanup(func() { _ = r.Close(b.ctx) })
	return r
}

// ages collects how old texts are that say when they were written.
type ages struct {
	mu    sync.Mutex
	list  []time.Duration
	tasks int // that are in review
}

func (a *ages) publish(e beckon.Event) {
	now := time.Now()
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case e.Task != nil && e.Task.Status == beckon.Review:
		a.tasks++
	case e.Entry != nil && e.Entry.Kind == beckon.TextEntry:
		if ns, err := strconv.ParseInt(e.Entry.Text, 10, 64); err == nil {
			a.list = append(a.list, now.Sub(time.Unix(0, ns)))
		}
	}
}

func (a *ages) ended() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.tasks
}
