// Beckon runs many Claude Code agents at once, gives each a hand to raise, and
// brings the answers back into their running turns.
package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"beckon/backend/api"
	"beckon/backend/beckon"
	"beckon/backend/beckon/pagecall"
	"beckon/backend/beckon/release"
	"beckon/backend/board"
	"beckon/backend/bulk"
	"beckon/backend/channel"
	"beckon/backend/channel/desk"
	"beckon/backend/channel/phone/door"
	"beckon/backend/claude"
	"beckon/backend/claude/cli"
	"beckon/backend/claude/scripted"
	"beckon/backend/claude/supervisor"
	"beckon/backend/demo"
	"beckon/backend/demo/process"
	"beckon/backend/desktop"
	"beckon/backend/desktop/instance"
	"beckon/backend/desktop/openin"
	"beckon/backend/executor"
	"beckon/backend/executor/askpass"
	"beckon/backend/executor/shim/keeper"
	"beckon/backend/executor/tunnel"
	"beckon/backend/export"
	"beckon/backend/external"
	"beckon/backend/external/hooks"
	"beckon/backend/feed"
	"beckon/backend/filefind"
	"beckon/backend/forge"
	"beckon/backend/git/workdir"
	"beckon/backend/history"
	"beckon/backend/observe/relay"
	"beckon/backend/observe/watch"
	"beckon/backend/question"
	"beckon/backend/review"
	"beckon/backend/review/since"
	"beckon/backend/runner"
	"beckon/backend/runner/attachment"
	"beckon/backend/scripts"
	"beckon/backend/search"
	"beckon/backend/spares"
	"beckon/backend/store"
	"beckon/backend/store/textindex"
	"beckon/backend/toolserver"
	"beckon/backend/transcript"
	"beckon/backend/undo"
	"beckon/backend/update"
	"beckon/backend/views"
	"beckon/backend/web"

	"github.com/adrg/xdg"
)

//go:embed all:frontend/dist
var dist embed.FS

// The build sets them: the version, the commit that it was built from with its day, and
// the repository of its releases at GitHub.
var version, commit, date, repository = "dev", "", "", ""

// closeIn is how long agents may take to leave when Beckon quits.
const closeIn = 10 * time.Second

// garbagePercent is how much garbage may pile up, of what is in use. It is less than
// Go's own: this program lies in wait all day, and what it holds matters more than what
// its collector costs. With half as much as Go's own, reading transcripts cost a seventh more.
const garbagePercent = 75

const usage = `Beckon runs many Claude Code agents at once and brings you their questions.

  beckon           the window; with beckon://task/KES-47 or a folder, at that
  beckon serve     the same in a browser; prints its address as one JSON line
  beckon demo      a sample project with a scripted agent: no account, no network
  beckon mcp       lends ask_user to any agent: claude mcp add beckon -- beckon mcp
  beckon hooks     install, status or remove the hook by which sessions that were
                   started elsewhere are answered here
  beckon version   the version

Flags, after the command:
`

func main() {
	if scripted.Playing() {
		os.Exit(scripted.Play(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	if socket := os.Getenv(askpass.Var); socket != "" { // ssh started it
		os.Exit(askpass.Main(socket, os.Args[1:], os.Stdout))
	}
	debug.SetGCPercent(garbagePercent)
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "beckon:", err)
		os.Exit(1)
	}
}

// options are what the command line says.
type options struct {
	command, addr, data, claude string
	action                      string   // of hooks
	words                       []string // of shim
	hidden, demo, guest, yes    bool
	show                        instance.Target
	// public is where phones reach Beckon without a tunnel; empty: nowhere.
	public, certFile, keyFile string
	certificate               *door.Certificate
}

func parse(args []string) (options, error) {
	o := options{command: "window"}
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' && !instance.IsTarget(args[0]) {
		o.command, args = args[0], args[1:]
	}
	if o.command == "hooks" && len(args) > 0 {
		o.action, args = args[0], args[1:]
	}
	if o.command == "shim" { // its words are another Beckon's
		o.words = args
		return o, nil
	}
	flags := flag.NewFlagSet("beckon", flag.ContinueOnError)
	flags.StringVar(&o.addr, "addr", "127.0.0.1:0", "where serve listens; loopback only")
	flags.StringVar(&o.data, "data", dataHome(), "the data folder")
	flags.StringVar(&o.claude, "claude", "", "the claude program (default: found on PATH)")
	flags.StringVar(&o.public, "public", "", "where serve listens for phones with a certificate, once phones are switched on in Settings")
	flags.StringVar(&o.certFile, "cert", "", "the certificate of -public, with its chain (PEM)")
	flags.StringVar(&o.keyFile, "key", "", "its key (PEM)")
	flags.BoolVar(&o.hidden, "hidden", false, "start the window in the tray, where there is one")
	flags.BoolVar(&o.yes, "yes", false, "have hooks change the settings without asking")
	flags.BoolVar(&o.guest, "guest", false, "show the demo in a browser, and end it with the standard input")
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), usage)
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	data, err := filepath.Abs(o.data) // SQLite reads a relative path as the host of a URI
	if err != nil {
		return o, err
	}
	o.data = data
	return o, errors.Join(o.checkPublic(), o.take(flags.Args()))
}

