// Package demo makes what `beckon demo` shows: a sample repository, the tasks
// on its board, and the scripts that the stand-in agent follows. All of it
// lives in the folder that it is given; it starts nothing.
package demo

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"beckon/backend/beckon"
	"beckon/backend/git"

	"golang.org/x/tools/txtar"
)

//go:embed kestrel.txtar agents
var props embed.FS

// Stage is a demo that is set up.
type Stage struct {
	Project beckon.NewProject
	Tasks   []beckon.NewTask // their ProjectID is still to be filled in
	Scripts string           // the folder of the agent's scripts
}

// Set makes the sample repository and the scripts below dir.
func Set(ctx context.Context, dir string) (Stage, error) {
	s := Stage{Scripts: filepath.Join(dir, "agents"), Tasks: tasks()}
	s.Project = beckon.NewProject{Dir: filepath.Join(dir, "kestrel"), Trusted: true}
	if err := unpack(s.Project.Dir); err != nil {
		return s, fmt.Errorf("unpack the sample project: %w", err)
	}
	if err := git.Init(ctx, s.Project.Dir, "A query planner in three files"); err != nil {
		return s, err
	}
	agents, err := fs.Sub(props, "agents")
	if err != nil {
		return s, err
	}
	return s, os.CopyFS(s.Scripts, agents)
}

func unpack(dir string) error {
	data, err := props.ReadFile("kestrel.txtar")
	if err != nil {
		return err
	}
	sample, err := txtar.FS(txtar.Parse(data))
	if err != nil {
		return err
	}
	return os.CopyFS(dir, sample)
}

func tasks() []beckon.NewTask {
	return []beckon.NewTask{
		{
			Title: "Reject overlapping time ranges in the query parser", Status: beckon.Queued, Priority: 3, Labels: []string{"parser", "correctness"},
			Brief: "Queries such as `during 9-11, 10-12` parse today and return doubled counts. Overlaps should be caught before planning.\n\n- Report both positions in the error\n- Keep adjacent ranges valid (`9-10, 10-11`)\n- No change to the wire format",
		},
		{
			Title: "Bound memory in the merge iterator", Status: beckon.Queued, Priority: 2, Labels: []string{"perf"},
			Brief: "The merge keeps every row of every shard. It should keep one row a shard.",
		},
		{
			Title: "Write a quick start for 2.0", Priority: 1, Labels: []string{"docs"},
			Brief: "Five minutes from nothing to a first query. Ask what to assume of the reader.",
		},
		{Title: "Name the planner stages in traces", Labels: []string{"tracing"}, Brief: "A trace shows `stage 3`. It should say which."},
		{Title: "Explain a plan as JSON", Labels: []string{"api"}},
	}
}
