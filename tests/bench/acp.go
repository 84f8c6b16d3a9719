//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/acpagent"
	"beckon/tests/client"
)

// acpHome names the folder of this program where it plays an agent that speaks ACP. Kimi
// Code, which it plays, sees variables that begin so.
const acpHome = "KIMI_BENCH_HOME"

// playACP plays that agent where this program is started as it.
func playACP() bool {
	home := os.Getenv(acpHome)
	if home == "" {
		return false
	}
	if err := acpagent.Run(os.Stdin, os.Stdout, home); err != nil {
		panic(err)
	}
	return true
}

// acp takes what the rows ingest, answer and agents take, in short, of an agent that speaks
// the Agent Client Protocol, against Claude's in the same run, in turns.
func acp(b *bench) {
	const lines, asks, weighed = 200_000, 60, 6
	flood := fmt.Sprintf("flood %d 620", lines)
	rows := []struct {
		name, unit    string
		claude, other string
		measure       func(s *stage, agent, brief string) float64
	}{
		{"lines of 1 KB until the run is over", "s", flood + "\ntext Done.\n", flood + "\nsay Done.", (*stage).took},
		{"question, answer, next question", "ms", strings.Repeat("ask Which? | Red | Blue\n", asks), strings.Repeat("choose Which?\n", asks), (*stage).turnaround},
		{"what an agent that waits weighs", "MB", "flood 1000 620\nexpect never-said\n", "flood 1000 620\nwait", func(s *stage, agent, brief string) float64 {
			return s.weighs(agent, brief, weighed)
		}},
	}
	for _, row := range rows {
		var claude, other []float64
		for range rounds {
			for _, kind := range []struct {
				agent, script, brief string
				into                 *[]float64
			}{{beckon.ClaudeCode, row.claude, "", &claude}, {"kimi", "", row.other, &other}} {
				s := b.serveKimi(kind.script)
				*kind.into = append(*kind.into, row.measure(s, kind.agent, kind.brief))
				s.Close()
				b.must(os.RemoveAll(s.data)) // it may be large
			}
		}
		was, is := median(claude), median(other)
		b.print(fmt.Sprintf("acp, %s: %.3g %s, Claude's %.3g", row.name, is, row.unit, was), is/was, "×", atMost(1.5))
	}
}

// serveKimi starts Beckon where Kimi Code is this program, and Claude plays the script.
func (b *bench) serveKimi(script string) *stage {
	self, err := os.Executable()
	b.must(err)
	bin := b.TempDir()
	text := fmt.Sprintf("#!/bin/sh\n%s='%s' exec '%s'\n", acpHome, b.TempDir(), self)
	b.must(os.WriteFile(filepath.Join(bin, "kimi"), []byte(text), 0o700))
	env := append(b.env(), "PATH="+bin+":"+os.Getenv("PATH")) // the last one counts
	s := b.serveIn(env, b.TempDir(), b.agent(script))
	settings := beckon.DefaultSettings()
	settings.Slots = 32
	client.Must[any](s.Program, "SaveSettings", settings)
	return s
}

// given starts a task of an agent.
func (s *stage) given(agent, brief string) beckon.Task {
	return client.Must[beckon.Task](s.Program, "CreateTask", beckon.NewTask{
		ProjectID: s.project.ID, Title: "Work", Brief: brief, Agent: agent, Status: beckon.Running,
	})
}

// took runs a task and returns how long that was, in seconds.
func (s *stage) took(agent, brief string) float64 {
	began := time.Now()
	s.InReview(s.given(agent, brief).ID)
	return time.Since(began).Seconds()
}

// turnaround answers each question of a task at once, and returns how long it was in the
// middle until the next one came, in milliseconds.
func (s *stage) turnaround(agent, brief string) float64 {
	asked := s.questions()
	task := s.given(agent, brief)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.InReview(task.ID)
	}()
	var took []float64
	var answered time.Time
	for {
		select {
		case q := <-asked:
			if !answered.IsZero() {
				took = append(took, ms(q.at.Sub(answered)))
			}
			answered = time.Now()
			s.Answer(q.Question, "Red")
		case <-ended:
			return median(took)
		}
	}
}

// weighs returns what each of so many agents that wait costs Beckon, in MB.
func (s *stage) weighs(agent, brief string, many int) float64 {
	pid := s.Cmd.Process.Pid
	s.given(agent, brief) // what the first one costs, all share
	s.untilWaiting(1)
	before := pss(s.b, pid)
	for range many {
		s.given(agent, brief)
	}
	s.untilWaiting(1 + many)
	_, each := s.supervisors()
	return (pss(s.b, pid)-before)/float64(many) + each
}
