package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/claude"
	"beckon/backend/git"
	"beckon/backend/transcript"
)

// settingsFile is what Beckon writes into a worktree for people and other
// tools to read. The CLI ignores its mcpServers, and its permissions in an
// untrusted folder: what it obeys is --mcp-config and --settings.
const settingsFile = ".claude/settings.json"

// beckonTools is how the CLI names Beckon's MCP server in permissions.
const beckonTools = "mcp__beckon"

// tokenIn is the variable of the agent's environment that has its token.
const tokenIn = "BECKON_TOKEN"

// toolTimeout is how long the CLI waits for an MCP call, in milliseconds, so
// that nothing but Beckon's policy ends a wait: a little over eleven days.
const toolTimeout = 1_000_000_000

// prepare makes what the run needs on disk and returns how claude is started.
func (l *live) prepare(ctx context.Context) (claude.Options, error) {
	o, err := l.r.Claude()
	if err != nil {
		return o, err
	}
	dir, err := l.folder(ctx)
	if err != nil {
		return o, err
	}
	tools, revoke := l.r.GrantTools(ToolGrant{RunID: l.run.ID, TaskID: l.task.ID, Policy: l.policy(), WaitMs: l.task.WaitMs})
	l.revoke = revoke
	if err := l.writeConfig(tools, &o); err != nil {
		return o, err
	}
	if err := l.writeSettings(ctx, dir, tools); err != nil {
		return o, err
	}
	o.Dir, o.Model, o.Mode, o.Effort = dir, l.run.Model, string(l.run.Mode), l.run.Effort
	o.Env = append(slices.Clone(o.Env), tokenIn+"="+tools.Token)
	if l.run.Kind == beckon.ChatRun {
		o.Env = append(o.Env, chatThinking)
	} else {
		o.AppendSystemPrompt = l.r.SystemPrompt // it says that nobody reads along
	}
	if l.run.Session != "" {
		o.Resume = l.run.Session
		o.Fork, err = l.forks(ctx)
	}
	return o, err
}

// policy is what happens to this run's questions when nobody answers: a chat
// has its person before it, so it waits.
func (l *live) policy() beckon.Policy {
	if l.run.Kind == beckon.ChatRun {
		return beckon.Wait
	}
	return l.task.Policy
}

// folder returns where the run works, and makes the worktree where one is
// needed and missing.
func (l *live) folder(ctx context.Context) (string, error) {
	if l.run.Kind == beckon.ChatRun || !l.project.Git {
		if l.run.Kind == beckon.TaskRun && l.task.Worktree == "" {
			return l.project.Dir, l.setTree(ctx, git.Worktree{Dir: l.project.Dir})
		}
		return l.project.Dir, nil
	}
	g := l.r.repo(l.project)
	if l.task.Worktree != "" {
		return l.task.Worktree, g.RestoreWorktree(ctx, treeOf(l.task))
	}
	branch := git.BranchName(l.project.Key, l.task.Number, l.task.Title)
	w, err := g.AddWorktree(ctx, l.r.treeDir(l.task), branch, or(l.task.Base, l.project.Base))
	if err != nil {
		return "", err
	}
	l.r.prune(ctx, l.project)
	l.nameSubmodules(ctx, g, w)
	return w.Dir, l.setTree(ctx, w)
}

// nameSubmodules says in the transcript which folders are empty for want of a
// submodule: a reader would take the code for missing.
func (l *live) nameSubmodules(ctx context.Context, g *git.Repo, w git.Worktree) {
	names, err := g.EmptySubmodules(ctx, w)
	if err == nil && len(names) > 0 {
		err = l.record(transcript.NoticeLine("submodules_empty", strings.Join(names, "\n")))
	}
	logged("name the submodules that are empty", err, "run", l.run.ID)
}

// setTree records where the task works.
func (l *live) setTree(ctx context.Context, w git.Worktree) error {
	t, err := l.r.updateTask(ctx, l.task.ID, func(t *beckon.Task) error {
		t.Worktree, t.Branch, t.Base, t.BaseCommit = w.Dir, w.Branch, w.Base, w.BaseCommit
		return nil
	})
	if err == nil {
		l.task = t
	}
	return err
}

// server is Beckon's MCP server as claude is told of it.
func server(t Tools) claude.ToolServer {
	return claude.ToolServer{Name: "beckon", URL: t.URL, TokenIn: tokenIn, TimeoutMs: toolTimeout}
}

// writeConfig writes what claude is started with, outside the worktree. The
// run's end removes it.
func (l *live) writeConfig(t Tools, o *claude.Options) error {
	dir := filepath.Join(l.r.configDir(), l.run.ID)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	l.configDir = dir
	o.MCPConfig, o.Settings = filepath.Join(dir, "mcp.json"), filepath.Join(dir, "settings.json")
	return errors.Join(
		claude.WriteMCPConfig(o.MCPConfig, server(t)),
		claude.WriteAllowed(o.Settings, append([]string{beckonTools}, soundRules(l.project.Allowed)...)),
	)
}

// writeSettings writes the worktree's settings.json, unless the repository
// tracks one of its own. It is never committed: info/exclude names it.
func (l *live) writeSettings(ctx context.Context, dir string, t Tools) error {
	if l.task.Branch == "" || l.run.Kind != beckon.TaskRun {
		return nil // the folder is the user's own
	}
	g := l.r.repo(l.project)
	if g.Tracked(ctx, dir, settingsFile) {
		return nil
	}
	err := g.Exclude(ctx, dir, "/"+settingsFile)
	if errors.Is(err, beckon.ErrConflict) { // without the file only other tools miss something
		logged("write no settings into the worktree", err, "task", l.task.ID)
		return nil
	}
	if err != nil {
		return err
	}
	if err := plainFolder(filepath.Join(dir, filepath.Dir(settingsFile))); err != nil {
		return err
	}
	return claude.WriteSettings(filepath.Join(dir, settingsFile), server(t))
}

// plainFolder makes a folder, and refuses a link that would lead the next
// write out of the worktree.
func plainFolder(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return os.Mkdir(dir, 0o755)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder, so Beckon's settings cannot be written there: %w", dir, beckon.ErrConflict)
	}
	return nil
}

// ours lists what Beckon itself wrote into a worktree and never commits.
func ours(g *git.Repo, ctx context.Context, dir string) []string {
	if g.Tracked(ctx, dir, settingsFile) {
		return nil
	}
	return []string{settingsFile}
}

// opening is the first message of a run that has none of its own; a chat waits
// for its person's.
func (l *live) opening() string {
	switch {
	case l.kind() == beckon.ChatRun:
		return ""
	case l.run.Session != "":
		return "Carry on where you left off."
	default:
		return l.told()
	}
}