// checkPublic refuses what would serve phones otherwise than the user means.
func (o *options) checkPublic() error {
	switch {
	case o.public == "" && o.certFile == "" && o.keyFile == "":
		return nil
	case o.command != "serve":
		return errors.New("-public, -cert and -key are of serve")
	case o.public == "" || o.certFile == "" || o.keyFile == "":
		return errors.New("-public, -cert and -key go together: an address, a certificate and its key")
	}
	if _, _, err := net.SplitHostPort(o.public); err != nil {
		return fmt.Errorf("-public %q is not HOST:PORT, such as :8443: %w", o.public, err)
	}
	return nil
}

// dataHome is the data folder when no flag names one.
func dataHome() string { return filepath.Join(xdg.DataHome, "beckon") }

// take reads what follows the flags: one thing to show, and only for the
// window. A link comes from anywhere, so nothing that follows it is a flag.
func (o *options) take(args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case len(args) > 1 || o.command != "window" || !instance.IsTarget(args[0]):
		return fmt.Errorf("%q is not understood; try beckon -help", args[len(args)-1])
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	o.show, err = instance.ParseTarget(args[0], dir)
	return err
}

func run(args []string, stdout io.Writer) error {
	if desktop.Generating {
		return errors.Join(api.WriteMethods(), (&desktop.Window{API: &App{}, Enums: api.Enums()}).Run())
	}
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	switch o.command {
	case "window":
		return window(o, claudeFinder(o.claude), beckon.About{})
	case "serve":
		return serve(o, claudeFinder(o.claude), beckon.About{}, stdout)
	case "demo":
		return runDemo(o, stdout)
	case "mcp":
		ctx, stop := untilSignal()
		defer stop()
		return external.Serve(ctx, o.data, os.Stdin, stdout, os.Stderr)
	case "hook":
		ctx, stop := untilSignal()
		defer stop()
		external.Hook(ctx, o.data, os.Stdin, os.Stdout)
		return nil
	case "hooks":
		return hooksCLI(o, stdout)
	case "shim":
		if slices.Equal(o.words, []string{"tunnel"}) {
			return tunnel.Command(os.Stdin, stdout)
		}
		return keeper.Command(o.words, os.Stdin, os.Stdout, asExecutor())
	case "version":
		_, err := fmt.Fprintln(stdout, strings.Join(strings.Fields("beckon "+version+" "+commit+" "+date), " "))
		return err
	default:
		return fmt.Errorf("there is no command %q; try beckon -help", o.command)
	}
}

// hooksCLI is `beckon hooks`.
func hooksCLI(o options, stdout io.Writer) error {
	command, err := hookCommand(o.data)
	if err != nil {
		return err
	}
	return hooks.CLI{
		In: os.Stdin, Out: stdout, Yes: o.yes, ConfigDir: claude.ConfigDir(os.Environ()), Command: command,
	}.Run(o.action)
}

// hookCommand is what Claude Code is to call as a hook of the Beckon of a data folder.
func hookCommand(data string) (string, error) {
	if data == dataHome() {
		data = ""
	}
	return hooks.OwnCommand(data)
}

// claudeFinder finds the CLI each time, since the user may install it while
// Beckon runs.
func claudeFinder(path string) func() (cli.Options, error) {
	return func() (cli.Options, error) {
		found, err := cli.Find(path)
		if err != nil {
			return cli.Options{}, err // it says what to do
		}
		return cli.Options{Path: found, Supervisor: desktop.Core()}, nil
	}
}

