package beckon

import (
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/reason"
)

// RunKind tells what a run is for.
type RunKind string

// The kinds of runs.
const (
	TaskRun     RunKind = "task"     // autonomous, in the worktree
	ChatRun     RunKind = "chat"     // interactive, in the project's folder
	ExternalRun RunKind = "external" // started elsewhere, watched
)

// RunKinds lists every kind.
var RunKinds = []RunKind{TaskRun, ChatRun, ExternalRun}

// Phase is where a run is in its life. It is computed by PhaseOf, never set.
type Phase string

// The phases.
const (
	Starting Phase = "starting"
	Working  Phase = "working"
	Asking   Phase = "asking"
	Idle     Phase = "idle"
	Saving   Phase = "saving" // its process is gone, and what it left is being written
	Ended    Phase = "ended"
)

// Phases lists every phase.
var Phases = []Phase{Starting, Working, Asking, Idle, Saving, Ended}

// Outcome is how a run ended; empty while it lives.
type Outcome string

// The outcomes.
const (
	Succeeded Outcome = "succeeded"
	Failed    Outcome = "failed"
	Stopped   Outcome = "stopped" // by the user
	Limited   Outcome = "limited" // by a quota or rate limit
	Lost      Outcome = "lost"    // Beckon or the machine died
	Parked    Outcome = "parked"  // nobody answered; the answer resumes it
)

// Outcomes lists every outcome of an ended run.
var Outcomes = []Outcome{Succeeded, Failed, Stopped, Limited, Lost, Parked}

// Run is one agent process, start to exit.
type Run struct {
	ID      string  `json:"id"`
	TaskID  string  `json:"taskId"`
	Number  int     `json:"number"` // counts within the task, from 1
	Kind    RunKind `json:"kind"`
	Phase   Phase   `json:"phase"`
	Outcome Outcome `json:"outcome"` // empty while it lives
	// Reason is why it has a bad outcome, the agent's words or Beckon's reason; nil: none.
	Reason  *reason.Reason `json:"why,omitempty"`
	Detail  string         `json:"detail"` // the end of stderr, for the error report
	Session string         `json:"session"`
	// CopyOf is the session that the run begins with a copy of, as long as it has
	// none of its own.
	CopyOf string `json:"copyOf"`
	// Dir is the folder that its session belongs to, and ConfigDir that of the
	// CLI's files. Both are empty but for sessions that were begun elsewhere.
	Dir       string `json:"dir"`
	ConfigDir string `json:"configDir"`
	// Agent is the kind of its agent; see Task.Agent.
	Agent string `json:"agent"`
	// Executor is the id of where it executes; empty for this computer. LinkLost is since
	// when nothing is heard from there, in Unix milliseconds; 0 while there is a link.
	// Waits is what its start waits for there.
	Executor string          `json:"executor"`
	LinkLost int64           `json:"linkLost"`
	Waits    executing.Waits `json:"waits"`
	Model    string          `json:"model"`
	// NextModel is the value of the model that was chosen during the turn, which
	// goes on with the one it began with; empty while there is none.
	NextModel string         `json:"nextModel"`
	Mode      PermissionMode `json:"mode"`   // the one in force
	Effort    string         `json:"effort"` // empty: the model's default
	Context   Gauge          `json:"context"`
	// Activity is what the agent does at this moment, and Quiet since when nothing was heard
	// of it within a turn, in Unix milliseconds; 0 while something is.
	Activity Activity `json:"activity"`
	Quiet    int64    `json:"quiet"`
	Turns    int      `json:"turns"`
	Spent    Spent    `json:"spent"`
	Started  int64    `json:"started"`
	Ended    int64    `json:"ended"` // 0 while it lives
}

// MarshalJSON has "reason" beside "why".
func (r Run) MarshalJSON() ([]byte, error) {
	type fields Run
	return r.Reason.Beside(fields(r), "reason")
}

// Activity is what an agent does: a verb that the page translates, and what
// it does it to.
type Activity struct {
	Verb   Verb   `json:"verb"`
	Target string `json:"target"` // a file name, a command, a pattern
	Since  int64  `json:"since"`
}

// Verb names a kind of activity, of tool calls and of live lines alike.
type Verb string

// The verbs.
const (
	Thinking  Verb = "thinking"
	Writing   Verb = "writing" // text to the user
	Reading   Verb = "reading"
	Editing   Verb = "editing"
	Executing Verb = "executing" // a command
	Searching Verb = "searching"
	Fetching  Verb = "fetching" // from the web
	Planning  Verb = "planning" // todo lists and plans
	AskingYou Verb = "asking"
	Delegates Verb = "delegating" // to a sub-agent
	Using     Verb = "using"      // any other tool
	Waiting   Verb = "waiting"    // for the API, after an error
	// Background is for what the agent left in the background when its turn
	// was over.
	Background Verb = "background"
)

// Verbs lists every verb.
var Verbs = []Verb{Thinking, Writing, Reading, Editing, Executing, Searching, Fetching, Planning, AskingYou, Delegates, Using, Waiting, Background}

// Facts is what is known of a run at one moment.
type Facts struct {
	Exited        bool // and what it left is written
	Saving        bool // exited, and what it left is being written
	Initialized   bool // claude answered "initialize"
	TurnOpen      bool // a message was sent and its result is not here
	Background    bool // no turn is open, and the run waits for what works in the background
	OpenQuestions int
}

// PhaseOf is the run machine: the phase that the facts amount to.
func PhaseOf(f Facts) Phase {
	switch {
	case f.Exited:
		return Ended
	case f.Saving:
		return Saving
	case f.OpenQuestions > 0:
		return Asking
	case !f.Initialized:
		return Starting
	case f.TurnOpen || f.Background:
		return Working
	default:
		return Idle
	}
}
