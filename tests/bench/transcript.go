//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
)

// openTranscript takes how fast pages of a long transcript are read by a
// Beckon that has just started, and what it weighs more afterwards.
func openTranscript(b *bench) {
	const lines = 100_000
	s := b.serve(framed("flood 100000 @mix")+"-- mix --\n"+mixture(), b.TempDir())
	_, task := s.work()
	s.InReview(task.ID)
	s.find(beckon.SearchQuery{Text: lastWords, TaskID: task.ID}, patience) // else the index would work beside what is measured
	run := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)[0]
	s.Close()
	info, err := os.Stat(filepath.Join(s.data, "transcripts", run.ID+".ndjson"))
	b.must(err)

	p := client.Serve(b, b.beckon, b.env(), "-data", s.data, "-claude", "none")
	page := func(before string) float64 {
		began := time.Now()
		got := client.Must[beckon.TranscriptPage](p, "Transcript", task.ID, before, 100)
		if len(got.Entries) == 0 {
			b.Fatalf("the page before %q is empty", before)
		}
		return time.Since(began).Seconds() * 1000
	}
	client.Must[beckon.Frame](p, "Attach", clientID)
	idle := pss(b, p.Cmd.Process.Pid)
	first := page("")
	worst := 0.0
	for i := 1; i < 20; i++ {
		worst = max(worst, page(fmt.Sprintf("%s/%d", run.ID, i*lines/20)))
	}
	name := fmt.Sprintf("transcript of %d lines, %.0f MB: ", lines, float64(info.Size())/megabyte)
	b.print(name+"first page", first, "ms", atMost(30))
	b.print(name+"slowest of 19 other pages", worst, "ms", atMost(30))
	b.print(name+"back end grows by (PSS)", pss(b, p.Cmd.Process.Pid)-idle, "MB", atMost(10))
	took, cost := everyPage(b, p, task.ID)
	b.print(fmt.Sprintf("%severy page, one after the other (%.1f s): back end's processor", name, took.Seconds()),
		float64(cost.Microseconds())/lines, "µs a line", atMost(25))
	var looked []float64
	for range 20 {
		looked = append(looked, 1000*seconds(func() { lookUp(b, p) }))
	}
	b.print(fmt.Sprintf("%sthe last words, searched for until the page around them is there: median (slowest %.1f ms)", name, slices.Max(looked)), median(looked), "ms", atMost(30))
	p.Close()
	b.exported(s, run.ID, name)
}

// lookUp searches for what was said last and fetches the page around it.
func lookUp(b *bench, p *client.Program) {
	hits := client.Must[beckon.SearchPage](p, "Search", beckon.SearchQuery{Text: lastWords, Limit: 30}).Hits
	if len(hits) == 0 {
		b.Fatalf("%q is not found", lastWords)
	}
	hit := hits[0]
	page := client.Must[beckon.TranscriptPage](p, "TranscriptAround", hit.TaskID, fmt.Sprintf("%s/%d", hit.RunID, hit.Pos), 100)
	if len(page.Entries) == 0 {
		b.Fatalf("the page around %+v is empty", hit)
	}
}

// exported takes what an export of the transcript, and searches through it as fast as
// somebody types, do to agents at work: how old their lines are when a client has them,
// which "follow" has with nothing beside.
func (b *bench) exported(was *stage, runID, name string) {
	const every = 100 * time.Millisecond
	s := &stage{b: b, data: was.data, project: was.project}
	s.Program = client.Serve(b, b.beckon, b.env(), "-data", s.data, "-claude", b.agent(saysTheTime(every, usualLine)))
	var took time.Duration
	ages := s.ages(every, func() {
		began, done := time.Now(), make(chan struct{})
		go func() {
			defer close(done)
			path := client.Must[string](s.Program, "ExportRun", runID, beckon.ExportHTML)
			took = time.Since(began)
			b.must(os.Remove(path))
		}()
		for exporting := true; exporting || time.Since(began) < followSpan; {
			lookUp(b, s.Program)
			time.Sleep(every)
			select {
			case <-done:
				exporting = false
			default:
			}
		}
	})
	s.Close()
	b.print(fmt.Sprintf("%sexported (%.1f s) and searched, %d agents at %d lines/s meanwhile, a line to a client: p99 (p50 %.1f ms)", name, took.Seconds(), followers, followers*int(time.Second/every), ms(centile(ages, 50))),
		ms(centile(ages, 99)), "ms", atMost(20))
}

// scrollEntries is how many entries a page has that a reader scrolls to; see
// transcript.svelte.ts.
const scrollEntries = 200

// everyPage fetches a whole transcript from its end to its beginning, as a reader
// scrolls, and returns how long that took and what the back end worked for it.
func everyPage(b *bench, p *client.Program, taskID string) (took, cost time.Duration) {
	began, before := time.Now(), worked(b, p.Cmd.Process.Pid)
	for cursor, first := "", true; first || cursor != ""; first = false {
		// Its entries are read and not decoded: what the client does is not the measure.
		page := client.Must[struct {
			Entries json.RawMessage
			Before  string
		}](p, "Transcript", taskID, cursor, scrollEntries)
		cursor = page.Before
	}
	return time.Since(began), worked(b, p.Cmd.Process.Pid) - before
}
