package agent

import (
	"encoding/json"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// Line is a line that an agent printed, which its kind can read.
type Line interface {
	// Bytes are the line without its line feed, as the log keeps it. They are valid until
	// the next call of Next.
	Bytes() []byte
	// Partial reports whether it is a part of what is being written: shown, and not kept,
	// for what is complete follows.
	Partial() bool
}

// Raw is a line of which nobody has read anything.
type Raw []byte

// Bytes and Partial make it a Line.
func (r Raw) Bytes() []byte { return r }
func (r Raw) Partial() bool { return false }

// Output is a line, and what it means in the order in which that holds. Line is nil where
// there is none to keep.
type Output struct {
	Line   Line
	Events []Event
}

// Event is something that an agent's line means for its run.
type Event interface{ event() }

// TurnBegan says that a turn begins, in which session and how.
type TurnBegan struct {
	Session, Model string
	Mode           beckon.PermissionMode // "" where it is not said
	Tools          bool                  // it has Beckon's
}

// TurnEnded says how a turn went.
type TurnEnded struct {
	Failed, Interrupted, Limited bool
	// Said are its last words, or of a failure why. Asks is the question that it ends with,
	// of an agent that has no other way to ask.
	Said, Asks string
	// Why is why it failed, where its kind knows that better than Said; nil: it does not.
	Why *reason.Reason
	// Hook are the words of a hook that ended it, "" where none did.
	Hook string
	// Setback is what time alone cures, and Resets when a limit does, in milliseconds.
	Setback beckon.Setback
	Resets  int64
	// SignIn is whether it failed because the agent is not let in, and Overloaded because
	// the model's service has too much to do.
	SignIn, Overloaded bool
	// Unasked is whether it began with no message, and Rounds how often the model spoke.
	Unasked bool
	Rounds  int
	// Tokens and CostUSD are of the whole process so far, and Windows how many tokens the
	// context of each model has.
	Tokens  int64
	CostUSD float64
	Windows map[string]int64
}

// Reason is why the turn failed: mostly what the agent says of it.
func (e TurnEnded) Reason() *reason.Reason {
	words := reason.Said(e.Said)
	switch {
	case e.Why != nil:
		return e.Why
	case e.Resets > 0:
		return reason.Of(reason.PlanResets, "time", time.UnixMilli(e.Resets).Format("15:04, 2 January"))
	case e.SignIn:
		return words.Because(reason.Of(reason.SignIn))
	case e.Overloaded:
		return reason.Of(reason.Overloaded).Because(words)
	}
	return words
}

// Busy says that the agent has something to do, Idle that it has not, behind all that a
// turn leaves.
type (
	Busy struct{}
	Idle struct{}
)

// ModeIs says which mode is in force.
type ModeIs struct{ Mode beckon.PermissionMode }

// CommandsAre says which commands of its own the agent has by now.
type CommandsAre struct{ Commands []beckon.Command }

// ContextIs says how many tokens fill the context, and Spent how many a reply of the model
// took and gave.
type (
	ContextIs struct{ Tokens int64 }
	Spent     struct{ Tokens int64 }
)

// Part is a part of a text that is being written, Spoke one that is complete. Part.First
// begins a text.
type (
	Part  struct{ SubAgent, First bool }
	Spoke struct{ SubAgent bool }
)

// Writes says that the agent writes into a file, by a tool that names it.
type Writes struct{ Path string }

// ActivityIs says what the agent is at by the end of a chunk of lines.
type ActivityIs struct{ Activity beckon.Activity }

// Heard says that the agent was given something.
type Heard struct{ Given }

// Given is what an agent was given: a message, or results of tool calls. Most are long
// results that nobody waits for, so they are searched only when they are asked.
type Given interface {
	// Message is the id of the message, "" for none.
	Message() string
	// HasResult reports whether it has the result of the call with the id.
	HasResult(callID string) bool
}

// Witness is a Given of an agent that keeps no record which others may read: a line in the log
// of its run says that it has the result of a call.
type Witness interface {
	Line(callID string) []byte
}

// JobBegan says that something runs beside the turns. Left is whether it is known to go on
// without the call that began it.
type JobBegan struct {
	ID, Name string
	Left     bool
}

// JobEnded says that a job is over, JobAnnounced that the agent will hear of its end, and
// JobTold that it has.
type (
	JobEnded     struct{ ID string }
	JobAnnounced struct{ ID string }
	JobTold      struct{ ID string }
)

// SubAgentBegan names a sub-agent, whose requests have its ID and which the call began.
type SubAgentBegan struct{ ID, CallID, Name string }

// SubAgentCalled says that the sub-agent which the call By began calls one of Beckon's tools.
type SubAgentCalled struct{ CallID, By string }

// Asks says that the agent waits for an answer, TookBack that it waits no more.
type (
	Asks     struct{ Request Request }
	TookBack struct{ RequestID string }
)

// Request is a question on which an agent waits.
type Request struct {
	ID       string
	AgentID  string // of the sub-agent that asks
	Question beckon.Question
	// Native is the request as its kind has it, for Session.Reply.
	Native any
}

// ToolMessage is what the agent says to Beckon's MCP server.
type ToolMessage struct {
	RequestID string
	Message   json.RawMessage
}

// QuotaIs says how much of a window of its plan's quota is used up, as the agent says it.
type QuotaIs struct {
	Window  string  // the agent's word, such as five_hour
	Percent float64 // 0 to 100; -1 where that is not said
	Resets  int64   // Unix milliseconds; 0 where that is not said
	Refused bool    // nothing more is done for the agent until then
}

// Retrying says that a request to the model failed and is tried again.
type Retrying struct{ Error string }

// TooLong says that a line was left out, which had more than so many bytes.
type TooLong struct{ Most int }

func (TurnBegan) event()      {}
func (TurnEnded) event()      {}
func (Busy) event()           {}
func (Idle) event()           {}
func (ModeIs) event()         {}
func (CommandsAre) event()    {}
func (ContextIs) event()      {}
func (Spent) event()          {}
func (Part) event()           {}
func (Spoke) event()          {}
func (Writes) event()         {}
func (ActivityIs) event()     {}
func (Heard) event()          {}
func (JobBegan) event()       {}
func (JobEnded) event()       {}
func (JobAnnounced) event()   {}
func (JobTold) event()        {}
func (SubAgentBegan) event()  {}
func (SubAgentCalled) event() {}
func (Asks) event()           {}
func (TookBack) event()       {}
func (ToolMessage) event()    {}
func (QuotaIs) event()        {}
func (Retrying) event()       {}
func (TooLong) event()        {}
