//go:build linux

package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/review/since/replay"
	"beckon/tests/client"
)

// A repository in which many files change before each question.
const (
	replayFiles   = 20_000
	replayChanged = 1_000
	replayAsked   = 4
)

// replayed takes how long a moment of a session takes to be shown with its files: each for the
// first time by the back end alone, and from a key to the frame that has the lines.
func replayed(b *bench) {
	dir := b.TempDir()
	for i := range replayFiles {
		b.source(dir, fmt.Sprintf("src/pkg%03d/file%05d.go", i/100, i), 20)
	}
	client.Git(b, dir, "init", "-q", "-b", "main")
	client.Git(b, dir, "add", "-A")
	client.Git(b, dir, "commit", "-q", "-m", "first")
	var script strings.Builder
	for i := range replayAsked {
		fmt.Fprintf(&script, "run ls src/*/*.go | tail -n +%d | head -%d | xargs sed -i s/parse/read%d/\nask Go on after %d? | Yes | No\n", 1+i*replayChanged/2, replayChanged, i, i)
	}
	s := b.serve(script.String()+"text Done.\n", dir)
	t := s.create("Work", beckon.Running)
	for i := range replayAsked {
		q := b.nthAsked(s, t.ID, i)
		b.recorded(s, t.ID, 2+i) // an answer that came first would leave it unrecorded
		client.Must[any](s.Program, "AnswerQuestion", q, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Yes"}}}})
	}
	t = s.InReview(t.ID)
	moments := b.recorded(s, t.ID, 2+replayAsked)
	var took []float64
	most := 0
	for _, m := range moments {
		took = append(took, 1000*seconds(func() {
			f := client.Must[replay.Files](s.Program, "FilesAt", t.ID, replay.Ask{At: m.At, Against: replay.RunStart})
			most = max(most, len(f.Files)+f.Omitted)
		}))
	}
	load := fmt.Sprintf("replay of %d files, up to %d of them changed: ", replayFiles, most)
	b.print(load+"a moment's files for the first time, the back end alone: slowest", slices.Max(took), "ms", atMost(100))

	tab := b.chromium()
	tab.visit(s.Program, "#/task/"+t.Key)
	tab.until("document.querySelector('.strip') !== null")
	tab.call("Runtime.evaluate", map[string]any{"expression": pressedScript})
	tab.press("g")
	tab.press("l")
	tab.until("document.querySelector('.timeline .band') !== null")
	var seeks []float64
	for range keyRounds {
		time.Sleep(keyRest)
		seeks = append(seeks, tab.pressFor("w", shown(".files .shown .dl")))
		time.Sleep(keyRest)
		tab.press("Escape")
		tab.until("document.querySelector('.files') === null")
	}
	b.print(fmt.Sprintf("%sa key to the frame that has its lines: median (slowest %.0f ms)", load, slices.Max(seeks)), median(seeks), "ms", atMost(100))
}

// nthAsked waits until a task asks its nth question, and returns the id of that.
func (b *bench) nthAsked(s *stage, taskID string, nth int) string {
	for began := time.Now(); time.Since(began) < patience; time.Sleep(20 * time.Millisecond) {
		all := client.Must[[]beckon.Question](s.Program, "Questions", taskID)
		if len(all) > nth && all[nth].Settlement == beckon.Open {
			return all[nth].ID
		}
	}
	b.Fatalf("question %d was not asked", nth)
	return ""
}

// recorded waits until so many moments of a task's files are recorded.
func (b *bench) recorded(s *stage, taskID string, n int) (moments []replay.Moment) {
	for began := time.Now(); time.Since(began) < patience; time.Sleep(50 * time.Millisecond) {
		if moments = client.Must[replay.Timeline](s.Program, "Timeline", taskID).Moments; len(moments) >= n {
			return moments
		}
	}
	b.Fatalf("%d of %d moments were recorded", len(moments), n)
	return nil
}
