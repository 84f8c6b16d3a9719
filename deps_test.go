package main

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// imports is the whole import graph of the backend. A new arrow is a design
// decision: add it here, in the same change, and say why in the commit.
var imports = map[string][]string{
	// program joins them all.
	"program": {"api", "assets", "beckon", "beckon/comment", "beckon/executing", "beckon/merging", "beckon/pagecall", "beckon/release", "beckon/site", "board", "bulk", "channel", "channel/desk", "channel/phone/door", "channel/phone/push", "channel/phone/push/vapid", "channel/secrets", "channel/webhook", "claude/cli", "claude/scripted", "claude/supervisor", "demo", "demo/process", "desktop", "desktop/instance", "desktop/openin", "desktop/status", "desktop/system", "disk/room", "executor", "executor/container", "executor/kube", "executor/remote", "executor/shim", "executor/slurm", "executor/ssh", "executor/worker", "executor/workspace", "export", "external", "external/hooks", "feed", "filefind", "forge", "git", "git/workdir", "history", "language", "observe/relay", "observe/watch", "question", "review", "review/conflict", "review/lost", "review/since", "runner", "runner/attachment", "scripts", "search", "spares", "store", "store/datadir", "store/executors", "store/intent", "store/textindex", "toolserver", "transcript", "undo", "update", "views", "web"},
	// api calls whatever decides what the page asks for.
	"api":    {"beckon", "beckon/change", "beckon/comment", "beckon/diskuse", "beckon/executing", "beckon/found", "beckon/merging", "beckon/pagecall", "beckon/problem", "beckon/pull", "beckon/release", "beckon/remote", "beckon/reviewing", "beckon/savedview", "beckon/script", "board", "bulk", "channel", "channel/desk", "claude", "claude/cli", "demo/guest", "demo/process", "desktop/openin", "disk/room", "executor", "export", "external/hooks", "feed", "filefind", "forge", "git", "history", "nearby", "observe/watch", "question", "review", "review/conflict", "review/lost", "review/since", "runner", "runner/attachment", "scripts", "search", "store/undolog", "undo", "update", "views"},
	"beckon": {"beckon/comment", "beckon/executing", "beckon/looks", "beckon/merging", "beckon/problem", "beckon/pull", "beckon/release", "beckon/remote", "beckon/savedview", "beckon/script"},
	// looks has the words for how the page looks.
	"beckon/looks": {},
	// comment has the words for comments on lines of changes.
	"beckon/comment": {},
	// executing has the words for where runs execute.
	"beckon/executing": {},
	// site has the words for where an agent works, and what it leaves.
	"beckon/site": {"beckon"},
	// change has the words for what is changed on cards, and taken back.
	"beckon/change": {"beckon"},
	// merging has the words for taking a branch into its base; git and the board share them.
	"beckon/merging": {},
	// pagecall has the words for what the desktop asks of the page.
	"beckon/pagecall": {},
	// problem has names for errors; like beckon it is words, and no work.
	"beckon/problem": {},
	// pull has the words for pull requests.
	"beckon/pull": {},
	// release has the words for newer versions.
	"beckon/release": {},
	// remote has the words for what leaves this computer.
	"beckon/remote": {},
	// urgency has the one order of what waits, for the tray and phones.
	"beckon/urgency": {"beckon"},
	// reviewing has the words for how changes are looked at.
	"beckon/reviewing": {},
	// script has the words for the commands that run in worktrees.
	"beckon/script": {},
	// found has the words for what a search asks for and finds.
	"beckon/found": {"beckon"},
	// savedview has the words for how a board is looked at.
	"beckon/savedview": {},
	// answer says an answer as agents read it, and as the CLI writes it down; MCP and
	// the protocol both pass it on.
	"answer": {"beckon"},
	// plain makes what others wrote fit to be shown; it is text and nothing else.
	"plain":    {},
	"loopback": {"beckon"},
	// assets are the files of the page, and of the phones' page.
	"assets": {},
	// loopbacktest holds the attacks that both servers must withstand.
	"loopback/loopbacktest": {},
	"git":                   {"beckon", "beckon/merging", "beckon/problem", "beckon/reviewing", "git/branchname", "git/command", "git/diff", "git/filelist", "git/inspect", "git/inuse", "git/look", "git/merge", "git/ready", "git/spare", "git/trash", "git/workdir", "git/worktree", "plain"},
	// killing ends processes of tests.
	"git/killing": {},
	// branchname is of strings alone.
	"git/branchname": {},
	// inuse looks at processes, trash keeps refs and files: neither knows of tasks.
	"git/inuse":    {},
	"git/trash":    {"beckon", "git/command"},
	"git/filelist": {"git/command"},
	// spare looks at worktrees as those who remove them do.
	"git/spare": {"beckon", "git/command", "git/inuse", "git/look", "git/workdir", "git/worktree"},
	// command runs git; look reads what nobody trusts yet, without git.
	"git/command": {"beckon", "beckon/problem"},
	"git/look":    {},
	"git/inspect": {"beckon", "beckon/problem", "git/command", "git/look", "git/worktree"},
	"git/diff":    {"beckon", "git/command"},
	// remote shows what a server said of a push.
	"git/remote":   {"beckon", "beckon/problem", "git/command", "mask", "plain"},
	"git/workdir":  {"beckon", "git/command", "git/look"},
	"git/worktree": {"beckon", "git/command", "git/look"},
	// A merge is planned from how the worktree stands, and lists what would
	// be in the way.
	// ready makes a new worktree ready for its first run.
	"git/ready": {"beckon", "beckon/problem", "git/command"},
	"git/merge": {"beckon", "beckon/merging", "beckon/problem", "git/command", "git/diff", "git/look", "git/workdir", "git/worktree"},
	"store":     {"beckon", "beckon/executing", "beckon/merging", "beckon/problem", "plain", "store/ability", "store/commented", "store/database", "store/datadir", "store/device", "store/draft", "store/executors", "store/intent", "store/once", "store/paired", "store/pulled", "store/queue", "store/runlist", "store/saved", "store/scriptrun", "store/setting", "store/table", "store/told", "store/turnlog", "store/undolog", "store/viewed"},
	// database is SQLite without Beckon's tables, table how a struct is a row.
	"store/database": {"beckon"},
	"store/table":    {"beckon"},
	// ability, device, once, paired, saved, setting and told are tables of their own.
	"store/ability": {"beckon", "store/table"},
	// commented marks comments in the transaction that adds the message that takes them.
	"store/commented": {"beckon", "beckon/comment", "beckon/problem", "store/table"},
	"store/draft":     {"store/table"},
	"store/executors": {"beckon/executing", "store/table"},
	"store/device":    {"beckon", "beckon/remote", "store/table"},
	"store/intent":    {"store/table"},
	"store/runlist":   {"beckon"},
	"store/viewed":    {"store/table"},
	// queue says in SQL which task starts next.
	"store/queue":     {"beckon", "beckon/executing", "beckon/problem", "store/table"},
	"store/once":      {"beckon", "store/table"},
	"store/paired":    {"beckon", "beckon/remote", "store/table"},
	"store/pulled":    {"beckon", "beckon/pull", "store/table"},
	"store/saved":     {"beckon", "beckon/savedview", "store/table"},
	"store/scriptrun": {"beckon", "beckon/script", "store/table"},
	"store/setting":   {"beckon", "beckon/release", "beckon/remote", "store/table"},
	"store/told":      {"beckon", "beckon/remote", "store/table"},
	"store/turnlog":   {"beckon", "store/table"},
	// undolog writes what a change was in the transaction of the change.
	"store/undolog": {"beckon", "beckon/change", "beckon/problem", "store/table"},
	// datadir is what lies beside the database, such as the images of messages.
	"store/datadir": {"beckon", "beckon/problem", "disk", "plain"},
	// textindex is a database of its own, which can be made again.
	"store/textindex": {"beckon", "store/database"},
	"feed":            {"beckon"},
	// What the desktop asks of the page, and shows of Beckon, is in its words.
	"desktop": {"beckon", "beckon/pagecall", "beckon/problem", "desktop/webview", "disk"},
	// status joins what Beckon's events mean to the tray and to notifications.
	"desktop/status": {"beckon", "beckon/executing", "beckon/urgency", "desktop/notify", "desktop/tray", "language", "plain"},
	// language finds the messages for what is shown outside the page.
	"language":       {},
	"desktop/tray":   {"desktop/bus"},
	"desktop/notify": {"desktop/bus"},
	// bus finds the session's D-Bus.
	"desktop/bus": {},
	// hotkey, autostart and screen are one thing each that systems do differently.
	"desktop/hotkey":    {},
	"desktop/autostart": {"disk"},
	"desktop/screen":    {"desktop/bus"},
	// system has all three do what the settings say.
	"desktop/system": {"beckon", "desktop", "desktop/autostart", "desktop/hotkey", "desktop/screen", "feed"},
	// webview closes what Wails leaves open; it knows nothing of Beckon.
	"desktop/webview": {},
	// instance finds the window that is open already.
	// openin starts programs by their names.
	"desktop/openin":   {"beckon", "beckon/problem"},
	"desktop/instance": {"challenge", "disk"},
	"beckon/diskuse":   {},
	// room counts what is in folders that program names.
	"disk/room": {"beckon", "beckon/diskuse"},
	// disk replaces files as a whole, and tells whose they are.
	"disk": {},
	// supervisor ends an agent's descendants; it is the agent's parent process.
	"claude/supervisor": {},
	// What the CLI is configured by is a file.
	"claude": {"beckon", "claude/lenient", "claude/sign", "disk", "plain"},
	// sign finds fields in lines that are not decoded.
	"claude/sign": {},
	// lenient decodes JSON and knows no field; the files of sessions are read with it, too.
	"claude/lenient": {},
	// cli runs it; those who only read its lines need no process.
	"claude/cli": {"beckon", "beckon/executing", "claude", "claude/lines", "claude/supervisor", "tail"},
	// lines cuts stdout and session files alike.
	"claude/lines": {"claude"},
	// The scripted agent's record is where the CLI's would be.
	"claude/scripted": {"claude", "claude/cli", "claude/sessionfile"},
	// sessionfile has the words of the files that the CLI leaves; it opens none.
	"claude/sessionfile": {"claude", "claude/lenient", "plain"},
	// observe follows sessions that Beckon did not start.
	"observe": {"claude", "claude/lines", "claude/sessionfile", "observe/files", "observe/process", "plain", "transcript/shorten"},
	// Files and processes are followed that are this user's only.
	"observe/files": {"disk"},
	// The supervisor's mark is how sessions that Beckon did start are known.
	"observe/process": {"claude/supervisor", "disk"},
	// linediff draws what an edit did in a transcript, and what it would do in a
	// permission, so that both look alike.
	"linediff":   {},
	"transcript": {"beckon", "claude", "claude/lenient", "linediff", "transcript/runlog", "transcript/shorten"},
	// runlog is the log on disk; what its lines say is transcript's business. Of huge ones
	// it reads what is shown.
	"transcript/runlog": {"beckon", "transcript/shorten"},
	// shorten cuts the long strings of huge lines.
	"transcript/shorten": {},
	"question":           {"answer", "beckon", "beckon/problem", "plain", "store", "question/clean", "question/form"},
	// clean cuts texts, and spells out what they hide.
	"question/clean": {"beckon", "plain"},
	// form holds an answer to the schema of an elicitation.
	"question/form": {"beckon"},
	// challenge is how one process of the user knows another: the window, and those
	// that external carries calls for.
	"challenge": {},
	// shim is at both ends of a link to another machine; what the lines say is others'.
	"executor/shim":       {"claude/supervisor", "executor/shim/frame", "executor/shim/spool", "tail"},
	"executor/shim/frame": {},
	"executor/shim/spool": {},
	// keeper has a batch system's job keep a shim.
	"executor/shim/keeper": {"executor/shim"},
	// tail keeps text and knows nothing of it.
	"tail": {},
	// calls has the words of what another machine is asked for beside agents.
	"executor/calls": {},
	// worker has the words for where a task's work is; each way to reach one is beside it.
	"executor/worker": {"beckon", "beckon/executing", "executor/calls", "executor/shim", "plain"},
	// askpass carries what ssh asks to the user; it starts no ssh.
	"executor/askpass": {"beckon", "beckon/executing", "plain"},
	// helper puts Beckon's program where a command can be run, whatever runs it.
	"executor/helper": {"executor/shim", "executor/worker", "tail"},
	// ssh reaches a machine, whatever is to be done there.
	"executor/ssh": {"beckon/executing", "claude/supervisor", "executor/askpass", "executor/helper", "executor/worker", "plain", "tail"},
	// container has a container for each task, by another program's doing.
	"executor/container": {"beckon/executing", "executor/calls", "executor/helper", "executor/tunnel", "executor/worker"},
	// tunnel knows hosts and bytes.
	"executor/tunnel": {},
	// slurm has agents run in jobs, wherever sbatch is.
	"executor/slurm": {"beckon/executing", "executor/calls", "executor/helper", "executor/shim", "executor/worker"},
	// kube reaches pods, whatever is to be done there.
	"executor/kube": {"beckon", "beckon/executing", "executor/calls", "executor/helper", "executor/worker", "plain"},
	// remote makes an agent elsewhere a process here.
	"executor/remote": {"claude/cli", "claude/supervisor", "executor/shim"},
	// transfer moves a task's work over a link; workspace is the other end.
	"executor/transfer":  {"beckon", "beckon/problem", "executor/calls", "executor/worker", "git/command", "git/mirror"},
	"executor/workspace": {"beckon/executing", "claude/supervisor", "executor/calls", "executor/shim", "git/command", "git/mirror", "tail"},
	// executor joins them to the rows of executors; program joins it to the runner, ssh and remote.
	"executor":   {"beckon", "beckon/executing", "beckon/problem", "claude/cli", "disk", "executor/calls", "executor/shim", "executor/transfer", "executor/worker", "store/executors"},
	"toolserver": {"answer", "beckon", "loopback", "challenge", "toolserver/peer"},
	// peer looks at processes; it knows no request's meaning.
	"toolserver/peer": {},
	// external offers the tools that toolserver carries out. The hook knows
	// Beckon's own agents by the supervisor's mark.
	"external": {"claude/supervisor", "disk", "toolserver", "toolserver/peer"},
	// hooks edits the user's settings of Claude Code, and shows how.
	"external/hooks": {"beckon", "disk", "linediff"},
	"web":            {"assets", "beckon", "beckon/problem", "feed", "loopback"},
	// channel tells of questions away from the desk; program joins the senders to it.
	"channel": {"beckon", "beckon/problem", "beckon/remote", "channel/outbox", "channel/secrets", "language", "mask", "plain", "store", "store/told"},
	// desk joins phones and chats to the board, the runner and the store. How questions
	// are settled, and where they were asked, it gets as functions.
	"channel/desk": {"beckon", "beckon/problem", "beckon/remote", "beckon/urgency", "board", "channel", "channel/pairing", "channel/phone", "channel/phone/door", "channel/phone/push", "channel/phone/view", "channel/refusal", "channel/telegram", "channel/telegram/service", "channel/telegram/view", "mask", "plain", "runner", "store", "store/once", "store/paired"},
	// outbox sends what is due, whatever that is.
	"channel/outbox": {},
	// secrets looks for the session's bus, on which Linux has its key ring.
	"channel/secrets": {"beckon", "desktop/bus", "disk"},
	"channel/webhook": {"beckon", "beckon/problem", "beckon/remote", "channel", "channel/egress", "plain"},
	// push is a sender of channel's, and looks up whose browser takes messages.
	"channel/phone/push": {"beckon", "beckon/remote", "channel", "channel/egress", "channel/phone/push/vapid", "plain", "store/device"},
	// vapid keeps one key as a secret and one in the database.
	"channel/phone/push/vapid": {"beckon", "channel/secrets", "store/setting"},
	// pushtest plays a push service for tests.
	"channel/phone/push/pushtest": {},
	// update is a request too, to an address that is the build's.
	"update": {"beckon", "beckon/release", "channel/egress"},
	// egress makes requests to addresses that others named.
	"channel/egress": {},
	// search reads the logs on its own; what it finds needs no agent.
	"search": {"beckon", "beckon/found", "store", "store/textindex", "transcript"},
	// export folds a run's log on its own, as search does.
	"export": {"answer", "beckon", "mask", "store", "transcript"},
	// mask knows secrets by their looks, in all that leaves Beckon.
	"mask": {},
	// demo makes a sample repository, which is git's to do.
	"demo": {"beckon", "git"},
	// process runs this program again, as a demo.
	"demo/process": {"beckon", "beckon/problem", "demo/guest", "desktop"},
	// guest passes calls on to the demo's process, whatever they are.
	"demo/guest": {"beckon", "beckon/problem"},
	// board and runner are joined in program: neither imports the other.
	"board": {"beckon", "beckon/change", "beckon/merging", "beckon/problem", "beckon/reviewing", "beckon/site", "board/begun", "board/check", "board/folder", "board/kept", "board/setback", "board/trouble", "claude", "git", "nearby", "store", "store/undolog"},
	// begun asks git whether it did what the store says that it was about to do.
	"board/begun": {"beckon", "beckon/change", "beckon/merging", "beckon/problem", "store/intent", "store/undolog"},
	// folder makes the folders that tasks work in.
	"board/folder":  {"beckon", "beckon/site", "claude", "git/branchname", "git/filelist", "git/worktree"},
	"board/kept":    {"beckon", "board/check", "store"},
	"board/setback": {"beckon", "beckon/site"},
	"board/trouble": {"beckon"},
	// forge opens pull requests through the user's git, gh and glab; it is joined to the
	// board in program.
	"forge": {"beckon", "beckon/merging", "beckon/problem", "beckon/pull", "git/command", "git/remote", "store/pulled"},
	// scripts runs a project's commands in worktrees, each below a supervisor.
	"scripts": {"beckon", "beckon/problem", "beckon/script", "claude/supervisor", "store/scriptrun"},
	// spares has git keep worktrees ready, which program joins to it.
	"spares": {"beckon"},
	// undo and bulk are joined to the board in program; undo reads the log.
	"undo": {"beckon", "beckon/change", "beckon/problem", "store/undolog"},
	"bulk": {"beckon", "beckon/change", "beckon/problem", "board/check", "store/undolog"},
	// review is joined to the board, the runner and the history in program.
	"review": {"beckon", "beckon/comment", "beckon/problem", "beckon/reviewing", "plain", "review/picture", "store/commented"},
	// picture looks at bytes and knows nothing of tasks.
	"review/picture": {"beckon/reviewing"},
	// since shows what turns and commits changed; treelog keeps what no commit has. It is
	// joined to the board in program.
	"review/since": {"beckon", "beckon/problem", "beckon/reviewing", "git", "git/diff", "git/treelog", "git/workdir", "store/turnlog"},
	// mirror makes two worktrees the same, wherever they are.
	"git/mirror":  {"git/command", "git/diff", "git/workdir"},
	"git/treelog": {"beckon", "beckon/reviewing", "git/command"},
	// conflict shows where a branch and its base do not go together, and is joined to the
	// board in program.
	"review/conflict": {"beckon", "beckon/merging", "beckon/problem", "git/command", "git/merge", "git/worktree"},
	// lost looks for discarded work that is gone, and is joined to git in program.
	"review/lost": {"beckon"},
	// views keeps what the page shows; it filters nothing.
	"views":       {"beckon", "beckon/problem", "beckon/savedview", "store/saved"},
	"board/check": {"beckon", "beckon/merging", "beckon/problem", "beckon/script", "claude"},
	"runner":      {"beckon", "beckon/problem", "beckon/site", "claude", "claude/cli", "question", "runner/attachment", "runner/background", "runner/diskspace", "runner/group", "runner/outbox", "runner/request", "runner/subagent", "runner/usage", "runner/view", "store", "transcript"},
	// history reads live runs through an interface.
	"history":  {"beckon", "store", "transcript"},
	"filefind": {"beckon"},
	// nearby reads what nobody trusts, as git/inspect does, and shows it on one line.
	"nearby": {"beckon", "beckon/problem", "disk", "git/look", "plain"},
	// dialog answers through any terminal; which sessions there are is observe's.
	// What it types is compared to what the CLI writes down of it.
	"observe/dialog": {"answer", "beckon", "beckon/problem"},
	"observe/tmux":   {"disk", "observe/dialog", "observe/process"},
	// relay joins what the watcher sees, the hook and the desk.
	"observe/relay": {"beckon", "beckon/problem", "claude", "claude/sessionfile", "observe", "observe/dialog", "observe/relay/call", "question"},
	// call words what is asked and answered as for Beckon's own agents.
	"observe/relay/call": {"answer", "beckon", "claude", "claude/sessionfile", "runner/request"},
	// mirror writes transcripts as a run does.
	"observe/mirror": {"beckon", "claude/sessionfile", "observe", "runner/view", "transcript"},
	// past looks for what ended, by the same files and processes.
	"observe/past": {"claude", "claude/sessionfile", "disk", "observe", "observe/files", "observe/process"},
	// standing joins the desk's standing answers to what relay says of sessions, in
	// watch.
	"observe/standing": {"beckon", "observe/place"},
	// takeover makes a session a task's chat; board, runner, mirror and past are
	// joined to it in watch.
	"observe/takeover": {"beckon", "beckon/problem", "observe", "observe/place", "transcript"},
	// watch joins all of observe to the desk, the store and the feed.
	"observe/watch": {"beckon", "claude", "claude/sessionfile", "external/hooks", "feed", "git/look", "observe", "observe/dialog", "observe/mirror", "observe/past", "observe/relay", "observe/standing", "observe/takeover", "observe/tmux", "question", "runner/view", "store", "transcript"},
	// place says which project a session is in.
	"observe/place":     {"beckon"},
	"runner/attachment": {"beckon", "plain"},
	"runner/diskspace":  {"beckon", "store"},
	// background follows the jobs that an agent left; they come as claude's lines.
	"runner/background": {"beckon", "claude"},
	// request has what claude asks for and what it is answered, without a run.
	"runner/request": {"answer", "beckon", "claude", "linediff", "plain"},
	// group waits for goroutines.
	"runner/group":    {},
	"runner/subagent": {"beckon", "claude"},
	"runner/usage":    {"beckon", "claude"},
	// outbox has the messages, which are rows, and looks for what an agent heard.
	"runner/outbox": {"beckon", "beckon/problem", "claude", "runner/attachment", "runner/request", "store", "transcript"},
	// runnertest joins what the tests of its parts need, as program does.
	"runner/runnertest": {"beckon", "board", "claude/cli", "claude/scripted", "git", "history", "question", "runner", "store", "toolserver", "transcript"},
	// pairing knows neither phones nor chats.
	"channel/pairing": {"beckon"},
	// rights says what may be answered away from the desk, masked what is read of it
	// there, both whatever the way.
	"channel/rights": {"beckon", "beckon/remote"},
	"channel/masked": {"beckon"},
	// refusal counts, whatever was refused.
	"channel/refusal": {},
	// telegram is a client of channel/desk, which it knows by an interface.
	"channel/telegram": {"beckon", "beckon/remote", "channel/outbox", "channel/rights", "channel/telegram/api", "channel/telegram/text", "channel/telegram/view", "store/paired"},
	// service joins the bot to the database.
	"channel/telegram/service": {"beckon", "beckon/remote", "channel/pairing", "channel/refusal", "channel/telegram", "store/paired", "store/told"},
	// api calls the service; text composes what is sent; view shows questions.
	"channel/telegram/api":  {"channel/telegram/text"},
	"channel/telegram/text": {"plain"},
	"channel/telegram/view": {"beckon", "channel/masked", "channel/telegram/text"},
	// phone is a client of channel/desk, which it knows by an interface. It keeps the
	// rows of phones itself: each request asks them.
	"channel/phone": {"assets", "beckon", "beckon/problem", "beckon/remote", "channel/pairing", "channel/phone/door", "channel/phone/view", "loopback", "plain", "store/device"},
	// door is how phones come in; view is what they are shown.
	"channel/phone/door": {"beckon", "beckon/problem", "loopback"},
	"channel/phone/view": {"beckon", "beckon/urgency", "channel/masked", "channel/rights", "plain", "store/device"},
	// telegramtest plays the Bot API for tests.
	"channel/telegram/telegramtest": {},
	// view is what clients follow of a live run's transcript.
	"runner/view": {"beckon", "claude", "transcript"},
}

