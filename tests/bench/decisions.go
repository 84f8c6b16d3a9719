//go:build linux

package main

import (
	"fmt"
	"path/filepath"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/store"
	"beckon/tests/client"
)

// So many decisions are a year of twenty agents.
const manyDecisions = 10_000

// decided takes how long the page of decisions takes to come, and to be narrowed, where there
// are very many.
func decided(b *bench) {
	data := b.decisions()
	s := client.Serve(b, b.beckon, b.env(), "-data", data, "-claude", "none")
	tab := b.chromium()
	tab.visit(s, "#/")
	tab.until("document.querySelector('[data-task]') !== null")
	tab.call("Runtime.evaluate", map[string]any{"expression": pressedScript})
	const shown = "() => document.querySelectorAll('.ledger .dec').length > 5"
	const assumedShown = "() => document.querySelectorAll('.ledger .dec').length > 5 && " +
		"[...document.querySelectorAll('.ledger .dec .said')].every((e) => e.textContent.trim() === 'No answer')"
	var came, narrowed []float64
	for range keyRounds {
		tab.press("g")
		came = append(came, tab.pressFor("d", shown))
		time.Sleep(keyRest)
		narrowed = append(narrowed, tab.pressFor("u", assumedShown))
		tab.press("u")
		time.Sleep(keyRest)
		tab.press("g")
		tab.press("b")
		tab.until("document.querySelector('[data-task]') !== null")
		time.Sleep(keyRest)
	}
	load := fmt.Sprintf("%d decisions, key to frame: ", manyDecisions)
	b.print(load+"G D, the first screen", median(came), "ms", atMost(150))
	b.print(load+"U, what was assumed", median(narrowed), "ms", atMost(150))
}

// decisions makes the data folder: tasks whose runs asked, and what was answered. The rows are
// written as the program writes them.
func (b *bench) decisions() (data string) {
	data = filepath.Join(b.TempDir(), "data")
	s, err := store.Open(b.ctx, data)
	b.must(err)
	project := beckon.Project{Name: "Asked", Key: "ASK", Dir: b.TempDir(), Mode: beckon.ModeAuto, Policy: beckon.Proceed, WaitMs: beckon.DefaultWaitMs, Trusted: true}
	b.must(s.AddProject(b.ctx, &project))
	var run beckon.Run
	now := beckon.Now()
	for i := range manyDecisions {
		if i%50 == 0 {
			task := beckon.Task{ProjectID: project.ID, Title: fmt.Sprintf("Card %d", i), Status: beckon.Review, Labels: []string{}}
			b.must(s.CreateTask(b.ctx, &task))
			run = beckon.Run{TaskID: task.ID, Kind: beckon.TaskRun, Outcome: beckon.Succeeded, Session: beckon.NewID(), Mode: beckon.ModeAuto, Started: now, Ended: now}
			b.must(s.AddRun(b.ctx, &run))
		}
		at := now - int64(manyDecisions-i)*60_000
		q := beckon.Question{
			ID: beckon.NewID(), TaskID: run.TaskID, RunID: run.ID, Kind: beckon.Ask, Policy: beckon.Proceed, Asked: at - 30_000, Settled: at,
			Items: []beckon.QuestionItem{{
				Text:    fmt.Sprintf("How should the parser treat the %dth range that overlaps?", i),
				Options: []beckon.Option{{Label: "Merge", Description: prose(120)}, {Label: "Reject", Description: prose(120)}},
			}},
			Settlement: beckon.Answered, Delivered: at,
			Answer: &beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Merge"}}}, By: beckon.ByUser, At: at},
		}
		if i%5 == 0 {
			q.Settlement, q.Answer, q.Delivered = beckon.Expired, nil, 0
		}
		b.must(s.AddQuestion(b.ctx, q))
	}
	b.must(s.Close())
	return data
}
