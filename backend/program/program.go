// Package program joins all parts into Beckon, and shows it: in a window, in a browser, or
// as a demo. It is the one package that knows them all; only main imports it. What it
// decides itself is the order in which they begin and end, and who hears of an event.
package program

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	acp "beckon/backend/agent/acp/driver"
	"beckon/backend/agent/claude/cli"
	claude "beckon/backend/agent/claude/driver"
	"beckon/backend/agent/process"
	"beckon/backend/agent/trial"
	"beckon/backend/api"
	"beckon/backend/beckon"
	"beckon/backend/board"
	"beckon/backend/board/steps"
	"beckon/backend/board/views"
	"beckon/backend/budget"
	"beckon/backend/channel"
	"beckon/backend/channel/desk"
	"beckon/backend/channel/phone/door"
	"beckon/backend/demo"
	"beckon/backend/desktop"
	"beckon/backend/desktop/awake"
	"beckon/backend/desktop/instance"
	"beckon/backend/executor"
	"beckon/backend/export"
	"beckon/backend/external"
	"beckon/backend/feed"
	"beckon/backend/filefind"
	"beckon/backend/forge"
	"beckon/backend/git/spare"
	"beckon/backend/git/workdir"
	"beckon/backend/history"
	"beckon/backend/imports"
	"beckon/backend/notify"
	"beckon/backend/observe/relay"
	"beckon/backend/observe/watch"
	"beckon/backend/question"
	"beckon/backend/repeat"
	"beckon/backend/review"
	"beckon/backend/review/attempt"
	"beckon/backend/review/rewind"
	"beckon/backend/review/since"
	"beckon/backend/review/since/replay"
	"beckon/backend/review/since/why"
	"beckon/backend/runner"
	"beckon/backend/runner/outbox"
	"beckon/backend/scripts"
	"beckon/backend/search"
	"beckon/backend/secrets"
	"beckon/backend/store"
	"beckon/backend/store/textindex"
	"beckon/backend/terminal"
	"beckon/backend/toolserver"
	"beckon/backend/transcript"
	"beckon/backend/update"

	"github.com/adrg/xdg"
)

// Options say what the command line and the build do.
type Options struct {
	Addr, Data, Claude  string
	Hidden, Demo, Guest bool
	Show                instance.Target
	// Public is where phones reach Beckon without a tunnel; empty: nowhere.
	Public, CertFile, KeyFile string
	Build                     Build

	certificate *door.Certificate
}

// Build is what the build put into the program.
type Build struct {
	// The version, the commit that it was built from with its day, and the repository of
	// its releases at GitHub.
	Version, Commit, Date, Repository string
	Page                              fs.FS // the built page
	Messages                          fs.FS // the page's messages that are shown outside of it
	// Bind returns what Wails binds for the page: its type names the methods there.
	Bind func(*api.API) any
}

// DataHome is the data folder when no flag names one.
func DataHome() string { return filepath.Join(xdg.DataHome, "beckon") }

// closeIn is how long agents may take to leave when Beckon quits.
const closeIn = 10 * time.Second

// program is Beckon without a way in: everything joined, nothing shown.
type program struct {
	turn      sync.Mutex // of changes of many cards and of undo
	store     *store.Store
	tether    *process.Tether // that the agents' supervisors have
	feed      *feed.Feed
	board     *board.Board
	runner    *runner.Runner
	comments  *review.Comments
	since     *since.Since
	moments   *rewind.Taker
	ledger    *since.Ledger
	rewinder  *rewind.Rewinder
	attempts  *attempt.Attempts
	files     *filefind.Finder
	search    *search.Index
	scripts   *scripts.Scripts
	terminals *terminal.Terminals
	ports     *scripts.Ports
	pulls     *forge.Forge
	update    *update.Watch
	awake     *awake.Keeper
	repeat    *repeat.Repeater
	budgets   *budget.Keeper
	spares    *spare.Keeper
	tools     *toolserver.Server
	executors *executor.Executors
	trials    *trial.Trials
	channels  *channel.Hub
	secrets   *secrets.Secrets
	pushes    desk.Pushes
	outside   *watch.Outside
	questions *question.Desk
	history   *history.History
	devices   desk.Devices
	notices   *notify.Center
	api       *api.API
	demo      demo.Process
	hide      func() error // takes away what tells other programs of it
}

