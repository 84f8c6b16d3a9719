//go:build linux

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/store"
)

// recovery takes how long serve starts after it died with many questions open, beside the start
// that follows, with the same cards and nothing to mend.
func recovery(b *bench) {
	const open = 1000
	var after, clean []float64
	for range rounds {
		data := b.died(open)
		for _, took := range []*[]float64{&after, &clean} {
			began := time.Now()
			s := b.launch(data)
			*took = append(*took, 1000*time.Since(began).Seconds())
			s.Close()
		}
	}
	name := fmt.Sprintf("serve: start after a death with %d questions open ÷ the next start (%.0f and %.0f ms)", open, median(after), median(clean))
	b.print(name, median(after)/median(clean), "", atMost(1.5))
}

// died makes the data folder of a Beckon that died while so many agents waited for an answer.
func (b *bench) died(open int) (data string) {
	data = filepath.Join(b.TempDir(), "data")
	s, err := store.Open(b.ctx, data)
	b.must(err)
	project := beckon.Project{Name: "Died", Key: "DIE", Dir: b.TempDir(), Mode: beckon.ModeAuto, Policy: beckon.Wait, Trusted: true}
	b.must(s.AddProject(b.ctx, &project))
	b.must(store.EachTogether(b.ctx, open, 32, func(ctx context.Context, i int) error {
		task := beckon.Task{ProjectID: project.ID, Title: fmt.Sprintf("Card %d", i), Status: beckon.Running, Policy: beckon.Wait, Mode: beckon.ModeAuto}
		if err := s.CreateTask(ctx, &task); err != nil {
			return err
		}
		run := beckon.Run{TaskID: task.ID, Kind: beckon.TaskRun, Phase: beckon.Working, Session: beckon.NewID(), Mode: beckon.ModeAuto, Started: beckon.Now()}
		if err := s.AddRun(ctx, &run); err != nil {
			return err
		}
		return s.AddQuestion(ctx, beckon.Question{
			ID: beckon.NewID(), TaskID: task.ID, RunID: run.ID, Kind: beckon.Ask, Settlement: beckon.Open, Policy: beckon.Wait, Asked: beckon.Now(),
			Items: []beckon.QuestionItem{{Text: "Which of the two?", Options: []beckon.Option{{Label: "This"}, {Label: "That"}}}},
		})
	}))
	b.must(s.Close())
	return data
}
