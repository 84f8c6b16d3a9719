//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
)

const (
	indexLines  = 100_000
	indexRounds = 10
)

// indexing takes how soon what agents said is found: after an agent wrote very much as
// fast as it could, and while agents write as much as people read.
func indexing(b *bench) {
	s := b.serve(framed(fmt.Sprintf("flood %d @library", indexLines))+"-- library --\n"+lineLibrary(2000), b.TempDir())
	_, task := s.work()
	began, before := time.Now(), worked(b, s.Cmd.Process.Pid)
	s.find(beckon.SearchQuery{Text: lastWords, TaskID: task.ID}, patience)
	took, cpu := time.Since(began), worked(b, s.Cmd.Process.Pid)-before
	name := fmt.Sprintf("index: %d lines of words, from their end until all are found (%.1f s of processor)", indexLines, cpu.Seconds())
	b.print(name, took.Seconds(), "s", atMost(10))
	s.Close()
	b.indexFew()
}

// indexFew has agents say a word of their own now and then, beside others at work.
func (b *bench) indexFew() {
	var script strings.Builder
	script.WriteString("match: Say a word\n")
	for i := range indexRounds {
		fmt.Fprintf(&script, "sleep 1500ms\ntext kingfisher%d\n", i)
	}
	s := b.busy(keyAgents, keyRate, script.String())
	heard := make(chan string, indexRounds)
	s.Follow(clientID, func(f beckon.Frame) {
		for _, e := range f.Events {
			if e.Entry != nil && strings.HasPrefix(e.Entry.Text, "kingfisher") {
				heard <- e.Entry.Text
			}
		}
	})
	task := s.create("Say a word", beckon.Backlog)
	client.Must[any](s.Program, "Watch", clientID, []string{task.ID})
	client.Must[beckon.Task](s.Program, "MoveTask", task.ID, beckon.Running, 0)
	var took []float64
	for range indexRounds {
		select {
		case word := <-heard:
			began := time.Now()
			s.find(beckon.SearchQuery{Text: word}, patience)
			took = append(took, time.Since(began).Seconds())
		case <-time.After(patience):
			b.Fatalf("the agent said nothing\n%s", s.Logs())
		}
	}
	name := fmt.Sprintf("index: a line until it is found, %d agents at %d lines/s in all", keyAgents, keyAgents*keyRate)
	b.print(name, median(took), "s", atMost(1))
}

// find waits until a search finds something.
func (s *stage) find(q beckon.SearchQuery, within time.Duration) {
	q.Limit = 1
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		page := client.Must[beckon.SearchPage](s.Program, "Search", q)
		if len(page.Hits) > 0 {
			return
		}
	}
	s.b.Fatalf("%q is not found within %s", q.Text, within)
}

// lineLibrary is lines of 1 KB, each of other words, of which a few are in nearly every
// one and most in a few.
func lineLibrary(lines int) string {
	word := rand.NewZipf(rand.New(rand.NewSource(1)), 1.1, 4, vocabulary)
	var all strings.Builder
	for i := range lines {
		var text strings.Builder
		for text.Len() < 700 {
			fmt.Fprintf(&text, "w%dx ", word.Uint64())
		}
		line, err := json.Marshal(map[string]any{
			"message":    map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "text", "text": text.String()}}, "id": "msg_000000000000", "model": "claude-opus-4-8"},
			"session_id": "3d3f3759-c4fe-4b1a-95d2-91ed17d78909", "parent_tool_use_id": nil,
			"uuid": fmt.Sprintf("%08d-0000-4000-8000-000000000000", i),
		})
		if err != nil {
			panic(err) // it is made of strings
		}
		fmt.Fprintf(&all, "{\"type\":\"assistant\",%s\n", line[1:])
	}
	return all.String()
}
