// Package agent has the words that Beckon and an agent of any kind share, and no I/O: how
// an agent is started, what it says, what it may be asked to do, and what it can.
//
// A kind of agent is a Driver, in a package below this one; agent/claude/driver is Claude's.
// What an agent prints is handed on in Lines, which its kind alone can read, and with each
// comes what it means, as Events: a run follows those and never looks into a line.
package agent

import (
	"context"
	"encoding/json"
	"fmt"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/reason"
)

// ErrEnded says that the agent does not listen any more. It is a kind of
// beckon.ErrConflict.
var ErrEnded = fmt.Errorf("the agent has ended: %w", beckon.ErrConflict)

// Driver starts agents, here and elsewhere. Of which kind one is says Run.Agent. It may be
// used from any goroutine.
type Driver interface {
	// Prepare returns how an agent is started where a run executes, or why it cannot be:
	// beckon.ErrUnavailable where its program is not there.
	Prepare(ctx context.Context, run beckon.Run) (Start, error)
	// Record returns what the agent of a run has written down of its conversation.
	// fs.ErrNotExist says that it has written nothing.
	Record(run beckon.Run) (Record, error)
	// Usable returns why the agent of a kind cannot be used on an executor, "" for this
	// machine, if so. It waits while Claude has not said its version; asking ends the
	// question itself.
	Usable(ctx, asking context.Context, kind, executor string) error
	// Asked reports whether the Claude of this machine has said its version. Where it has
	// not, it is asked, and said is called once it did.
	Asked(asking context.Context, said func()) bool
	// About completes what the program knows of itself by the agents of this machine.
	About(ctx, asking context.Context, a beckon.About) beckon.About
	// Close ends what asks.
	Close()
}

// Start starts an agent, which ctx may keep from starting and does not end.
type Start func(ctx context.Context, l Launch) (Session, error)

// Launch is what an agent is started with. Empty fields leave it the agent's default.
type Launch struct {
	Dir string
	// Private is whether Beckon's settings may be written there.
	Private bool
	// Beside is a folder in which the agent works besides; empty: there is none.
	Beside string
	// Files is a folder of the run's own for what else is written; its end removes it.
	Files string

	Model, Effort string
	Mode          beckon.PermissionMode
	// Session is the one to go on with, Copy whether in a copy, which leaves it as it is.
	Session string
	Copy    bool
	// ConfigDir is where the agent has its own settings and records.
	ConfigDir string

	// Chat is whether a person reads along.
	Chat bool
	// SystemPrompt is added to the agent's own, and About to what it knows of its task.
	SystemPrompt, About string
	// Allowed are the rules of what it may do without asking.
	Allowed []string
	// Tools are Beckon's own, which the agent must have.
	Tools ToolServer
	// Env are variables that it has besides, as KEY=VALUE.
	Env []string
	// OnLink hears how an agent elsewhere is reached, each time that changes.
	OnLink func(Link)
}

// ToolServer is Beckon's MCP server as agents reach it.
type ToolServer struct {
	Name string
	// URL and Token are for other programs that the agent starts.
	URL, Token string
}

// Link is how an agent is reached that is not on this machine.
type Link struct {
	Lost bool
	// Waits is what its start waits for there.
	Waits executing.Waits
}

// Session is a running agent. Next belongs to one goroutine, which must call it until
// io.EOF or the agent will block; everything else may be called from any goroutine. A
// request that the agent does not carry out in time is beckon.ErrUnavailable.
type Session interface {
	// Next returns the next lines, at least one, and io.EOF after the last. They are valid
	// until the next call.
	Next() ([]Output, error)
	// Ready waits until the agent can be told something, and returns what it can do.
	Ready(ctx context.Context) (beckon.Abilities, error)

	// Send has a message written to the agent, which starts a turn or joins the running one.
	// It does not wait for the agent to read.
	Send(m Message) error
	// TakeBack takes back a message that was sent, and reports whether that came in time.
	TakeBack(ctx context.Context, messageID string) (bool, error)
	// Interrupt ends the running turn.
	Interrupt(ctx context.Context) error
	// CloseInput says that nothing more will come: the agent finishes its turn and leaves.
	CloseInput()

	// Reply answers a request by the question that was settled, Allow lets a tool run that
	// nobody needs to be asked about, Refuse says why there is no answer. An approved plan
	// is carried out in the mode afterPlan. AnswerTool answers what a ToolMessage says.
	Reply(r Request, q beckon.Question, afterPlan beckon.PermissionMode) error
	Allow(r Request) error
	Refuse(requestID, why string) error
	AnswerTool(requestID string, reply json.RawMessage) error

	// SetModel reports whether the running turn goes on with the model at once; SetEffort
	// refuses an effort that the model does not have. "" is the default of each.
	SetModel(ctx context.Context, model string) (atOnce bool, err error)
	SetMode(ctx context.Context, mode beckon.PermissionMode) error
	SetEffort(ctx context.Context, effort string) error
	// StopJob ends what runs in the background.
	StopJob(ctx context.Context, id string) error

	ContextUsage(ctx context.Context) (beckon.ContextUsage, error)
	ToolServers(ctx context.Context) ([]beckon.ToolServer, error)
	ReconnectServer(ctx context.Context, name string) error
	// Rewind takes the files that the agent changed back to how a message found them; try
	// changes nothing and says what would become of them.
	Rewind(ctx context.Context, messageID string, try bool) (Rewound, error)

	// Stop ends the agent, at last by force, and Wait waits until all that it started is
	// gone.
	Stop(ctx context.Context) error
	Wait() Exit
}

// Message is what the user, or Beckon for them, says to an agent.
type Message struct {
	ID     string // one of beckon.NewUUID
	Text   string // used where Blocks is empty
	Blocks []Block
}

// Block is a part of a message: words, or a picture.
type Block struct {
	Text string
	// MediaType is a picture's, such as image/png, and Data what it is, in base64.
	MediaType, Data string
}

// Rewound tells what taking files back did, or would.
type Rewound struct {
	Possible       bool
	Reason         string   // why it is not possible
	Files          []string // absolute; only where it was tried
	Added, Removed int
}

// Exit tells how an agent ended.
type Exit struct {
	Code   int    // exit code; -1 where a signal ended it
	Signal string // name of that signal, such as "killed"; else empty
	Stderr string // the end of what it said there
	// Reason is how it went that gave no result.
	Reason *reason.Reason
	// NoSession is whether it does not have the session that it was to go on with.
	NoSession bool
}

// Record is what an agent has written down of a conversation: what it has not written when
// it is killed, the model of the next process does not know. It is for one goroutine.
type Record interface {
	// Has returns which of the proofs it has, by their ids, and looks at that many bytes of
	// its end at most. What it looked for it does not look for again in what is old. An
	// error says that it may have the others too.
	Has(proofs []Proof, most int64) (map[string]bool, error)
}

// RecordMost is how much of the end of a record is worth reading.
const RecordMost = 64 << 20

// Proof is what shows in a record that the agent heard something: the ID of a
// message, or of the tool call that it is the result of.
type Proof struct {
	ID string
	// Words are in that result where it is an error: a denial is one, as is the agent's own
	// word that the call was interrupted.
	Words string
}
