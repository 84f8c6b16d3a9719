//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/beckon"
	"beckon/tests/client"
)

// beginnings is how many agents are started, one after the other.
const beginnings = 9

// begin takes how long it is from the drop of a card on Running to its agent's first
// words, beyond what the agent needs itself when it is started by hand in the same
// folder: in a worktree that is made for it, beyond what git needs for that, and in one
// that was kept ready.
func begin(b *bench) {
	files := map[string]string{}
	for i := range 200 {
		files[fmt.Sprintf("%03d.txt", i)] = prose(2000)
	}
	dir, script := client.Repository(b, files), "clock 1 0s\n"
	s := b.serve(script, dir)
	agent := b.agent(script)
	made := b.beginnings(s, agent, func() {})
	git := make([]float64, 0, beginnings)
	for i := range beginnings {
		tree := filepath.Join(b.TempDir(), "tree")
		git = append(git, 1000*seconds(func() { client.Git(b, dir, "worktree", "add", "-q", "-b", fmt.Sprint("by-hand-", i), tree) }))
	}
	b.print(fmt.Sprintf("drop on Running to the agent's first words, beyond the agent's own %.0f ms and git worktree add's %.0f ms (in all %.0f ms)", made.alone, median(git), made.all),
		made.all-made.alone-median(git), "ms", atMost(80))

	s.project.Scripts.Spare = true
	client.Must[beckon.Project](s.Program, "EditProject", s.project)
	kept := b.beginnings(s, agent, func() { b.spares(dir) })
	b.print(fmt.Sprintf("the same with a worktree kept ready, beyond the agent's own %.0f ms (in all %.0f ms)", kept.alone, kept.all),
		kept.all-kept.alone, "ms", atMost(60))
}

// beginTimes is how long agents take to their first words, in milliseconds: from the drop of
// their cards, and by hand.
type beginTimes struct{ all, alone float64 }

// beginnings starts agents, each when ready returns, and the same by hand.
func (b *bench) beginnings(s *stage, agent string, ready func()) beginTimes {
	var all, alone []float64
	for i := range beginnings {
		ready()
		task := s.create(fmt.Sprint("Begin ", i), beckon.Backlog)
		time.Sleep(500 * time.Millisecond) // what the last one left to do is done
		dropped := time.Now()
		client.Must[beckon.Task](s.Program, "MoveTask", task.ID, beckon.Running, 0)
		task = s.InReview(task.ID)
		said := s.clocks(task.ID)
		if len(said) != 1 {
			b.Fatalf("the agent spoke %d times\n%s", len(said), s.Logs())
		}
		all = append(all, ms(said[0].Sub(dropped)))
		alone = append(alone, ms(b.byHand(agent, task.Worktree)))
	}
	return beginTimes{median(all), median(alone)}
}

var clockText = regexp.MustCompile(`"text":"(\d{19})"`)

// byHand starts the agent in a folder with its message at hand, and returns how long it
// took to its first words.
func (b *bench) byHand(agent, dir string) time.Duration {
	cmd := exec.CommandContext(b.ctx, agent, cli.Options{}.Args()...)
	cmd.Env, cmd.Dir = b.env(), dir
	cmd.Stdin = bytes.NewReader(message(b, "Begin"))
	started := time.Now()
	out, err := cmd.Output()
	b.must(err)
	said := clockText.FindSubmatch(out)
	if said == nil {
		b.Fatalf("the agent said %s", out)
	}
	at, err := strconv.ParseInt(string(said[1]), 10, 64)
	b.must(err)
	return time.Unix(0, at).Sub(started)
}
