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

// answering takes how long a question needs from its agent to a client of serve, and
// an answer from the client's call until the agent goes on: with nothing else to do,
// and while twelve others write as much as Mission Control is measured with, and are
// watched. The agent asks by Claude's own tool and by Beckon's in turns. What the
// machine itself needs to wake two processes is taken beside it.
func answering(b *bench) {
	for _, others := range []int{0, paneAgents} {
		s, load := b.busy(others, paneRate, asker()), "nothing else"
		if others > 0 {
			s.watchBusy()
			load = fmt.Sprintf("%d agents at %d lines/s in all, %d watched", others, others*paneRate, panesShown)
		}
		own := b.echo()
		t := s.answerAll()
		wakes := own()
		name := fmt.Sprintf("question to a client, %s: p50 (p99 %.1f ms)", load, ms(centile(t.shown, 99)))
		b.print(name, ms(centile(t.shown, 50)), "ms", atMost(3))
		name = fmt.Sprintf("answer to its agent, %s: p99 (p50 %.1f ms; two processes awake: p50 %.1f, p99 %.0f ms)", load, ms(centile(t.heard, 50)), ms(centile(wakes, 50)), ms(centile(wakes, 99)))
		b.print(name, ms(centile(t.heard, 99)), "ms", atMost(10))
		name = fmt.Sprintf("question and answer without the person between, %s: p50 (p99 %.1f ms)", load, ms(centile(t.both, 99)))
		b.print(name, ms(centile(t.both, 50)), "ms", atMost(4))
	}
}

// centile returns the value that so many of a hundred are not above.
func centile(list []time.Duration, of int) time.Duration {
	return slices.Sorted(slices.Values(list))[len(list)*of/100]
}

// echo times how long a line takes to another process and back, until the function
// that is returned gives the times.
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
		return list
	}
}

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }

const askerTitle = "Ask which header to parse"

// asker is the script of an agent that says when it asks and when it heard the
// answer, for each of its questions. It thinks in between, as agents do: what is
// noted of an answer that was heard is written meanwhile.
func asker() string {
	var script strings.Builder
	script.WriteString("match: " + askerTitle + "\n")
	for i := range answers / 2 {
		fmt.Fprintf(&script, "sleep 100ms\nclock 1 1ms\nask Which, the %dth time? | Left | Right\nclock 1 1ms\n", i)
		fmt.Fprintf(&script, "sleep 100ms\nclock 1 1ms\nask_user {\"question\":\"Where, the %dth time?\",\"options\":[{\"label\":\"Left\"},{\"label\":\"Right\"}]}\nclock 1 1ms\n", i)
	}
	return script.String()
}

// times are how long questions took to a client, answers to the agent, and both.
type times struct{ shown, heard, both []time.Duration }

// shownQuestion is one that a client has, and when it came.
type shownQuestion struct {
	beckon.Question
	at time.Time
}

// answerAll runs agents that ask, one after the other, answers them, and returns how
// long each question and each answer took.
func (s *stage) answerAll() (all times) {
	asked := s.questions()
	for range rounds {
		s.answerOne(asked, &all)
	}
	return all
}

// questions are those that a client gets from now on.
func (s *stage) questions() <-chan shownQuestion {
	asked := make(chan shownQuestion, answers)
	seen := map[string]bool{}
	s.Follow(clientID, func(f beckon.Frame) {
		now := time.Now()
		for _, e := range f.Events {
			if q := e.Question; q != nil && q.Settlement == beckon.Open && !seen[q.ID] {
				seen[q.ID] = true
				asked <- shownQuestion{*q, now}
			}
		}
	})
	return asked
}

// answerOne runs one agent, whose questions come by a channel.
func (s *stage) answerOne(asked <-chan shownQuestion, all *times) {
	task := s.create(askerTitle, beckon.Running)
	var shown, sent []time.Time
	for range answers {
		select {
		case q := <-asked:
			time.Sleep(20 * time.Millisecond) // a person is not there before the agent waits
			shown, sent = append(shown, q.at), append(sent, time.Now())
			s.Answer(q.Question, "Left")
		case <-time.After(patience):
			s.b.Fatalf("%d of %d questions came\n%s", len(sent), answers, s.Logs())
		}
	}
	s.InReview(task.ID)
	clocks := s.clocks(task.ID)
	if len(clocks) != 2*len(sent) {
		s.b.Fatalf("of %d questions and answers the agent tells of %d", 2*len(sent), len(clocks))
	}
	for i := range sent {
		there, back := shown[i].Sub(clocks[2*i]), clocks[2*i+1].Sub(sent[i])
		all.shown, all.heard, all.both = append(all.shown, there), append(all.heard, back), append(all.both, there+back)
	}
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
