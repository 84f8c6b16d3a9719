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
func (l *agentRun) prepare(ctx context.Context) (agent.Start, agent.Launch, error) {
	start, err := l.r.Agents.Prepare(ctx, l.run)
	if err != nil {
		return nil, agent.Launch{}, err
	}
	dir, private, err := l.folder(ctx)
	if err != nil {
		return nil, agent.Launch{}, err
	}
	files := filepath.Join(l.r.configDir(), l.run.ID)
	if err := os.MkdirAll(files, 0o700); err != nil {
		return nil, agent.Launch{}, err
	}
	l.configDir, l.dir = files, dir
	l.tools, l.revoke = l.r.GrantTools(ToolGrant{RunID: l.run.ID, TaskID: l.task.ID, Policy: l.policy(), WaitMs: l.task.WaitMs})
	launch := agent.Launch{
		Dir: dir, Private: private, Files: files, ConfigDir: l.run.ConfigDir, OnLink: l.noteLink,
		Model: l.run.Model, Mode: l.run.Mode, Effort: l.run.Effort,
		Session: cmp.Or(l.run.Session, l.run.CopyOf), Copy: l.run.Session == "" && l.run.CopyOf != "",
		Chat: l.run.Kind == beckon.ChatRun, About: l.about(), Allowed: l.project.Allowed,
		Tools: agent.ToolServer{Name: toolServer, URL: l.tools.URL, Token: l.tools.Token},
	}
	if !launch.Chat {
		launch.SystemPrompt = l.r.SystemPrompt // it says that nobody reads along
	}
	return start, launch, l.resume(ctx, launch.Copy)
}

// noteLink notes how the agent is reached where it executes. It goes on either way.
func (l *agentRun) noteLink(link agent.Link) {
	l.note(func() {
		if l.run.Waits = link.Waits; !link.Lost {
			l.run.LinkLost = 0
		} else if l.run.LinkLost == 0 {
			l.run.LinkLost = beckon.Now()
		}
	})
}

// policy is what happens to this run's questions when nobody answers: a chat
// has its person before it, so it waits.
func (l *agentRun) policy() beckon.Policy {
	if l.run.Kind == beckon.ChatRun {
		return beckon.Wait
	}
	return l.task.Policy
}

// folder returns where the run works, and whether Beckon's settings may be
// written there. It says in the transcript which folders are empty for want of a
// submodule: a reader would take the code for missing.
func (l *agentRun) folder(ctx context.Context) (dir string, private bool, err error) {
	if l.run.Kind == beckon.ChatRun {
		return cmp.Or(l.run.Dir, l.project.Dir), false, nil
	}
	f, err := l.r.Cards.Folder(ctx, l.task, l.project)
	if err != nil {
		return "", false, err
	}
	l.task = f.Task
	if len(f.Empty) > 0 {
		logged("name the submodules that are empty", l.record(transcript.NoticeLine("submodules_empty", strings.Join(f.Empty, "\n"))), "run", l.run.ID)
	}
	return f.Dir, f.Private, nil
}

// opening is the first message of a run that has none of its own; a chat waits
// for its person's.
func (l *agentRun) opening() string {
	switch {
	case l.kind() == beckon.ChatRun:
		return ""
	case l.resumed: // run.Session may be read meanwhile, from a turn of claude's own
		return "Carry on where you left off."
	default:
		return l.promptText()
	}
}