// open builds the program and begins its work. sh is what only the way in can
// do.
func open(ctx context.Context, o Options, find func() (cli.Options, error), sh *api.Shell) (*program, error) {
	s, err := store.Open(ctx, o.Data)
	if err != nil {
		return nil, err
	}
	p := &program{store: s, feed: feed.New(), secrets: secrets.New(o.Data), spares: spare.NewKeeper(), devices: desk.Devices{Bot: &desk.Bot{}, Page: &desk.Page{}}, hide: func() error { return nil }}
	if p.tether, err = takeTether(ctx, o.Data); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	find = tethered(find, p.tether)
	if p.channels, p.pushes, err = openChannels(ctx, s, p.secrets, o, p.feed); err != nil {
		return nil, errors.Join(err, p.tether.Close(), s.Close())
	}
	p.questions = question.New(s, p.publishQuestion)
	words, err := textindex.Open(ctx, o.Data)
	if err != nil {
		return nil, errors.Join(err, p.closeStore())
	}
	p.search = search.New(s, words, transcript.Dir(o.Data))
	if p.tools, err = toolserver.Listen(toolserver.Desk{
		Ask: p.ask, Assume: p.assume, OnAnswerWritten: func(ctx context.Context, id string) error { return p.runner.OnAnswerWritten(ctx, id) },
		OnUndelivered: func(q beckon.Question) { p.runner.DeliverAnswer(q, false) }, BeginExternalRun: p.beginExternalRun,
		OnHook: func(ctx context.Context, c toolserver.HookCall) json.RawMessage {
			return p.outside.OnHook(ctx, relay.HookCall(c))
		},
		OnStart: p.startNamed, HasRepositories: p.hasRepositories, OpenRepository: p.openRepository,
	}); err != nil {
		return nil, errors.Join(err, p.search.Close(), p.closeStore())
	}
	p.outside = watch.New(p.watching(o.Data))
	p.history = &history.History{Store: s, Dir: transcript.Dir(o.Data), Outside: p.outside}
	p.ports = &scripts.Ports{Rows: p.store.Ports}
	p.scripts, p.pulls, p.update = scripts.New(p.scripting(o.Data)), forge.New(p.forging(o.Data)), p.updates(o)
	p.board = board.New(board.Config{
		Store: s, Publish: p.publish, DataDir: o.Data, Withdraw: p.questions.WithdrawTask, Pause: p.questions.PauseAll, RemoveLogs: p.history.Remove,
		Fetch:   p.bring,
		Prepare: p.prepare, Clear: p.clear, CheckPassed: p.scripts.Passed,
	})
	p.repeat = repeat.New(repeat.Config{Kept: s.Templates, Create: p.board.CreateTask, Projects: s.Projects})
	p.budgets, p.awake, p.terminals = budget.New(p.budgeting()), awake.New(p.sleeping()), terminal.New(p.shells(o))
	p.executors = executor.New(p.executing(o.Data))
	agents := p.agents(o, find)
	p.trials = &trial.Trials{Agents: agents, Dir: trial.Dir(o.Data)}
	p.runner = runner.New(runner.Config{
		Store: s, Desk: p.questions, Cards: cards{p.board, p.executors}, Publish: p.publish, Watched: p.feed.Watched, Written: p.search.OnWritten,
		DataDir: o.Data, Agents: agents, GrantTools: p.grantTools, SystemPrompt: systemPrompt, QuietAfter: p.quietAfter,
		Executors: p.executors, Elsewhere: func(run beckon.Run) error { return p.outside.Elsewhere(run) }, Afford: p.budgets.Afford, OnQuota: p.onQuota,
	})
	p.questions.Serve(question.Owner{Park: p.runner.Park, DeliverAnswer: p.deliverAnswer})
	p.outside.TakeOver(p.runner, p.board.CreateTask, p.publish)
	p.board.Join(p.runner)
	p.history.Live = p.runner
	p.recordWork()
	p.comments = review.New(p.reviewing())
	p.files, p.notices = filefind.New(), notify.New(p.noticing())
	p.api = api.New(ctx, p.parts(o, find, sh))
	if err := p.begin(ctx, o.Data); err != nil {
		return nil, errors.Join(err, p.close())
	}
	if err := p.history.Sweep(ctx); err != nil {
		slog.Error("remove transcripts that no run knows", "err", err)
	}
	if err := p.devices.Bot.Join(ctx, p.away()); err != nil {
		slog.Error("the bot of Telegram does not start", "err", err)
	}
	if err := p.devices.Page.Join(ctx, p.away(), p.phones(o)); err != nil {
		slog.Error("phones are not served", "err", err)
	}
	p.search.Start()
	if o.Demo {
		p.outside.Close() // the demo shows nothing of the machine
	}
	p.outside.Follow()
	hide, err := external.Announce(o.Data, p.tools.Endpoint())
	if err != nil {
		return nil, errors.Join(err, p.close())
	}
	p.hide = hide
	return p, nil
}

