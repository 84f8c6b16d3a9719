// Package outbox brings words to agents: the messages of people, and the
// answers that nobody waits for any more.
//
// A message is a row, which waits in its task's queue until claude has taken
// it. An Outbox belongs to one live run: it knows what is on its way to claude,
// what claude printed that it took, and what claude's own record of the
// conversation lacks still, and it sends each thing once. It does not know when
// a turn is over, or when a run begins or ends: the run says so.
//
// An Outbox never calls its Agent while it holds mu, so the agent may call it
// under a lock of its own.
package outbox

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// writeIn is how long a step may take that must be done although its run ends.
const writeIn = 20 * time.Second

// obeyIn is how long claude may take to give a message back, or to change its
// permission mode: it takes milliseconds, or does not hear.
const obeyIn = 3 * time.Second

// Session is what an Outbox tells an agent; an agent.Session is one.
type Session interface {
	Send(m agent.Message) error
	TakeBack(ctx context.Context, messageID string) (inTime bool, err error)
	SetMode(ctx context.Context, mode beckon.PermissionMode) error
}

// Agent is the live run that an Outbox sends to.
type Agent interface {
	// Session is the run's agent, once it runs.
	Session() Session
	// Record adds lines to the run's transcript.
	Record(lines ...[]byte) error
	// Go runs f in a goroutine, and reports whether it does. The run's end ends
	// ctx and waits for f.
	Go(f func(ctx context.Context)) bool
	// State is how the run is at this moment.
	State() State
	// BeginTurn notes that a message is on its way, so a turn is open.
	BeginTurn()
	// CutTurn ends the open turn, for that reason, and reports whether it is over.
	CutTurn(ctx context.Context, why *reason.Reason) bool
	// Prompt is the first message of a run that has none of its own.
	Prompt() string
	// ModeAfterPlan is the mode in which a plan that was approved so is carried
	// out.
	ModeAfterPlan(a *beckon.Answer) beckon.PermissionMode
}

// State is what an Outbox asks of its run.
type State struct {
	Session string
	Open    bool // a turn is
	Rested  bool // a turn is over, and none followed it
	Ending  bool // the run is to end
}

// Outbox has what is on its way to the agent of one live run.
type Outbox struct {
	queues *Queues
	agent  Agent
	run    beckon.Run // as it began; only what never changes of it is used

	// deliveryMu is held while answers and messages go out, so that each goes
	// once and none before the first message. It is taken before mu.
	deliveryMu sync.Mutex
	opened     bool            // the first message went out
	delivered  map[string]int  // how many answers of a question were told, by its id
	granted    map[string]bool // tool calls that were allowed beforehand, each once

	mu sync.Mutex
	// sent has the messages that claude has not taken yet, the oldest first,
	// and queued counts those that wait for the turn's end.
	sent    []*sending
	queued  int
	command string // of claude's own, which was sent last
	// acks has the answer of each tool call whose result is due, and due what
	// claude printed that it took and has not written down.
	acks     map[string]receipt
	due      []receipt
	watching bool // the record is looked at
	silent   bool // claude prints no more
	record   tail // of the goroutine that watches alone
}

// Outbox returns the outbox of a run that begins.
func (q *Queues) Outbox(run beckon.Run, to Agent) *Outbox {
	return &Outbox{
		queues: q, agent: to, run: run,
		delivered: map[string]int{}, granted: map[string]bool{}, acks: map[string]receipt{},
	}
}

// resumed reports whether the run goes on with an earlier session.
func (o *Outbox) resumed() bool { return o.run.Session+o.run.CopyOf != "" }

// Sending reports whether claude has not taken all that was sent.
func (o *Outbox) Sending() bool { return len(o.onTheWay()) > 0 }

// Queued counts the messages that wait for the turn's end.
func (o *Outbox) Queued() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.queued
}

// Command returns the command of claude's own that was sent last, such as "/compact", which
// may be answered with nothing; "" for none.
func (o *Outbox) Command() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.command
}

// NoCommand reports whether a turn without any of the model answers a command that claude
// does not have. It prints a success, whose words name the command; known has those that it
// has, without the names by which some go besides.
func (o *Outbox) NoCommand(end agent.TurnEnded, known []beckon.Command) bool {
	name := o.Command()
	if name == "" || end.Rounds > 0 || end.Failed || end.Unasked || !strings.Contains(end.Said, name) {
		return false
	}
	return !slices.ContainsFunc(known, func(c beckon.Command) bool { return "/"+c.Name == name })
}

// Silent notes that claude prints no more: what it took shows in its record or
// nowhere.
func (o *Outbox) Silent() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.silent = true
}

// logged reports an error where nobody is left to return it to.
func logged(what string, err error, ids ...any) {
	if err != nil {
		slog.Error(what, append([]any{"err", err}, ids...)...)
	}
}