// mayUseWails: everything else works without a window. Notifications are
// Wails' on Windows and macOS.
var mayUseWails = []string{"desktop", "desktop/notify"}

// fixtures are for tests alone, so that nothing that ships imports them. They may
// import what they join.
var fixtures = []string{"channel/phone/push/pushtest", "channel/telegram/telegramtest", "git/killing", "loopback/loopbacktest", "runner/runnertest"}

// joiners are packages whose work is to join others, so that they import many of them and
// stand above them. Only the packages named here may import one.
var joiners = map[string][]string{
	"api": {"program"}, "channel/desk": {"api", "program"}, "observe/watch": {"api", "program"}, "program": {},
}

type listed struct {
	ImportPath, Doc string
	Imports         []string
}

func packages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,Doc", "./backend/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

func TestImportsGoDownwards(t *testing.T) {
	const prefix = "beckon/backend/"
	all := packages(t)
	if len(all) < len(imports) {
		t.Errorf("%d packages are listed, %d are drawn", len(all), len(imports))
	}
	for _, p := range all {
		name := strings.TrimPrefix(p.ImportPath, prefix)
		allowed, drawn := imports[name]
		if !drawn {
			t.Errorf("package %s is not in the import graph", name)
		}
		ours := 0
		for _, imp := range p.Imports {
			if strings.HasPrefix(imp, "github.com/wailsapp/") && !slices.Contains(mayUseWails, name) {
				t.Errorf("%s imports Wails", name)
			}
			if dep, ok := strings.CutPrefix(imp, prefix); ok {
				// What is below a package are its own parts; problem and remote belong to beckon.
				if !strings.HasPrefix(dep, name+"/") && !strings.HasPrefix(dep, "beckon/") {
					ours++
				}
				if by, joins := joiners[dep]; joins && !slices.Contains(by, name) {
					t.Errorf("%s imports %s, which joins packages", name, dep)
				}
				if !slices.Contains(allowed, dep) || slices.Contains(fixtures, dep) {
					t.Errorf("%s may not import %s", name, dep)
				}
			}
		}
		if _, joins := joiners[name]; ours > 6 && !joins && !slices.Contains(fixtures, name) {
			t.Errorf("%s imports %d of our packages, more than 6", name, ours)
		}
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	for _, p := range packages(t) {
		if len(p.Doc) < 40 {
			t.Errorf("package %s has no doc comment worth the name: %q", p.ImportPath, p.Doc)
		}
	}
}

// TestDepth holds the longest chain of imports below program to four arrows
// between packages that do something; beckon, with problem and remote, is only words.
func TestDepth(t *testing.T) {
	var depth func(name string) int
	depth = func(name string) int {
		deepest := 0
		for _, dep := range imports[name] {
			if dep != "beckon" && !strings.HasPrefix(dep, "beckon/") {
				deepest = max(deepest, 1+depth(dep))
			}
		}
		return deepest
	}
	for name := range imports {
		if _, joins := joiners[name]; !joins && depth(name) > 4 && !slices.Contains(fixtures, name) {
			t.Errorf("%s stands %d arrows above the ground", name, depth(name))
		}
	}
}
