//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

const (
	agentsElsewhere = 20
	elsewhereEvery  = 50 * time.Millisecond
	elsewhereSpan   = 15 * time.Second
)

// elsewhere takes the processor of Beckon and its ssh while agents work on another
// machine, over a real sshd, against that for as many agents here that
// say as much.
func elsewhere(b *bench) {
	script := fmt.Sprintf("clock 1000000 %s\n", elsewhereEvery)
	here := b.agentsWork(script, nil)
	h := fixture.NewHost(b)
	agent, err := os.ReadFile(b.agent(script))
	b.must(err)
	h.At(".local/bin/claude", string(agent))
	there := b.agentsWork(script, h)
	b.print(fmt.Sprintf("%d agents on another machine at %d lines/s in all: processor of Beckon and its ssh (%.1f %% of a core), against as many here",
		agentsElsewhere, agentsElsewhere*int(time.Second/elsewhereEvery), there), there/here, "x", atMost(2))
}

// agentsWork returns the share of a core that agents take Beckon, here or on a host.
func (b *bench) agentsWork(script string, h *fixture.Host) float64 {
	env := b.env()
	if h != nil {
		env = append(env, h.Env...)
	}
	dir := client.Repository(b, map[string]string{"README.md": "# sample\n"})
	s := &stage{b: b, data: filepath.Join(b.TempDir(), "data")}
	s.Program = client.Serve(b, b.beckon, env, "-data", s.data, "-claude", b.agent(script))
	s.project = client.Must[beckon.Project](s.Program, "AddProject", beckon.NewProject{Dir: dir, Trusted: true})
	settings := beckon.DefaultSettings()
	settings.Slots = agentsElsewhere
	client.Must[any](s.Program, "SaveSettings", settings)
	if h != nil {
		e := client.Must[executing.Executor](s.Program, "SaveExecutor", executing.Executor{Name: "Farm", Kind: executing.SSH, Host: fixture.HostName, Slots: agentsElsewhere})
		s.project.Executor = e.ID
		s.project = client.Must[beckon.Project](s.Program, "EditProject", s.project)
	}
	for i := range agentsElsewhere {
		s.create(fmt.Sprint("Tell the time ", i), beckon.Running)
	}
	s.Until("all of them say the time", patience, func() bool {
		said := 0
		for _, lines := range s.logs() {
			if lines > 50 {
				said++
			}
		}
		return said == agentsElsewhere
	})
	work := func() (sum time.Duration) {
		for _, pid := range append(sshProcesses(), s.Cmd.Process.Pid) {
			sum += worked(b, pid)
		}
		return sum
	}
	began, before := time.Now(), work()
	time.Sleep(elsewhereSpan)
	share := 100 * (work() - before).Seconds() / time.Since(began).Seconds()
	s.Close()
	return share
}

// sshProcesses returns the clients of ssh that run.
func sshProcesses() (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/comm") // the pattern is valid
	for _, file := range files {
		if name, err := os.ReadFile(file); err == nil && strings.TrimSpace(string(name)) == "ssh" {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			pids = append(pids, pid)
		}
	}
	return pids
}
