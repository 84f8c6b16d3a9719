// Package driver is Claude Code as an agent of Beckon's: it starts the CLI as an
// agent.Launch says, reads each of its lines as agent.Events, and does by the CLI's protocol
// what an agent.Session is asked to. Sections are those of docs/PROTOCOL.md.
//
// It decides nothing of a run, and keeps of what it read only what a later line is not to
// be understood without.
package driver

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/cli"
	"beckon/backend/beckon"
)

// startIn is how long the system may take to start the CLI on this machine.
const startIn = 30 * time.Second

// errSlowStart says that its program did not begin to run.
var errSlowStart = fmt.Errorf("the system did not start it within %s; is it on a network drive that does not answer?", startIn)

// Driver is the agent.Driver of Claude Code.
type Driver struct {
	// Installed is the CLI of this machine.
	cli.Installed
	// Elsewhere returns how the CLI is started for a run on its executor; nil: nowhere.
	Elsewhere func(ctx context.Context, run beckon.Run) (cli.Options, error)
}

// New returns the driver of a CLI that find finds.
func New(find func() (cli.Options, error), elsewhere func(context.Context, beckon.Run) (cli.Options, error)) *Driver {
	return &Driver{cli.Installed{Find: find}, elsewhere}
}

// Prepare implements agent.Driver.
func (d *Driver) Prepare(ctx context.Context, run beckon.Run) (agent.Start, error) {
	o, err := d.options(ctx, run)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, l agent.Launch) (agent.Session, error) { return start(ctx, o, l) }, nil
}

// Usable implements agent.Driver, of the one kind that it starts. What an executor has its
// own look says.
func (d *Driver) Usable(ctx, asking context.Context, _, _ string) error {
	return d.Installed.Usable(ctx, asking)
}

func (d *Driver) options(ctx context.Context, run beckon.Run) (cli.Options, error) {
	if run.Executor == "" {
		return d.Find()
	}
	return d.Elsewhere(ctx, run)
}

// Record implements agent.Driver. The record is among the files of the run's CLI.
func (d *Driver) Record(run beckon.Run) (agent.Record, error) {
	o, _ := d.Find() // where there is no claude now, the environment is the same
	record, err := claude.FindRecord(append(cli.Environ(os.Environ(), o.Env), configDir(run.ConfigDir)...), run.Session)
	if err != nil {
		return nil, err
	}
	return record, nil
}

// configDir is what the environment has of a folder of settings and records.
func configDir(dir string) []string {
	if dir == "" {
		return nil
	}
	return []string{"CLAUDE_CONFIG_DIR=" + dir}
}

func start(ctx context.Context, o cli.Options, l agent.Launch) (agent.Session, error) {
	if err := configure(&o, l); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, cmp.Or(o.StartIn, startIn), errSlowStart)
	defer cancel()
	p, err := cli.Start(ctx, o)
	if err != nil {
		return nil, err
	}
	return newSession(p, l, claude.ConfigDir(cli.Environ(os.Environ(), o.Env))), nil
}

// chatThinking is the thinking budget of chats, in tokens.
const chatThinking = "MAX_THINKING_TOKENS=20000"

// tokenIn is the variable of the CLI's environment that has the token of Beckon's tools,
// where its folder has settings that name it.
const tokenIn = "BECKON_TOKEN"

// toolTimeout is how long a client is to wait for an MCP call, in milliseconds, so
// that nothing but Beckon's policy ends a wait: a little over eleven days.
const toolTimeout = 1_000_000_000

// tools is what the CLI calls an MCP server in permissions.
func tools(server string) string { return "mcp__" + server }

// configure writes what the CLI is started with, outside the worktree but for settings of
// other programs, and completes its options.
func configure(o *cli.Options, l agent.Launch) error {
	allowed, unsound := claude.SoundRules(l.Allowed)
	if unsound != nil {
		slog.Error("pass a permission rule on", "err", unsound, "folder", l.Dir)
	}
	o.Settings = filepath.Join(l.Files, "settings.json")
	if err := claude.WriteAllowed(o.Settings, append([]string{tools(l.Tools.Name)}, allowed...)); err != nil {
		return err
	}
	o.Dir, o.Model, o.Mode, o.Effort = l.Dir, l.Model, string(l.Mode), l.Effort
	o.Resume, o.Fork = l.Session, l.Copy
	o.AddDir = l.Beside
	o.AppendSystemPrompt, o.OnLink = l.SystemPrompt, l.OnLink
	o.Env = slices.Concat(o.Env, l.Env, configDir(l.ConfigDir))
	if l.Chat {
		o.Env = append(o.Env, chatThinking)
	}
	if !l.Private || o.Start != nil {
		return nil
	}
	o.Env = append(o.Env, tokenIn+"="+l.Tools.Token)
	return claude.WriteSettings(l.Dir, claude.ToolServer{Name: l.Tools.Name, URL: l.Tools.URL, TokenIn: tokenIn, TimeoutMs: toolTimeout})
}
