package runner

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/cli"
	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// toolServer is Beckon's MCP server; the CLI calls it beckonTools in permissions.
const (
	toolServer  = "beckon"
	beckonTools = "mcp__" + toolServer
)

// tokenIn is the variable of the agent's environment that has its token, where
// its folder has settings that name it.
const tokenIn = "BECKON_TOKEN"

// toolTimeout is how long a client is to wait for an MCP call, in milliseconds, so
// that nothing but Beckon's policy ends a wait: a little over eleven days.
const toolTimeout = 1_000_000_000

// prepare makes what the run needs on disk and returns how claude is started.
func (l *agentRun) prepare(ctx context.Context) (cli.Options, error) {
	o, err := l.claude(ctx)
	if err != nil {
		return o, err
	}
	dir, private, err := l.folder(ctx)
	if err != nil {
		return o, err
	}
	l.tools, l.revoke = l.r.GrantTools(ToolGrant{RunID: l.run.ID, TaskID: l.task.ID, Policy: l.policy(), WaitMs: l.task.WaitMs})
	if err := l.writeConfig(&o); err != nil {
		return o, err
	}
	o.Dir, o.Model, o.Mode, o.Effort = dir, l.run.Model, string(l.run.Mode), l.run.Effort
	o.Env = slices.Clone(o.Env)
	if private && o.Start == nil {
		if err := claude.WriteSettings(dir, claude.ToolServer{Name: toolServer, URL: l.tools.URL, TokenIn: tokenIn, TimeoutMs: toolTimeout}); err != nil {
			return o, err
		}
		o.Env = append(o.Env, tokenIn+"="+l.tools.Token)
	}
	if l.run.Kind == beckon.ChatRun {
		o.Env = append(o.Env, chatThinking)
	} else {
		o.AppendSystemPrompt = l.r.SystemPrompt // it says that nobody reads along
	}
	if l.run.ConfigDir != "" {
		o.Env = append(o.Env, "CLAUDE_CONFIG_DIR="+l.run.ConfigDir)
	}
	return o, l.resume(ctx, &o)
}

// claude returns how claude is started where the run executes.
func (l *agentRun) claude(ctx context.Context) (cli.Options, error) {
	if l.run.Executor == "" {
		return l.r.Claude()
	}
	o, err := l.r.Executors.Options(ctx, l.run)
	o.OnLink = l.noteLink
	return o, err
}

// noteLink notes how the agent is reached where it executes. It goes on either way.
func (l *agentRun) noteLink(link cli.Link) {
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

// writeConfig writes what claude is started with, outside the worktree. The
// run's end removes it.
func (l *agentRun) writeConfig(o *cli.Options) error {
	dir := filepath.Join(l.r.configDir(), l.run.ID)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	l.configDir = dir
	allowed, unsound := claude.SoundRules(l.project.Allowed)
	logged("pass a permission rule on", unsound, "project", l.project.ID)
	o.Settings = filepath.Join(dir, "settings.json")
	return claude.WriteAllowed(o.Settings, append([]string{beckonTools}, allowed...))
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
