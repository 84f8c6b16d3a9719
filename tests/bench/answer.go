//go:build linux

package main

import (
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
)

// answers is how many questions an agent asks, one after the other, as many as none
// is refused of.
const answers = 100

// answering takes how long an answer needs to its agent, from the client's call
// until the agent goes on: with nothing else to do, and while twelve others write
// as much as Mission Control is measured with. The agent asks by Claude's own tool
// and by Beckon's in turns. What the machine itself needs to wake two processes is
// taken beside it.
func answering(b *bench) {
	for _, others := range []int{0, paneAgents} {
		s := b.busy(others, paneRate, asker())
		own := b.echo()
		list := s.answerAll()
		wakes := own()
		slices.Sort(list)
		load, limit := "nothing else", 10.0
		if others > 0 {
			load, limit = fmt.Sprintf("%d agents at %d lines/s in all", others, others*paneRate), 50
		}
		p50 := list[len(list)/2]
		name := fmt.Sprintf("answer to its agent, %s: p99 (p50 %.1f ms; two processes awake: p50 %.1f, p99 %.0f ms)", load, ms(p50), ms(wakes[len(wakes)/2]), ms(wakes[len(wakes)*99/100]))
		b.print(name, ms(list[len(list)*99/100]), "ms", atMost(limit))
	}
}

// echo times how long a line takes to another process and back, until the function
// that is returned gives the times, shortest first.
func (b *bench) echo() func() []time.Duration {
	cmd := exec.CommandContext(b.ctx, "cat")
	in, err := cmd.StdinPipe()
	b.must(err)
	out, err := cmd.StdoutPipe()
	b.must(err)
	b.must(cmd.Start())
	end, list := make(chan struct{}), []time.Duration{}
	var echoing sync.WaitGroup
	echoing.Go(func() {
		line := []byte("\n")
		for {
			select {
			case <-end:
				return
			case <-time.After(20 * time.Millisecond):
			}
			began := time.Now()
			if _, err := in.Write(line); err != nil {
				return
			}
			if _, err := out.Read(line); err != nil {
				return
			}
			list = append(list, time.Since(began))
		}
	})
	return func() []time.Duration {
		close(end)
		echoing.Wait()
		b.must(in.Close())
		b.must(cmd.Wait())
		if len(list) == 0 {
			b.Fatalf("no line came back")
		}
		slices.Sort(list)
		return list
	}
}

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }

const askerTitle = "Ask which header to parse"

// asker is the script of an agent that says when it heard each of its answers.
func asker() string {
	var script strings.Builder
	script.WriteString("match: " + askerTitle + "\n")
	for i := range answers / 2 {
		fmt.Fprintf(&script, "ask Which, the %dth time? | Left | Right\nclock 1 1ms\n", i)
		fmt.Fprintf(&script, "ask_user {\"question\":\"Where, the %dth time?\",\"options\":[{\"label\":\"Left\"},{\"label\":\"Right\"}]}\nclock 1 1ms\n", i)
	}
	return script.String()
}

// answerAll runs agents that ask, one after the other, answers them, and returns how
// long each answer took.
func (s *stage) answerAll() (took []time.Duration) {
	asked := make(chan beckon.Question, answers)
	seen := map[string]bool{}
	s.Follow(clientID, func(f beckon.Frame) {
		for _, e := range f.Events {
			if q := e.Question; q != nil && q.Settlement == beckon.Open && !seen[q.ID] {
				seen[q.ID] = true
				asked <- *q
			}
		}
	})
	for range rounds {
		took = append(took, s.answerOne(asked)...)
	}
	return took
}

// answerOne runs one agent, whose questions come by a channel.
func (s *stage) answerOne(asked <-chan beckon.Question) []time.Duration {
	task := s.create(askerTitle, beckon.Running)
	sent := make([]time.Time, 0, answers)
	for range answers {
		select {
		case q := <-asked:
			time.Sleep(20 * time.Millisecond) // a person is not there before the agent waits
			sent = append(sent, time.Now())
			s.Answer(q, "Left")
		case <-time.After(patience):
			s.b.Fatalf("%d of %d questions came\n%s", len(sent), answers, s.Logs())
		}
	}
	s.InReview(task.ID)
	heard := s.clocks(task.ID)
	if len(heard) != len(sent) {
		s.b.Fatalf("%d of %d answers were heard", len(heard), len(sent))
	}
	took := make([]time.Duration, len(sent))
	for i := range sent {
		took[i] = heard[i].Sub(sent[i])
	}
	return took
}

// clocks returns the times that an agent said, in their order.
func (s *stage) clocks(taskID string) []time.Time {
	var list []time.Time
	for before := ""; ; {
		page := client.Must[beckon.TranscriptPage](s.Program, "Transcript", taskID, before, 500)
		var older []time.Time
		for _, e := range page.Entries {
			if ns, err := strconv.ParseInt(e.Text, 10, 64); err == nil && e.Kind == beckon.TextEntry {
				older = append(older, time.Unix(0, ns))
			}
		}
		list = append(older, list...)
		if page.Before == "" {
			return list
		}
		before = page.Before
	}
}
