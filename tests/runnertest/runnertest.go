// Package runnertest joins a board and the agents on it for tests, as the
// program joins them, and follows what they publish.
//
// All of it is real: the store, git, the desk, the tools over MCP. Only claude
// is the test binary, which plays a script; so the TestMain of a package that
// uses this one is Main. Tests act on the parts themselves, by their exported
// methods, and find in Driver what many of them do and wait for.
package runnertest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/agent/claude/driver"
	"beckon/backend/agent/claude/scripted"
	"beckon/backend/beckon"
	"beckon/backend/board"
	"beckon/backend/git"
	"beckon/backend/history"
	"beckon/backend/question"
	"beckon/backend/runner"
	"beckon/backend/store"
	"beckon/backend/toolserver"
	"beckon/backend/transcript"
	"beckon/tests/sample"
)

// closeIn is how long agents may take to leave at the end of a test.
const closeIn = 10 * time.Second

// Main is a TestMain's whole body: it plays the agent where the test binary is
// run as one, and else runs the tests with a folder in which the agents keep a
// record of their conversations, as claude does.
func Main(m *testing.M) { scripted.Main(recorded{m}) }

type recorded struct{ m *testing.M }

func (r recorded) Run() int {
	dir, err := os.MkdirTemp("", "beckon-claude-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Setenv("CLAUDE_CONFIG_DIR", dir); err != nil {
		panic(err)
	}
	return r.m.Run()
}

// Driver is a board and its agents, driven as a person would.
type Driver struct {
	*Seen
	DataDir string
	// Project is a trusted sample repository, unless the test has opened a data
	// folder of its own.
	Project beckon.Project

	Store   *store.Store
	Desk    *question.Desk
	Board   *board.Board
	Runner  *runner.Runner
	History *history.History
	// Elsewhere stands for runner.Config's; nil: no session is open elsewhere.
	Elsewhere func(beckon.Run) error
	// Close parks the agents and closes all of it, once. The end of the test
	// does it too.
	Close func() error
	// Find is how its agents are found.
	Find Find
	// Cleared counts how often what runs in a task's worktree was to end.
	Cleared atomic.Int32

	tools   *toolserver.Server
	watched sync.Map // by task
}

// Start opens a board on a fresh data folder, with a sample repository and an
// agent that plays the script.
func Start(t *testing.T, script string) *Driver {
	t.Helper()
	return StartWith(t, Agents(t, script))
}

// StartWith does the same with the agents that find finds.
func StartWith(t *testing.T, find Find) *Driver {
	t.Helper()
	unlessShort(t)
	dir := t.TempDir()
	repo := Sample(t, dir)
	d := Open(t, filepath.Join(dir, "data"), find)
	project, err := d.Board.AddProject(t.Context(), beckon.NewProject{Dir: repo, Trusted: true})
	if err != nil {
		t.Fatal(err)
	}
	d.Project = project
	return d
}

// unlessShort skips a test of agents with -short: what they do takes its time.
func unlessShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts agents")
	}
}

// Sample makes a repository with a commit in a folder and returns its path.
func Sample(t *testing.T, dir string) string {
	t.Helper()
	repo := filepath.Join(dir, "sample")
	committed(t, repo)
	return repo
}

