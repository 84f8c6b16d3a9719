package beckon

import (
	"cmp"

	"beckon/backend/beckon/reason"
)

// ClaudeCode names Claude Code where an empty name stands for a default: in NewTask.Agent,
// Project.Agent and Settings.Agent. The rows of tasks and runs have "" for it.
const ClaudeCode = "claude"

// FirstAgent returns the first kind of agent that is named, as rows have it.
func FirstAgent(names ...string) string {
	if name := cmp.Or(names...); name != ClaudeCode {
		return name
	}
	return ""
}

// OwnPrefix begins the names of kinds that the user added.
const OwnPrefix = "own-"

// OwnAgent is a kind of agent that the user added by its command line. It speaks the Agent
// Client Protocol on its stdin and stdout.
type OwnAgent struct {
	Name  string `json:"name"`  // as tasks have it: OwnPrefix, then small letters, digits and hyphens
	Label string `json:"label"` // its name for people
	// Command is its program and what that is called with, quoted as in a shell.
	Command string `json:"command"`
	// Variables name those of the environment that it may see besides what every agent may.
	Variables []string `json:"variables"`
}

// The bounds of Settings.OwnAgents and of what one has, in bytes.
const (
	MaxOwnAgents    = 20
	MaxAgentName    = 40
	MaxAgentCommand = 4 << 10
)

// AgentTrial is how a kind of agent did one small turn in an empty folder.
type AgentTrial struct {
	Agent string `json:"agent"` // its Name, or ClaudeCode
	At    int64  `json:"at"`
	// Steps are those that it took, in order; the last is TrialLeft where all went well.
	Steps []TrialStep `json:"steps"`
	// Why is what kept it from the next step, which SignIn says is that nobody is signed in.
	Why    *reason.Reason `json:"why,omitempty"`
	SignIn bool           `json:"signIn"`
	Tokens int64          `json:"tokens"` // 0: not said
	Cost   float64        `json:"cost"`   // in US dollars; 0: not said
}

// TrialStep is a step, and how long it took in milliseconds.
type TrialStep struct {
	Kind TrialKind `json:"kind"`
	Ms   int64     `json:"ms"`
}

// TrialKind is a step of a trial.
type TrialKind string

// The steps, in their order.
const (
	TrialStarted  TrialKind = "started"  // the program runs
	TrialOpened   TrialKind = "opened"   // it has a session
	TrialAnswered TrialKind = "answered" // and ended a turn well
	TrialLeft     TrialKind = "left"     // and ended, with all that it started
)

// TrialKinds lists every step.
var TrialKinds = []TrialKind{TrialStarted, TrialOpened, TrialAnswered, TrialLeft}