// parts are what the page's methods call.
func (p *program) parts(o Options, find func() (cli.Options, error), sh *api.Shell) api.Parts {
	s := p.store
	saved := &views.Saved{Kept: s.Views, Publish: p.publish}
	finder := &why.Finder{Since: p.since, Rows: s.Decisions, Runs: s.Runs, Parts: s.Parts.Of, Logs: transcript.Dir(o.Data)}
	return api.Parts{
		Board: p.board, Bulk: &steps.ManyCards{Board: p.board, Task: s.Task, Project: s.Project, Hold: p.runner.Hold, Turn: &p.turn},
		Undo:  &steps.Undo{Log: s.Undo, Board: p.board, Task: s.Task, Turn: &p.turn},
		Views: saved, Comments: p.comments, Since: p.since, Runner: p.runner, Trials: p.trials, History: p.history,
		Files: p.files, Images: outbox.Images{Store: s}, Questions: p.questions, Answer: p.answer, Outside: p.outside,
		Channels: p.channels, Devices: p.devices, Feed: p.feed, Search: p.search, Scripts: p.scripts, Terminals: p.terminals, Repeat: p.repeat, Pulls: p.pulls, Imports: imports.Open(p.importing(o.Data)),
		Update: p.update, Build: beckon.Build{Commit: o.Build.Commit, Date: o.Build.Date}, Conflict: p.conflicts(), Lost: p.lostWork(),
		Export:  &export.Exporter{Store: s, Logs: transcript.Dir(o.Data), Folders: []string{xdg.UserDirs.Download, xdg.Home, o.Data}, Changed: p.changed, Traced: finder.Trace, Version: o.Build.Version},
		Shown:   []api.Shown{p.channels, saved, p.comments, p.scripts, p.terminals, p.pulls, p.update, p.executors, p.awake, p.budgets},
		Budgets: p.budgets, Notices: p.notices, Numbers: s.Numbers, Ledger: p.ledger, Rewinder: p.rewinder,
		Why:      finder,
		Replay:   &replay.Replayer{Since: p.since, Checkpoints: s.Checkpoints, Runs: p.history.Runs, Taken: p.moments.TakenOf, Several: p.several, Logs: transcript.Dir(o.Data)},
		Attempts: p.attempts, Demo: &p.demo, Usage: p.meter(o.Data), Executors: p.executors, Claude: find, Shell: sh,
	}
}

// agents are those that tasks can have.
func (p *program) agents(o Options, find func() (cli.Options, error)) agents {
	return agents{claude.New(find, p.executors.Options), &acp.Driver{
		Supervisor: desktop.Core(), Tether: p.tether, Logs: transcript.Dir(o.Data), Version: o.Build.Version, Own: p.ownAgents,
		Models: filepath.Join(o.Data, "models.json"),
	}, p.ports, p.board.Parts}
}

// ownAgents are the kinds that the user added.
func (p *program) ownAgents() []beckon.OwnAgent {
	s, err := p.store.Settings.Load(context.Background())
	if err != nil {
		slog.Error("the agents that were added are missing", "err", err)
	}
	return s.OwnAgents
}

// quietAfter is how long an agent may say nothing before its run is quiet.
func (p *program) quietAfter() time.Duration {
	s, err := p.store.Settings.Load(context.Background())
	if err != nil {
		slog.Error("read after how long a run is quiet", "err", err)
		return 0
	}
	return time.Duration(s.QuietMinutes) * time.Minute
}

// publishQuestion tells of what became of a question, the agent's run first.
func (p *program) publishQuestion(e beckon.Event) {
	p.feed.Publish(e)
	p.runner.OnEvent(e)
	p.channels.OnEvent(e)
	if e.Question != nil {
		p.budgets.OnQuestion(*e.Question)
		p.outside.OnQuestion(*e.Question)
	}
}

