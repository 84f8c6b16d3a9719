package runner

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// toolServer is Beckon's MCP server.
const toolServer = "beckon"

// prepare makes what the run needs on disk and returns how its agent is started.
func (run *agentRun) prepare(ctx context.Context) (agent.Start, agent.Launch, error) {
	row := run.snapshot()
	start, err := run.r.Agents.Prepare(ctx, row)
	if err != nil {
		return nil, agent.Launch{}, err
	}
	dir, private, err := run.folder(ctx)
	if err != nil {
		return nil, agent.Launch{}, err
	}
	files := filepath.Join(run.r.configDir(), run.row.ID)
	if err := os.MkdirAll(files, 0o700); err != nil {
		return nil, agent.Launch{}, err
	}
	run.configDir, run.dir, run.strays.Dir = files, dir, dir
	run.tools, run.revoke = run.r.GrantTools(ToolGrant{RunID: run.row.ID, TaskID: run.task.ID, Policy: run.policy(), WaitMs: run.task.WaitMs})
	launch := agent.Launch{
		Dir: dir, Private: private, Files: files, ConfigDir: row.ConfigDir, OnLink: run.noteLink,
		Model: row.Model, Mode: row.Mode, Effort: row.Effort,
		Session: cmp.Or(row.Session, row.CopyOf), Copy: row.Session == "" && row.CopyOf != "",
		Chat: run.row.Kind == beckon.ChatRun, About: run.about(), Allowed: run.project.Allowed,
		Tools: agent.ToolServer{Name: toolServer, URL: run.tools.URL, Token: run.tools.Token},
	}
	if !launch.Chat {
		launch.SystemPrompt = run.r.SystemPrompt(run.row.Agent) // it says that nobody reads along
	}
	return start, launch, run.resume(ctx, launch.Copy)
}

// noteLink notes how the agent is reached where it executes. It goes on either way.
func (run *agentRun) noteLink(link agent.Link) {
	run.note(func() {
		if run.row.Waits = link.Waits; !link.Lost {
			run.row.LinkLost = 0
		} else if run.row.LinkLost == 0 {
			run.row.LinkLost = beckon.Now()
		}
	})
}

// policy is what happens to this run's questions when nobody answers: a chat
// has its person before it, so it waits.
func (run *agentRun) policy() beckon.Policy {
	if run.row.Kind == beckon.ChatRun {
		return beckon.Wait
	}
	return run.task.Policy
}

// folder returns where the run works, and whether Beckon's settings may be
// written there. It says in the transcript what the folder lacks, such as submodules: a reader
// would take the code for missing.
func (run *agentRun) folder(ctx context.Context) (dir string, private bool, err error) {
	if run.row.Kind == beckon.ChatRun {
		return cmp.Or(run.row.Dir, run.project.Dir), false, nil
	}
	f, err := run.r.Cards.Folder(ctx, run.task, run.project)
	if err != nil {
		return "", false, err
	}
	run.task = f.Task
	for notice, names := range f.Lacks {
		logged("say what a worktree lacks", run.record(transcript.NoticeLine(notice, strings.Join(names, "\n"))), "run", run.row.ID)
	}
	return f.Dir, f.Private, nil
}

// opening is the first message of a run that has none of its own; a chat waits
// for its person's.
func (run *agentRun) opening() string {
	switch {
	case run.kind() == beckon.ChatRun:
		return ""
	case run.resumed: // run.Session may be read meanwhile, from a turn of claude's own
		return "Carry on where you left off."
	default:
		return run.promptText()
	}
}
