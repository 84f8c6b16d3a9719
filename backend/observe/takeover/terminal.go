package takeover

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
)

// TerminalCommand returns what continues a run's session in a terminal: the
// session itself once no run has it any more, and a copy of it before that.
func (t *Taker) TerminalCommand(ctx context.Context, runID string) (string, error) {
	run, err := t.Store.Run(ctx, runID)
	if err != nil {
		return "", err
	}
	if run.Session == "" || run.TaskID == "" {
		return "", problem.New(problem.NoSession, fmt.Errorf("the run has no session yet that a terminal could continue: %w", beckon.ErrConflict))
	}
	dir, err := t.dirOf(ctx, run)
	if err != nil {
		return "", err
	}
	live, err := t.Store.LiveRuns(ctx)
	if err != nil {
		return "", err
	}
	c := command{
		dir: dir, configDir: cmp.Or(run.ConfigDir, os.Getenv("CLAUDE_CONFIG_DIR")), session: run.Session,
		fork: slices.ContainsFunc(live, func(other beckon.Run) bool { return other.Session == run.Session }),
	}
	if runtime.GOOS == "windows" {
		return c.powerShell(), nil
	}
	return c.posix(), nil
}

// dirOf returns the folder that a run's session belongs to.
func (t *Taker) dirOf(ctx context.Context, run beckon.Run) (string, error) {
	task, err := t.Store.Task(ctx, run.TaskID)
	if err != nil {
		return "", err
	}
	p, err := t.Store.Project(ctx, task.ProjectID)
	if err != nil {
		return "", err
	}
	dir := cmp.Or(run.Dir, p.Dir)
	if run.Kind == beckon.TaskRun {
		dir = task.Worktree
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", errNoFolder(cmp.Or(dir, task.Key))
	}
	return dir, nil
}

// command continues a session in a terminal.
type command struct {
	dir, configDir, session string
	fork                    bool
}

func (c command) claude() string {
	if c.fork {
		return "claude --resume " + c.session + " --fork-session"
	}
	return "claude --resume " + c.session
}

// posix is the command for sh, bash, zsh and fish: within single quotes only the
// quote itself means something, and in fish the backslash before one, so that
// both stand outside.
func (c command) posix() string {
	text := "cd -- " + quoted(c.dir) + " && "
	if c.configDir != "" {
		text += "env CLAUDE_CONFIG_DIR=" + quoted(c.configDir) + " "
	}
	return text + c.claude()
}

func quoted(text string) string {
	if text != "" && !strings.ContainsFunc(text, special) {
		return text
	}
	return "'" + strings.NewReplacer(`'`, `'\''`, `\`, `'\\'`).Replace(text) + "'"
}

// special reports whether a character may mean something to a shell.
func special(r rune) bool {
	plain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+,@", r)
	return !plain
}

// powerShell is the command for PowerShell. For cmd there is none: it would take
// %NAME% for a variable within any quotes.
func (c command) powerShell() string {
	text := "Set-Location -LiteralPath " + literal(c.dir) + " -ErrorAction Stop; "
	if c.configDir != "" {
		text += "$env:CLAUDE_CONFIG_DIR = " + literal(c.configDir) + "; "
	}
	return text + c.claude()
}

// literal quotes for PowerShell, which takes typographic quotes for plain ones.
func literal(text string) string {
	return "'" + strings.NewReplacer("'", "''", "‘", "‘‘", "’", "’’", "‚", "‚‚", "‛", "‛‛").Replace(text) + "'"
}