var committed = sample.New(func(dir string) error {
	for name, text := range map[string]string{"README.md": "# Sample\n", "words.txt": "one\ntwo\nthree\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return git.Init(context.Background(), dir, "first")
})

// Open opens a board on a data folder, and closes it with the test.
func Open(t *testing.T, data string, find Find) *Driver {
	t.Helper()
	unlessShort(t)
	ctx := context.WithoutCancel(t.Context())
	s, err := store.Open(ctx, data)
	if err != nil {
		t.Fatal(err)
	}
	d := &Driver{Seen: NewSeen(t), DataDir: data, Store: s, Find: find}
	if err := d.join(find); err != nil {
		t.Fatal(errors.Join(err, s.Close()))
	}
	d.Close = sync.OnceValue(d.close)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, begin := range []func(context.Context) error{d.Board.Start, d.Runner.Open, d.History.Sweep} {
		if err := begin(ctx); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// nowhere is a history.Outside without sessions.
type nowhere struct{}

func (nowhere) Sessions() []beckon.OutsideSession { return nil }

func (nowhere) Run(context.Context, string) (beckon.Run, bool, error) {
	return beckon.Run{}, false, nil
}

func (nowhere) Log(string) (*transcript.Log, bool) { return nil, false }

// join builds the parts, and begins nothing.
func (d *Driver) join(find Find) error {
	d.Desk = question.New(d.Store, func(e beckon.Event) {
		d.Take(e)
		d.Runner.OnEvent(e)
	})
	logs := transcript.Dir(d.DataDir)
	d.History = &history.History{Store: d.Store, Dir: logs, Outside: nowhere{}}
	d.Board = board.New(board.Config{
		Store: d.Store, Publish: d.publish, DataDir: d.DataDir,
		Withdraw: d.Desk.WithdrawTask, Pause: d.Desk.PauseAll, RemoveLogs: d.History.Remove,
		Prepare: func(context.Context, beckon.Task, beckon.Project) error { return nil }, Clear: func(string) { d.Cleared.Add(1) },
		CheckPassed: func(context.Context, beckon.Task, beckon.Project) error { return nil },
	})
	d.Runner = runner.New(runner.Config{
		Store: d.Store, Desk: d.Desk, Cards: d.Board, Publish: d.publish, DataDir: d.DataDir, Agents: driver.New(find, nil),
		Written:    func(string) {},
		QuietAfter: func() time.Duration { return 0 },
		Watched:    func(taskID string) bool { _, watched := d.watched.Load(taskID); return watched },
		GrantTools: d.grantTools, SystemPrompt: func(string) string { return toolserver.SystemPrompt(toolserver.ClaudesNaming) },
		Elsewhere: func(run beckon.Run) error {
			if d.Elsewhere == nil {
				return nil
			}
			return d.Elsewhere(run)
		},
	})
	d.Board.Join(d.Runner)
	d.History.Live = d.Runner
	var err error
	d.tools, err = toolserver.Listen(toolserver.Desk{
		Ask: d.ask, Assume: d.Desk.Assume, OnAnswerWritten: d.Runner.OnAnswerWritten,
		OnUndelivered: func(q beckon.Question) { d.Runner.DeliverAnswer(q, false) },
	})
	return err
}

func (d *Driver) publish(e beckon.Event) { d.Take(e) }

// ask puts what an agent asks over MCP to the desk, under the name of the
// sub-agent that does.
func (d *Driver) ask(ctx context.Context, q beckon.Question) (beckon.Question, error) {
	if q.Agent == "" {
		q.Agent = d.Runner.Asker(ctx, q.TaskID, q.ToolUseID)
	}
	return d.Desk.Ask(ctx, q)
}

func (d *Driver) grantTools(g runner.ToolGrant) (runner.Tools, func()) {
	channel, token := d.tools.Open(toolserver.Caller{RunID: g.RunID, TaskID: g.TaskID, Policy: g.Policy, WaitMs: g.WaitMs})
	return runner.Tools{Receive: channel.Receive, URL: d.tools.URL(), Token: token}, func() { d.tools.Dismiss(token) }
}

func (d *Driver) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeIn)
	defer cancel()
	return errors.Join(d.Runner.Close(ctx), d.tools.Close(ctx), d.Store.Close())
}

// Find returns how claude is started.
type Find = func() (cli.Options, error)

// Agents finds agents that play the script.
func Agents(t *testing.T, script string) Find {
	t.Helper()
	o := scripted.Options(t, script)
	return func() (cli.Options, error) {
		return cli.Options{Path: o.Path, Env: o.Env, Grace: o.Grace}, nil
	}
}

// AgentsOf finds agents that play one of several scripts, by name: each says in
// its headers when it is played.
func AgentsOf(t *testing.T, scripts map[string]string) Find {
	t.Helper()
	dir := t.TempDir()
	for name, script := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name+".txtar"), []byte("-- script --\n"+script), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := scripted.Options(t, "")
	o.Env[0] = scripted.Script(dir)
	return func() (cli.Options, error) {
		return cli.Options{Path: o.Path, Env: o.Env, Grace: o.Grace}, nil
	}
}

// NoAgents finds no claude.
func NoAgents() (cli.Options, error) { return cli.Options{}, cli.ErrNotFound }
