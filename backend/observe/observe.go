// Package observe finds the Claude Code sessions of this machine that Beckon did
// not start, follows what they write down, and says what each does and waits for.
// It reads and never writes; nothing is polled while no session lives; what it
// reads is other programs' and is believed only as far as it was checked. It knows
// nothing of tasks and of the page, and answers nothing.
package observe

import (
	"encoding/json"
	"log/slog"
	"time"

	"beckon/backend/agent/claude/sessionfile"
)

// Session is one process of the CLI, from its start to a day after its end.
type Session struct {
	// ID stays while the process lives; SessionID changes with /clear and
	// --resume.
	ID        string
	PID       int    // 0 of one that only its file tells of
	ProcStart string // of the process, as its presence file has it
	SessionID string
	Root      string // the folder of the CLI's files, links resolved
	File      string // the session file below Root, "" before there is one
	CWD       string
	Name      string
	Version   string
	// Entrypoint is cli for the TUI, sdk-cli for -p, or another host's name.
	Entrypoint string
	Status     Status
	Started    int64 // Unix milliseconds, as all times here
	Ended      int64 // 0 while it lives
	Last       Message
	// Asks is what it waits for, the oldest first; never nil.
	Asks   []Ask
	Agents []Agent // sub-agents that work
	// Several says that sub-agents have worked under its process. One that works on in the
	// background may ask before its file has the call.
	Several  bool
	Terminal Terminal
}

// Status is what a session does.
type Status string

// The statuses. Unknown is that of -p and of older versions, which write none.
const (
	Idle    Status = sessionfile.StatusIdle
	Busy    Status = sessionfile.StatusBusy
	Waiting Status = sessionfile.StatusWaiting
	Unknown Status = ""
)

// Message is the newest that was said in a session.
type Message struct {
	Text string
	User bool // and not the agent
	At   int64
}

// Terminal is where a session's environment says that its terminal is. It is
// inherited by all that was started there, so that it must be checked before use.
type Terminal struct {
	TmuxSocket string
	TmuxPane   string // such as %3
}

// TerminalOf returns the terminal that the variables TMUX and TMUX_PANE name, the zero
// one for none.
func TerminalOf(tmux, pane string) Terminal {
	socket, id := ProcessPane(tmux, pane)
	return Terminal{socket, id}
}

// AskKind is what a session waits for.
type AskKind string

// The kinds.
const (
	AskQuestion   AskKind = "question"
	AskPlan       AskKind = "plan"
	AskPermission AskKind = "permission"
)

// Ask is a call that waits for a person.
type Ask struct {
	ID   string // of the tool_use
	Kind AskKind
	Tool string
	// Input is the call's. Long strings of a very large one are cut.
	Input json.RawMessage
	Agent Agent // the zero one where the session itself asks
	At    int64
	// MayShow says that its dialog may be the one that is drawn. Where several wait,
	// only the screen says which it is: no order of the calls does.
	MayShow bool
}

// Agent is a sub-agent.
type Agent struct {
	ID          string
	Type        string
	Description string
}

// EventKind says what an event is of.
type EventKind string

// The events.
const (
	Appeared EventKind = "appeared" // a session is in the list
	Changed  EventKind = "changed"  // its status, file, name or last message
	Opened   EventKind = "opened"   // it waits for Ask
	Settled  EventKind = "settled"  // it no longer does; see How
	Ended    EventKind = "ended"    // its process is gone, it is still listed
	Left     EventKind = "left"     // it is no longer listed
)

// How is how an ask was settled.
type How string

// The ways. All happened in the terminal, or through a hook.
const (
	Answered    How = "answered"    // see Answers
	Allowed     How = "allowed"     // a permission or a plan
	Declined    How = "declined"    // see Words
	Interrupted How = "interrupted" // the turn went on or ended without it
	Gone        How = "gone"        // the process ended with it open
)

// Event is what changed, with whole new values: a lost one is harmless.
type Event struct {
	Kind    EventKind
	Session Session
	Ask     *Ask // of Opened and Settled
	How     How
	Answers []sessionfile.Answer
	Words   string
}

// Options say what to watch, and what to do with what is found.
type Options struct {
	// Roots are the folders of the CLI's files. Those that a living process's
	// environment names come in addition.
	Roots []string
	// Ours reports whether Beckon itself runs a session; nil: none.
	Ours func(sessionID string) bool
	// Notify gets the events one after the other. It must not wait, nor call
	// the Watcher.
	Notify func(Event)
	Log    *slog.Logger // nil: the default one

	times times // zero: usual
	// add watches a folder, silent is as for files.NewFolders, and named lists the
	// roots that processes name; tests have others.
	add    func(dir string) error
	silent func(dir string) bool
	named  func() []string
}

// times are how long things take.
type times struct {
	join   time.Duration // events are taken together
	retry  time.Duration // half a presence file is read again
	beat   time.Duration // processes are looked after
	poll   time.Duration // what gives no events is looked at
	rescan time.Duration // between two looks at everything that Rescan asks for
	hold   time.Duration // a result may come after the status that tells of it
	listed time.Duration // an ended session is still in the list
	kept   time.Duration // and can be found
}

func usual() times {
	return times{
		join: 50 * time.Millisecond, retry: 50 * time.Millisecond, beat: 2 * time.Second, poll: 2 * time.Second, rescan: 2 * time.Second,
		hold: 300 * time.Millisecond, listed: time.Minute, kept: 24 * time.Hour,
	}
}