// publish tells the clients, and the search index, of what a run did, and has what
// the user set take effect.
func (p *program) publish(e beckon.Event) {
	p.feed.Publish(e)
	p.search.OnEvent(e)
	p.channels.OnEvent(e)
	p.since.OnEvent(e)
	p.comments.OnEvent(e) // which asks what turn it was
	p.spares.OnEvent(e)
	p.update.OnEvent(e)
	p.budgets.OnEvent(e)
	p.terminals.OnEvent(e)
	if e.Settings != nil {
		go p.outside.Follow()
	}
}

// ask puts what an agent asks over MCP to the desk, under the name of the
// sub-agent that does. A call over HTTP of an agent that Beckon runs gets a name here, by
// which its run knows when the answer was heard: what was written may be read by nobody.
func (p *program) ask(ctx context.Context, q beckon.Question) (beckon.Question, error) {
	return p.questions.Ask(ctx, p.named(ctx, q))
}

// assume keeps what an agent assumed over MCP, named as what it asks is.
func (p *program) assume(ctx context.Context, q beckon.Question) (beckon.Question, error) {
	return p.questions.Assume(ctx, p.named(ctx, q))
}

func (p *program) named(ctx context.Context, q beckon.Question) beckon.Question {
	if run, err := p.store.Run(ctx, q.RunID); q.ToolUseID == "" && err == nil && run.Agent != "" {
		q.ToolUseID = beckon.NewUUID()
	}
	if q.Agent == "" {
		q.Agent = p.runner.Asker(ctx, q.TaskID, q.ToolUseID)
	}
	return q
}

// answer gives an answer from wherever it came.
func (p *program) answer(ctx context.Context, id string, answer beckon.Answer) error {
	if typed, err := p.outside.Answer(ctx, id, answer); typed {
		return err
	}
	return p.questions.Answer(ctx, id, answer)
}

// beginExternalRun gives a program outside a run to ask under. Its client has limits
// of its own, so Beckon sets none.
func (p *program) beginExternalRun(ctx context.Context) (toolserver.Caller, func(), error) {
	runID, end, err := p.runner.BeginExternalRun(ctx, "")
	return toolserver.Caller{RunID: runID, Policy: beckon.Wait}, end, err
}

// startNamed makes a card of the template that a program asks for.
func (p *program) startNamed(ctx context.Context, c toolserver.StartCall) (beckon.Task, error) {
	return p.repeat.RunNamed(ctx, c.Name, c.Project)
}

// bring fetches what a task starts from.
func (p *program) bring(ctx context.Context, t beckon.Task, project beckon.Project) (string, error) {
	return p.pulls.Bring(ctx, t, project)
}

// noticing joins what decides about notifications with the feed.
func (p *program) noticing() notify.Config {
	return notify.Config{
		Attach: func(sink func(beckon.Frame)) func() { return p.feed.Attach("notify", sink) }, Publish: p.feed.Publish,
		State: func() (beckon.Frame, error) { return p.api.Attach("notify") },
	}
}

// begin goes on with what was under way when Beckon ended.
func (p *program) begin(ctx context.Context, data string) error {
	if err := workdir.ClearScratch(data); err != nil {
		slog.Warn("remove what a Beckon that was killed left", "err", err)
	}
	if err := errors.Join(p.board.Start(ctx), p.scripts.Start(ctx)); err != nil {
		return err
	}
	p.rewinder.Recover(ctx)
	p.attempts.Recover(ctx)
	p.pulls.Start()
	p.repeat.Start()
	p.update.Start()
	p.since.Start()
	projects, err := p.store.Projects(ctx)
	if err != nil {
		return err
	}
	p.spares.Start(func(one beckon.Project) spare.KeeperRepo { return p.board.Kept(one) }, projects)
	if err := errors.Join(p.budgets.Recover(ctx), p.runner.Open(ctx)); err != nil {
		return err
	}
	p.budgets.Start()
	p.executors.Open(ctx)
	return errors.Join(p.comments.Open(ctx), p.notices.Start())
}

// scripting is what runs the commands of projects in worktrees, which are the board's.
func (p *program) scripting(data string) scripts.Config {
	return scripts.Config{
		Rows: p.store.Scripts, Ports: p.ports, Publish: p.publish, Dir: filepath.Join(data, "scripts"), Task: p.store.Task, Project: p.store.Project, Supervisor: desktop.Core(),
		Tree: func(t beckon.Task, project beckon.Project) scripts.Tree { return p.board.Tree(t, project) },
		Content: func(ctx context.Context, t beckon.Task, project beckon.Project) (string, error) {
			return p.board.Kept(project).BranchOf(t).Content(ctx)
		},
		Held: func(taskID string) error { return p.runner.Held(taskID) },
	}
}

