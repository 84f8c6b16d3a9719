package export

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/store/numbers"
)

// This file writes what agents took and did as a table that spreadsheets read.

// numberColumns are the heads of the table. They are not translated: scripts read them.
var numberColumns = []string{
	"day", "project", "task", "title", "agent", "model", "machine", "cost_usd", "tokens", "tokens_without_cost", "runs", "worked_seconds",
	"waited_seconds", "questions", "answered", "assumed", "merged", "closed", "discarded",
}

// Numbers writes the numbers of today and of the days before, in all so many, to a new CSV
// file, a row for each fact, and returns its path and how many rows it has. projectID leaves
// those of one project; empty leaves all.
func (x *Exporter) Numbers(ctx context.Context, days int, projectID string) (path string, rows int, err error) {
	n, err := x.Store.Numbers.Of(ctx, days, time.Now())
	if err != nil {
		return "", 0, err
	}
	name, err := x.namer(ctx)
	if err != nil {
		return "", 0, err
	}
	f, err := x.create("numbers", ".csv")
	if err != nil {
		return "", 0, err
	}
	w := csv.NewWriter(f)
	err = w.Write(numberColumns)
	for _, fact := range n.Facts {
		if err != nil || projectID != "" && fact.ProjectID != projectID {
			continue
		}
		rows++
		err = w.Write(name.record(fact))
	}
	w.Flush()
	return f.Name(), rows, written(f, errors.Join(err, w.Error()))
}

// namer knows what ids stand for.
type namer struct {
	tasks              map[string]beckon.Task
	projects, machines map[string]string
}

func (x *Exporter) namer(ctx context.Context) (namer, error) {
	n := namer{map[string]beckon.Task{}, map[string]string{}, map[string]string{"": "here"}}
	projects, err := x.Store.Projects(ctx)
	if err != nil {
		return n, err
	}
	for _, p := range projects {
		n.projects[p.ID] = p.Name
		tasks, err := x.Store.TasksOf(ctx, p.ID)
		if err != nil {
			return n, err
		}
		for _, t := range tasks {
			n.tasks[t.ID] = t
		}
	}
	machines, err := x.Store.Executors.All(ctx)
	for _, m := range machines {
		n.machines[m.ID] = m.Name
	}
	return n, err
}

// record is a fact as numberColumns has it.
func (n namer) record(f numbers.Fact) []string {
	task := n.tasks[f.TaskID]
	agent := f.Agent
	if agent == "" {
		agent = beckon.ClaudeCode
	}
	record := []string{f.Day, n.projects[f.ProjectID], task.Key, task.Title, agent, f.Model, n.machines[f.Executor], fmt.Sprintf("%.4f", f.CostUSD)}
	for i, text := range record {
		record[i] = cell(text)
	}
	for _, count := range []int64{
		f.Tokens, f.Unpriced, int64(f.Runs), f.WorkedMs / 1000, f.WaitedMs / 1000,
		int64(f.Questions), int64(f.Answered), int64(f.Assumed), int64(f.Merged), int64(f.Closed), int64(f.Discarded),
	} {
		record = append(record, strconv.FormatInt(count, 10))
	}
	return record
}

// formula finds where a spreadsheet would take a text for a formula: at its beginning, and
// where one that parts cells by other marks than a comma begins the next one.
var formula = regexp.MustCompile(`(^["\s]*|[;\t\r\n]["\s]*)([=+@-])`)

// cell keeps a spreadsheet from taking a text, or a part of it, for a formula.
func cell(text string) string { return formula.ReplaceAllString(text, "$1'$2") }
