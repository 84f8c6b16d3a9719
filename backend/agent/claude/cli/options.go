package cli

import (
	"context"
	"time"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/agent/process"
)

// Options says how to start the CLI.
type Options struct {
	Path string   // of the executable; see Find
	Lead []string // arguments before ours, for a stand-in that needs some
	// Supervisor is the executable to run as its supervisor, one that imports
	// this package; empty: this one.
	Supervisor string
	Tether     *process.Tether // that it holds as long as there is anything of the CLI
	Dir        string
	Env        []string // KEY=VALUE on top of what Environ lets through

	Model  string // empty: the CLI's default
	Mode   string // permission mode; empty: the CLI's default
	Effort string // low to max; empty: the model's default
	// SessionID names a new conversation, Resume continues one (from the same
	// Dir only). At most one of them may be set.
	SessionID, Resume string
	Fork              bool // Resume in a copy, which leaves the session as it is

	Settings string // path of a file; see claude.WriteAllowed

	AppendSystemPrompt string

	AddDir string // that it may work in besides Dir; empty: none

	// Start replaces how it is started, elsewhere than on this machine; nil: here. It
	// may take StartIn; 0: no longer than one here. OnLink hears how it is
	// reached, each time that changes.
	Start   func(context.Context, Options) (Child, error)
	StartIn time.Duration
	OnLink  func(agent.Link)

	// LineMost replaces the constant of that name where it is not 0.
	LineMost int
	// Grace is how long Stop waits after SIGINT before it kills; 0 means 6 s, just over
	// what the CLI gives its own background commands.
	Grace time.Duration
}

// Args returns the arguments for the CLI, without the executable. Each value
// is joined to its flag by "=", so that none can be taken for a flag; what
// the user wrote (titles, prompts) is never among them.
func (o Options) Args() []string {
	args := append([]string{}, o.Lead...)
	args = append(args, "-p",
		"--input-format=stream-json", "--output-format=stream-json", "--verbose",
		"--include-partial-messages", "--replay-user-messages", "--permission-prompt-tool=stdio",
		"--disallowedTools="+claude.EnterWorktreeTool) // it would take the work out of the task's worktree
	for _, f := range []struct{ flag, value string }{
		{"--permission-mode", o.Mode},
		{"--model", o.Model},
		{"--effort", o.Effort},
		{"--session-id", o.SessionID},
		{"--resume", o.Resume},
		{"--settings", o.Settings},
		{"--append-system-prompt", o.AppendSystemPrompt},
		{"--add-dir", o.AddDir},
	} {
		if f.value != "" {
			args = append(args, f.flag+"="+f.value)
		}
	}
	if o.Fork {
		args = append(args, "--fork-session")
	}
	return args
}

func (o Options) grace() time.Duration {
	if o.Grace == 0 {
		return 6 * time.Second
	}
	return o.Grace
}