// shells is what the terminals of tasks work with.
func (p *program) shells(o Options) terminal.Config {
	return terminal.Config{
		Task: p.store.Task, Project: p.store.Project, Publish: p.publish, Environ: p.scripts.Environ, Tether: p.tether, Supervisor: desktop.Core(),
		Held: func(taskID string) error { return p.runner.Held(taskID) }, Off: o.Public != "",
	}
}

// clear ends what runs in a task's worktree, which is about to be removed.
func (p *program) clear(taskID string) {
	p.scripts.Clear(taskID)
	p.terminals.Clear(taskID)
	p.executors.Forget(taskID)
}

// updates is what asks for newer versions.
func (p *program) updates(o Options) *update.Watch {
	return update.New(update.Config{
		Version: o.Build.Version, Repository: update.ReleasesAt(o.Build.Repository, o.Demo), Publish: p.publish,
		Settings: p.store.Settings.Load, Kept: p.store.Settings.Release, Keep: p.store.Settings.SaveRelease,
		Installed: update.Installed(),
	})
}

// importing joins the lists of other tools to the board.
func (p *program) importing(data string) imports.Config {
	return imports.Config{
		Projects: p.store.Projects, Tasks: p.store.TasksOf, Create: p.board.CreateAll, Server: p.pulls.Place, Issues: p.pulls.OpenIssues,
		Branches: func(ctx context.Context, project beckon.Project) ([]string, error) {
			return p.board.Kept(project).Branches(ctx)
		},
		Scratch: filepath.Join(data, "import"), Turn: &p.turn,
	}
}

// watching joins the sessions that run elsewhere to what they need.
func (p *program) watching(data string) watch.Config {
	return watch.Config{
		Store: p.store, Feed: p.feed, Desk: p.questions, DataDir: data, HookCommand: func() (string, error) { return HookCommand(data) },
		BeginRun: func(ctx context.Context, session string) (string, func(), error) {
			return p.runner.BeginExternalRun(ctx, session)
		},
	}
}

// away joins what people do at the desk from elsewhere to what it needs.
func (p *program) away() desk.Away {
	return desk.Away{
		Store: p.store, Hub: p.channels, Board: p.board, Runner: p.runner, Sessions: p.outside.Sessions, Slots: p.executors.Slots,
		Transcript: p.history.Transcript, GiveAnswer: p.answer, HoldClock: p.questions.Hold,
	}
}

// phones says how phones are served.
func (p *program) phones(o Options) desk.Serving {
	assets, err := fs.Sub(o.Build.Page, "phone")
	if err != nil {
		panic(err) // the name is right
	}
	return desk.Serving{Push: p.pushes, Assets: assets, Public: o.Public, Certificate: o.certificate}
}

// grantTools gives a run Beckon's MCP tools, with a token that dies with it.
func (p *program) grantTools(g runner.ToolGrant) (runner.Tools, func()) {
	channel, token := p.tools.Open(toolserver.Caller{RunID: g.RunID, TaskID: g.TaskID, Policy: g.Policy, WaitMs: g.WaitMs})
	return runner.Tools{Receive: channel.Receive, URL: p.tools.URL(), Token: token}, func() { p.tools.Dismiss(token) }
}

// close ends the agents, then what they talk to, then the store.
func (p *program) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeIn)
	defer cancel()
	p.demo.Close()
	p.notices.Close()
	p.files.Close()
	p.outside.Close()
	p.comments.Close()
	p.repeat.Close()
	p.budgets.Close()
	p.pulls.Close()
	p.update.Close()
	p.executors.Leave()
	shells := make(chan error, 1)
	go func() { shells <- p.terminals.Close(ctx) }()
	ended := errors.Join(p.runner.Close(ctx), <-shells)
	p.executors.Close()
	p.moments.Close()
	p.since.Close()
	p.scripts.Close()
	p.spares.Close()
	return errors.Join(p.hide(), ended, p.tools.Close(ctx), p.search.Close(), p.closeStore())
}

// closeStore closes the store, and before it what reads it all the time.
func (p *program) closeStore() error {
	p.channels.Close()
	return errors.Join(p.tether.Close(), p.store.Close())
}
