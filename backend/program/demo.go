package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/agent/claude/scripted"
	"beckon/backend/api"
	"beckon/backend/beckon"
	"beckon/backend/demo"
	"beckon/backend/desktop"
)

// Demo shows Beckon with a throw-away data folder, a sample project and the
// scripted agent; in a browser where there is no display.
func Demo(o Options, stdout io.Writer) error {
	shown := desktop.HasDisplay() && !o.Guest
	if shown && desktop.Windowless {
		return desktop.ExecWindow()
	}
	dir, err := os.MkdirTemp("", demo.ProcessFolder(os.Getpid()))
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	self, err := desktop.Program()
	if err != nil {
		return err
	}
	stage, err := demo.Set(context.Background(), dir)
	if err != nil {
		return fmt.Errorf("set up the demo: %w", err)
	}
	o.Data, o.Demo = filepath.Join(dir, "data"), true
	// It writes down what it was told, as claude does: else each answer would
	// show as not delivered until its turn is over.
	env := []string{scripted.Script(stage.Scripts), "CLAUDE_CONFIG_DIR=" + filepath.Join(dir, "claude")}
	find := func() (cli.Options, error) {
		return cli.Options{Path: self, Supervisor: desktop.Core(), Env: env}, nil
	}
	if err := seedDemo(o, stage); err != nil {
		return err
	}
	if shown {
		return window(o, find, beckon.About{Demo: true})
	}
	return serve(o, find, beckon.About{Demo: true}, stdout)
}

// seedDemo puts the demo's project and tasks on the board, before any way in is
// open.
func seedDemo(o Options, stage demo.Stage) error {
	ctx := context.Background()
	p, err := open(ctx, o, claudeFinder("none"), &api.Shell{})
	if err != nil {
		return err
	}
	project, err := p.board.AddProject(ctx, stage.Project)
	for _, t := range stage.Tasks {
		if err != nil {
			break
		}
		t.ProjectID = project.ID
		_, err = p.board.CreateTask(ctx, t)
	}
	return errors.Join(err, p.close())
}