// program is Beckon without a way in: everything joined, nothing shown.
type program struct {
	turn      sync.Mutex // of changes of many cards and of undo
	store     *store.Store
	tether    *supervisor.Tether // that the agents' supervisors have
	feed      *feed.Feed
	board     *board.Board
	runner    *runner.Runner
	comments  *review.Comments
	since     *since.Since
	files     *filefind.Finder
	search    *search.Index
	scripts   *scripts.Scripts
	pulls     *forge.Forge
	update    *update.Watch
	spares    *spares.Keeper
	tools     *toolserver.Server
	executors *executor.Executors
	channels  *channel.Hub
	pushes    desk.Pushes
	outside   *watch.Outside
	questions *question.Desk
	history   *history.History
	devices   desk.Devices
	app       *App
	demo      process.Demo
	hide      func() error // takes away what tells other programs of it
}

// open builds the program and begins its work. sh is what only the way in can
// do.
func open(ctx context.Context, o options, find func() (cli.Options, error), sh *api.Shell) (*program, error) {
	s, err := store.Open(ctx, o.data)
	if err != nil {
		return nil, err
	}
	p := &program{store: s, feed: feed.New(), spares: spares.New(), devices: desk.Devices{Bot: &desk.Bot{}, Page: &desk.Page{}}, hide: func() error { return nil }}
	if p.tether, err = takeTether(ctx, o.data); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	find = tethered(find, p.tether)
	if p.channels, p.pushes, err = openChannels(ctx, s, o.data, p.feed); err != nil {
		return nil, errors.Join(err, p.tether.Close(), s.Close())
	}
	p.questions = question.New(s, p.publishQuestion)
	words, err := textindex.Open(ctx, o.data)
	if err != nil {
		return nil, errors.Join(err, p.closeStore())
	}
	p.search = search.New(s, words, transcript.Dir(o.data))
	if p.tools, err = toolserver.Listen(toolserver.Desk{
		Ask: p.ask, Assume: p.questions.Assume, OnAnswerWritten: func(ctx context.Context, id string) error { return p.runner.OnAnswerWritten(ctx, id) },
		OnUndelivered: func(q beckon.Question) { p.runner.DeliverAnswer(q, false) }, BeginExternalRun: p.beginExternalRun,
		OnHook: func(ctx context.Context, c toolserver.HookCall) json.RawMessage {
			return p.outside.OnHook(ctx, relay.HookCall(c))
		},
	}); err != nil {
		return nil, errors.Join(err, p.search.Close(), p.closeStore())
	}
	p.outside = watch.New(p.watching(o.data))
	p.history = &history.History{Store: s, Dir: transcript.Dir(o.data), Outside: p.outside}
	p.scripts, p.pulls, p.update = scripts.New(p.scripting(o.data)), forge.New(p.forging(o.data)), p.updates(o)
	p.board = board.New(board.Config{
		Store: s, Publish: p.publish, DataDir: o.data, Withdraw: p.questions.WithdrawTask, Pause: p.questions.PauseAll, RemoveLogs: p.history.Remove,
		Prepare: p.prepare, Clear: func(id string) { p.scripts.Clear(id); p.executors.Forget(id) }, CheckPassed: p.scripts.Passed,
	})
	p.executors = executor.New(p.executing(o.data))
	p.runner = runner.New(runner.Config{
		Store: s, Desk: p.questions, Cards: cards{p.board, p.executors}, Publish: p.publish, Watched: p.feed.Watched, Written: p.search.OnWritten,
		DataDir: o.data, Claude: find, GrantTools: p.grantTools, SystemPrompt: toolserver.SystemPrompt(),
		Executors: p.executors, Elsewhere: func(run beckon.Run) error { return p.outside.Elsewhere(run) },
	})
	p.outside.TakeOver(p.runner, p.board.CreateTask, p.publish)
	p.board.Join(p.runner)
	p.history.Live = p.runner
	p.since = since.New(p.showing())
	p.comments = review.New(p.reviewing())
	p.files = filefind.New()
	p.app = &App{api.New(ctx, p.parts(o, find, sh))}
	if err := p.begin(ctx, o.data); err != nil {
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
	if o.demo {
		p.outside.Close() // the demo shows nothing of the machine
	}
	p.outside.Follow()
	hide, err := external.Announce(o.data, p.tools.Endpoint())
	if err != nil {
		return nil, errors.Join(err, p.close())
	}
	p.hide = hide
	return p, nil
}

// parts are what the page's methods call.
func (p *program) parts(o options, find func() (cli.Options, error), sh *api.Shell) api.Parts {
	s := p.store
	return api.Parts{
		Board: p.board, Bulk: &bulk.Cards{Board: p.board, Task: s.Task, Project: s.Project, Hold: p.runner.Hold, Turn: &p.turn},
		Undo:  &undo.Undo{Log: s.Undo, Board: p.board, Task: s.Task, Turn: &p.turn},
		Views: &views.Views{Kept: s.Views, Publish: p.publish}, Comments: p.comments, Since: p.since, Runner: p.runner, History: p.history,
		Files: p.files, Images: attachment.Images{Store: s}, Questions: p.questions, Answer: p.answer, Outside: p.outside,
		Channels: p.channels, Devices: p.devices, Feed: p.feed, Search: p.search, Scripts: p.scripts, Pulls: p.pulls,
		Update: p.update, Build: release.Build{Commit: commit, Date: date}, Conflict: p.conflicts(), Lost: p.lostWork(),
		Export: &export.Exporter{Store: s, Logs: transcript.Dir(o.data), Folders: []string{xdg.UserDirs.Download, xdg.Home, o.data}},
		Demo:   &p.demo, Usage: p.meter(o.data), Executors: p.executors, Claude: find, Shell: sh,
	}
}

// publishQuestion tells of what became of a question, the agent's run first.
func (p *program) publishQuestion(e beckon.Event) {
	p.feed.Publish(e)
	p.runner.OnEvent(e)
	p.channels.OnEvent(e)
	if e.Question != nil {
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
	if e.Settings != nil {
		go p.outside.Follow()
	}
}

// ask puts what an agent asks over MCP to the desk, under the name of the
// sub-agent that does.
func (p *program) ask(ctx context.Context, q beckon.Question) (beckon.Question, error) {
	if q.Agent == "" {
		q.Agent = p.runner.Asker(ctx, q.TaskID, q.ToolUseID)
	}
	return p.questions.Ask(ctx, q)
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

// begin goes on with what was under way when Beckon ended.
func (p *program) begin(ctx context.Context, data string) error {
	if err := workdir.ClearScratch(data); err != nil {
		slog.Warn("remove what a Beckon that was killed left", "err", err)
	}
	if err := errors.Join(p.board.Start(ctx), p.scripts.Start(ctx)); err != nil {
		return err
	}
	p.pulls.Start()
	p.update.Start()
	p.since.Start()
	projects, err := p.store.Projects(ctx)
	if err != nil {
		return err
	}
	p.spares.Start(func(one beckon.Project) spares.Repo { return p.board.Kept(one) }, projects)
	if err := p.runner.Open(ctx); err != nil {
		return err
	}
	p.executors.Open(ctx)
	return p.comments.Open(ctx)
}

// scripting is what runs the commands of projects in worktrees, which are the board's.
func (p *program) scripting(data string) scripts.Config {
	return scripts.Config{
		Rows: p.store.Scripts, Publish: p.publish, Dir: filepath.Join(data, "scripts"), Task: p.store.Task, Project: p.store.Project, Supervisor: desktop.Core(),
		Tree: func(t beckon.Task, project beckon.Project) scripts.Tree { return p.board.Tree(t, project) },
		Content: func(ctx context.Context, t beckon.Task, project beckon.Project) (string, error) {
			return p.board.Kept(project).BranchOf(t).Content(ctx)
		},
		Held: func(taskID string) error { return p.runner.Held(taskID) },
	}
}

// updates is what asks for newer versions.
func (p *program) updates(o options) *update.Watch {
	return update.New(update.Config{
		Version: version, Repository: update.ReleasesAt(repository, o.demo), Publish: p.publish,
		Settings: p.store.Settings, Kept: p.store.Release, Keep: p.store.SaveRelease,
		Installed: update.Installed(),
	})
}

// watching joins the sessions that run elsewhere to what they need.
func (p *program) watching(data string) watch.Config {
	return watch.Config{
		Store: p.store, Feed: p.feed, Desk: p.questions, DataDir: data, HookCommand: func() (string, error) { return hookCommand(data) },
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
func (p *program) phones(o options) desk.Serving {
	assets, err := fs.Sub(page(), "phone")
	if err != nil {
		panic(err) // the name is right
	}
	return desk.Serving{Push: p.pushes, Assets: assets, Public: o.public, Certificate: o.certificate}
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
	p.files.Close()
	p.outside.Close()
	p.comments.Close()
	p.pulls.Close()
	p.update.Close()
	ended := p.runner.Close(ctx)
	p.executors.Close()
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

// agentsEndIn is how long the agents of a Beckon that died may take to be gone; their
// supervisors give up after ten seconds.
const agentsEndIn = 12 * time.Second

// takeTether waits until nothing is left of the agents of a Beckon that died: what they
// still write down of their sessions must not come after it was looked for.
func takeTether(ctx context.Context, data string) (*supervisor.Tether, error) {
	t, err := supervisor.NewTether(filepath.Join(data, "agents.lock"))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, agentsEndIn)
	defer cancel()
	if err := t.Take(ctx); err != nil {
		slog.Error("wait for the end of earlier agents", "err", err)
	}
	return t, nil
}

// tethered has the supervisor of each CLI that is found hold t.
func tethered(find func() (cli.Options, error), t *supervisor.Tether) func() (cli.Options, error) {
	return func() (cli.Options, error) {
		o, err := find()
		o.Tether = t
		return o, err
	}
}

// page returns the built frontend.
func page() fs.FS {
	sub, err := fs.Sub(dist, "frontend/dist")
	if err != nil {
		panic(err) // the folder is compiled in
	}
	return sub
}

// serve runs Beckon for a browser, until it gets a signal to end.
func serve(o options, find func() (cli.Options, error), about beckon.About, stdout io.Writer) error {
	ctx, stop := untilSignal()
	defer stop()
	if o.guest {
		ctx = process.UntilClosed(ctx, os.Stdin)
	}
	about.Version = version
	if o.public != "" {
		var err error
		if o.certificate, err = door.LoadCertificate(o.certFile, o.keyFile); err != nil {
			return err
		}
	}
	inBrowser := func(what string) error {
		return fmt.Errorf("%s in the window only: %w", what, beckon.ErrUnavailable)
	}
	p, err := open(context.WithoutCancel(ctx), o, find, &api.Shell{
		About:        func() beckon.About { return about },
		ChooseFolder: func() (string, error) { return "", inBrowser("folders are chosen") },
		OpenURL:      func(string) error { return inBrowser("pages are opened by Beckon") },
		ShowFolder:   func(string) error { return inBrowser("folders are shown") },
		Programs:     openin.Machine{},
		Events:       func() []pagecall.Call { return []pagecall.Call{} },
		Quit:         func(beckon.QuitChoice) error { return inBrowser("Beckon is quit") },
	})
	if err != nil {
		return err
	}
	server, err := web.New(web.Config{Methods: api.Methods(p.app.API), Feed: p.feed, Assets: page(), Log: slog.Default()})
	if err == nil {
		err = server.Listen(o.addr)
	}
	if err != nil {
		return errors.Join(err, p.close())
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve() }()
	err = tellLinks(ctx, stdout, server, p.tools.URL(), ended)
	closing, cancel := context.WithTimeout(context.Background(), closeIn)
	defer cancel()
	return errors.Join(err, server.Close(closing), p.close())
}

// tellLinks prints a link, and another at each request: a link works once and
// not for long, sessions expire, and a start for a new one would end the
// agents. It returns when ctx ends or the server does.
func tellLinks(ctx context.Context, stdout io.Writer, server *web.Server, mcp string, ended <-chan error) error {
	requests := make(chan os.Signal, 1)
	desktop.OnLinkRequest(requests)
	defer signal.Stop(requests)
	for out, url := json.NewEncoder(stdout), server.URL(); ; url = server.NewURL() {
		if err := out.Encode(map[string]string{"url": url, "mcp": mcp}); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case err := <-ended:
			return err
		case <-requests:
		}
	}
}

// untilSignal returns a context that ends at the first request to stop. A
// second one ends the program at once.
func untilSignal() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, desktop.EndSignals...)
	go func() {
		<-signals
		cancel()
		<-signals
		os.Exit(desktop.Interrupted)
	}()
	return ctx, cancel
}

// runDemo shows Beckon with a throw-away data folder, a sample project and the
// scripted agent; in a browser where there is no display.
func runDemo(o options, stdout io.Writer) error {
	shown := desktop.HasDisplay() && !o.guest
	if shown && desktop.Windowless {
		return desktop.ExecWindow()
	}
	dir, err := os.MkdirTemp("", process.Folder(os.Getpid()))
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
	o.data, o.demo = filepath.Join(dir, "data"), true
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
func seedDemo(o options, stage demo.Stage) error {
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
