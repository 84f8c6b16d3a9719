package beckon

import (
	"strings"
	"unicode"
)

// Abilities is what a task's agent says that it can do.
type Abilities struct {
	Models   []Model   `json:"models"`
	Commands []Command `json:"commands"`
}

// Model is one that the account may use.
type Model struct {
	Value string `json:"value"` // for SwitchModel
	// Resolved is what Value stands for, as Run.Model has it.
	Resolved    string   `json:"resolved"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Efforts     []string `json:"efforts"` // none: it has no levels
	Auto        bool     `json:"auto"`    // the permission mode auto is available
}

// SoundModel reports whether an agent can be given a model's name.
func SoundModel(name string) bool {
	return len(name) <= 200 && !strings.HasPrefix(name, "-") && !strings.ContainsFunc(name, unicode.IsControl)
}

// Command is a slash command of the CLI's.
type Command struct {
	Name        string `json:"name"` // without the slash
	Description string `json:"description"`
	Hint        string `json:"hint"` // of its arguments
}

// Gauge tells how full the agent's context is.
type Gauge struct {
	Tokens int64 `json:"tokens"`
	Limit  int64 `json:"limit"` // 0: not known yet
}

// ContextUsage tells what an agent's context is filled with.
type ContextUsage struct {
	Gauge Gauge         `json:"gauge"`
	Parts []ContextPart `json:"parts"`
}

// ContextPart is a kind of content, in the CLI's own words.
type ContextPart struct {
	Name   string `json:"name"`
	Tokens int64  `json:"tokens"`
}

// ToolServer is an MCP server of an agent.
type ToolServer struct {
	Name   string `json:"name"`
	Status string `json:"status"` // connected, failed, pending, needs-auth, disabled or first-message
	Error  string `json:"error"`
	Tools  int    `json:"tools"`
}

// Rewind tells what taking the files back to how a message found them does.
type Rewind struct {
	Possible bool     `json:"possible"`
	Reason   string   `json:"reason"` // why it is not, in the CLI's words
	Files    []string `json:"files"`
	Added    int      `json:"added"`
	Removed  int      `json:"removed"`
}
