//go:build linux

package main

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/search"
	"beckon/backend/store"
	"beckon/backend/store/textindex"
	"beckon/backend/transcript"
)

// The library that is searched: a million entries of 30 words, of which a few
// are in nearly every one and most in a few.
const (
	searchRuns  = 100
	searchLines = 10_000 // of each run
	searchWords = 30
	vocabulary  = 200_000
)

// searching takes how fast the newest hits among a million rows are found, and
// what the index takes of the disk.
func searching(b *bench) {
	dir := b.TempDir()
	s, err := store.Open(b.ctx, dir)
	b.must(err)
	b.Cleanup(func() { _ = s.Close() })
	logs := library(b, s, dir)
	words, err := textindex.Open(b.ctx, dir)
	b.must(err)
	x := search.New(s, words, transcript.Dir(dir))
	b.Cleanup(func() { _ = x.Close() })
	began := time.Now()
	x.Start()
	for time.Sleep(2 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		page, err := x.Search(b.ctx, beckon.SearchQuery{Text: "w1", Limit: 1})
		b.must(err)
		if page.Behind == 0 {
			break
		}
	}
	filled := time.Since(began).Seconds()
	b.Logf("%d rows in %.0f s; the index has %.1f %% of the logs' size", searchRuns*searchLines, filled, 100*size(b, dir, "search.db")/logs)
	for name, text := range map[string]string{
		"common word": "w1x", "rare word": "w9000x", "common prefix": "w1", "two common words": "w2x w3x", "rare and common prefix": "w9000x w",
	} {
		p50, p99 := queries(b, x, text)
		b.print(fmt.Sprintf("search over 1M rows, %s: p99 (p50 %.2f ms)", name, p50), p99, "ms", atMost(20))
	}
}

// queries takes the p50 and p99 of one query, in milliseconds.
func queries(b *bench, x *search.Index, text string) (p50, p99 float64) {
	var took []float64
	for range 200 {
		began := time.Now()
		page, err := x.Search(b.ctx, beckon.SearchQuery{Text: text, Limit: 30})
		b.must(err)
		if len(page.Hits) == 0 {
			b.Fatalf("%q is nowhere", text)
		}
		took = append(took, time.Since(began).Seconds()*1000)
	}
	slices.Sort(took)
	return took[len(took)/2], took[len(took)*99/100]
}

// library writes the logs and returns their size.
func library(b *bench, s *store.Store, dir string) (bytes float64) {
	p := beckon.Project{Key: "LIB", Name: "Library", Dir: dir, Color: 1, Mode: beckon.ModeAuto, Policy: beckon.Wait}
	b.must(s.AddProject(b.ctx, &p))
	word := rand.NewZipf(rand.New(rand.NewSource(1)), 1.1, 4, vocabulary)
	for range searchRuns {
		t := beckon.Task{ProjectID: p.ID, Title: "Read", Status: beckon.Done}
		b.must(s.CreateTask(b.ctx, &t))
		r := beckon.Run{TaskID: t.ID, Kind: beckon.TaskRun, Outcome: beckon.Succeeded, Ended: 1}
		b.must(s.AddRun(b.ctx, &r))
		log, err := transcript.Open(transcript.Dir(dir), r.ID)
		b.must(err)
		var lines [][]byte
		for range searchLines {
			var text strings.Builder
			for range searchWords {
				fmt.Fprintf(&text, "w%dx ", word.Uint64())
			}
			lines = append(lines, fmt.Appendf(nil, `{"type":"assistant","message":{"content":[{"type":"text","text":%q}],"id":"msg_1","model":"claude-opus-4-8"},"session_id":"3d3f3759-c4fe-4b1a-95d2-91ed17d78909","parent_tool_use_id":null}`, text.String()))
		}
		_, err = log.Append(beckon.Now(), lines)
		b.must(err)
		bytes += float64(log.Size())
		b.must(log.Close())
	}
	return bytes
}

// size is that of a database with what its log holds.
func size(b *bench, dir, name string) (bytes float64) {
	files, err := filepath.Glob(filepath.Join(dir, name+"*"))
	b.must(err)
	for _, f := range files {
		info, err := os.Stat(f)
		b.must(err)
		bytes += float64(info.Size())
	}
	return bytes
}
