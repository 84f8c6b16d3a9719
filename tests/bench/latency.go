//go:build linux

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/agent/claude/driver"
	"beckon/backend/beckon"
	"beckon/backend/board"
	"beckon/backend/question"
	"beckon/backend/runner"
	"beckon/backend/store"
	"beckon/backend/toolserver"
)

// latency takes how old a line is when its entry is published, with 16 agents
// at 800 lines a second in all. What comes faster than anybody can read is a
// flood, of which clients fetch the end. It has a runner of its own; when a client
// has the line is the measure "follow".
func latency(b *bench) {
	const agents, lines, every = 16, 500, 20 * time.Millisecond
	a := &ages{ended: map[string]bool{}}
	cards := b.cards(fmt.Sprintf("clock %d %s\n", lines, every), a.publish)
	p, err := cards.AddProject(b.ctx, beckon.NewProject{Dir: b.TempDir(), Trusted: true})
	b.must(err)
	var p50, p99 []float64
	for round := range rounds {
		for range agents {
			_, err := cards.CreateTask(b.ctx, beckon.NewTask{ProjectID: p.ID, Title: "Tell the time", Status: beckon.Running})
			b.must(err)
		}
		list := a.collect(b, (round+1)*agents)
		if len(list) < agents*lines*9/10 {
			b.Fatalf("%d of %d lines were published", len(list), agents*lines)
		}
		p50 = append(p50, list[len(list)/2].Seconds()*1000)
		p99 = append(p99, list[len(list)*99/100].Seconds()*1000)
	}
	name := fmt.Sprintf("agent's line to what clients are sent, %d agents at %d lines/s in all: p99 (p50 %.2f ms)", agents, agents*int(time.Second/every), median(p50))
	b.print(name, median(p99), "ms", atMost(2.2))
}

// cards returns a board whose agents play script in folders without git, and
// whose every transcript is shown.
func (b *bench) cards(script string, publish func(beckon.Event)) *board.Board {
	dir := filepath.Join(b.TempDir(), "data")
	s, err := store.Open(b.ctx, dir)
	b.must(err)
	b.Cleanup(func() { _ = s.Close() })
	desk, agent := question.New(s, publish), b.agent(script)
	tools, err := toolserver.Listen(toolserver.Desk{Ask: desk.Ask, OnAnswerWritten: desk.Delivered})
	b.must(err)
	b.Cleanup(func() { _ = tools.Close(b.ctx) })
	cards := board.New(board.Config{Store: s, Publish: publish, DataDir: dir, Withdraw: desk.WithdrawTask, Pause: desk.PauseAll, Prepare: func(context.Context, beckon.Task, beckon.Project) error { return nil }, Clear: func(string) {}})
	r := runner.New(runner.Config{
		Store: s, Desk: desk, Cards: cards, Publish: publish, DataDir: dir,
		Watched: func(string) bool { return true }, Written: func(string) {}, Elsewhere: func(beckon.Run) error { return nil },
		QuietAfter: func() time.Duration { return 0 },
		Agents:     driver.New(func() (cli.Options, error) { return cli.Options{Path: agent}, nil }, nil),
		GrantTools: func(runner.ToolGrant) (runner.Tools, func()) {
			channel, _ := tools.Open(toolserver.Caller{})
			return runner.Tools{Receive: channel.Receive}, func() {}
		},
	})
	cards.Join(r)
	b.must(r.Open(b.ctx))
	b.Cleanup(func() { _ = r.Close(b.ctx) })
	return cards
}

// ages collects how old texts are that say when they were written.
type ages struct {
	mu    sync.Mutex
	list  []time.Duration
	ended map[string]bool // tasks that are in review
}

func (a *ages) publish(e beckon.Event) {
	now := time.Now()
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case e.Task != nil && e.Task.Status == beckon.Review:
		a.ended[e.Task.ID] = true
	case e.Entry != nil && e.Entry.Kind == beckon.TextEntry:
		if ns, err := strconv.ParseInt(e.Entry.Text, 10, 64); err == nil {
			a.list = append(a.list, now.Sub(time.Unix(0, ns)))
		}
	}
}

// collect waits until so many tasks have ended and returns the ages since the
// last call, youngest first.
func (a *ages) collect(b *bench, tasks int) []time.Duration {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		a.mu.Lock()
		if len(a.ended) == tasks {
			list := a.list
			a.list = nil
			a.mu.Unlock()
			slices.Sort(list)
			return list
		}
		a.mu.Unlock()
	}
	b.Fatalf("not all of %d agents have ended", tasks)
	return nil
}
