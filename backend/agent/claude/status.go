package claude

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// The subtypes of system lines that say how the agent is doing. Further ones
// are for showing, if at all (section 2).
const (
	Init             = "init" // begins every turn
	StateChanged     = "session_state_changed"
	StatusChanged    = "status" // State, Mode
	APIRetry         = "api_retry"
	ModelFallback    = "model_fallback"
	PermissionDenied = "permission_denied" // without asking
	TaskStarted      = "task_started"      // background commands and sub-agents
	TaskProgress     = "task_progress"
	TaskUpdated      = "task_updated"
	TaskNotification = "task_notification"
	ThinkingTokens   = "thinking_tokens"
	CompactBoundary  = "compact_boundary"
	CommandsChanged  = "commands_changed"
	Informational    = "informational" // what a hook says: Content, Prevents
)

// SubAgent is the Task.TaskType of a sub-agent, whose id its requests carry.
const SubAgent = "local_agent"

// The values of System.State: the best signal of what the agent is at.
const (
	StateRunning        = "running"
	StateRequiresAction = "requires_action" // just before a can_use_tool
	StateIdle           = "idle"            // last, after the result
)

// System is what a system line says; its subtype decides what is set.
type System struct {
	// Of init.
	Dir           string      `json:"cwd"` // symbolic links resolved
	Model         string      `json:"model"`
	Mode          string      `json:"permissionMode"` // of status too
	Tools         []string    `json:"tools"`
	MCPServers    []MCPServer `json:"mcp_servers"`
	SlashCommands []string    `json:"slash_commands"`
	Version       string      `json:"claude_code_version"`
	State         string      `json:"state"`  // of session_state_changed
	Status        string      `json:"status"` // of status: requesting, compacting; of tasks: completed, …
	Retry                     // of api_retry
	Task                      // of task_*
	Denial                    // of permission_denied
	Text          string      `json:"text"`    // of notification
	Content       string      `json:"content"` // of model_fallback, refusals and informational, for people
	// Prevents says that a hook ends the turn; before its first word it refuses the prompt,
	// which is not echoed then (section 9).
	Prevents bool `json:"prevent_continuation"`
	Thinking int  `json:"estimated_tokens"`
	Patch    struct {
		Status string `json:"status"`
	} `json:"patch"` // of task_updated
	Commands  []Command `json:"commands"` // of commands_changed
	Compacted struct {
		PostTokens int64 `json:"post_tokens"`
	} `json:"compact_metadata"` // of compact_boundary
}

// HasServer reports whether an init line says that an MCP server is connected.
func (s System) HasServer(name string) bool {
	return slices.ContainsFunc(s.MCPServers, func(m MCPServer) bool { return m.Name == name && m.Status == "connected" })
}

// Retry says that the API failed and when it is tried again.
type Retry struct {
	Attempt     int     `json:"attempt"`
	MaxRetries  int     `json:"max_retries"`
	DelayMs     float64 `json:"retry_delay_ms"`
	ErrorStatus int     `json:"error_status"` // HTTP; 0 where there was none
	Error       string  `json:"error"`        // overloaded, authentication_failed, …
}

// Task is a background command or a sub-agent.
type Task struct {
	TaskID      string `json:"task_id"`
	TaskType    string `json:"task_type"` // local_bash, …
	Description string `json:"description"`
	Summary     string `json:"summary"`
	// SkipTranscript marks housekeeping of the CLI's own.
	SkipTranscript bool `json:"skip_transcript"`
}

// Ended reports whether a task_updated says that the task is over.
func (s System) Ended() bool {
	return slices.Contains([]string{"completed", "failed", "killed"}, s.Patch.Status)
}

// Denial is a tool call that was denied without asking.
type Denial struct {
	ToolName  string `json:"tool_name"`
	ToolUseID string `json:"tool_use_id"` // of tasks too
	Reason    string `json:"decision_reason"`
	Message   string `json:"message"`
}

// Result ends a turn. Whether the turn went well is IsError and
// TerminalReason, never the subtype: an API failure is a "success".
type Result struct {
	IsError bool `json:"is_error"`
	// TerminalReason is completed, aborted_streaming, aborted_tools,
	// max_turns, prompt_too_long, tool_deferred or empty.
	TerminalReason string   `json:"terminal_reason"`
	Text           string   `json:"result"` // the last words, or the API's error
	Errors         []string `json:"errors"`
	APIErrorStatus int      `json:"api_error_status"` // HTTP; 0 where there was none
	StopReason     string   `json:"stop_reason"`
	// Origin says what began the turn where no message did: a task-notification,
	// the end of background work. A resumed session prints one without a word
	// for what its earlier process left, before it takes a message.
	Origin struct {
		Kind string `json:"kind"`
	} `json:"origin"`

	// Of this turn, without its sub-agents.
	DurationMs int64 `json:"duration_ms"`
	NumTurns   int   `json:"num_turns"`
	Usage      Usage `json:"usage"`

	// Cumulative for the process, and from zero again after a resume.
	TotalCostUSD  float64               `json:"total_cost_usd"`
	DurationAPIMs int64                 `json:"duration_api_ms"`
	ModelUsage    map[string]ModelUsage `json:"modelUsage"` // by model

	Denials []struct {
		ToolName  string          `json:"tool_name"`
		ToolUseID string          `json:"tool_use_id"`
		Input     json.RawMessage `json:"tool_input"`
	} `json:"permission_denials"`
}

// Interrupted reports whether the turn was ended from outside.
func (r Result) Interrupted() bool {
	return r.TerminalReason == "aborted_streaming" || r.TerminalReason == "aborted_tools"
}

// Overloaded reports whether a turn failed because the service is. The CLI says that in
// words alone: the status is missing after a 529.
func (r Result) Overloaded() bool {
	return r.APIErrorStatus == 529 || r.IsError && overloaded.MatchString(r.Text+" "+strings.Join(r.Errors, " "))
}

var overloaded = regexp.MustCompile(`(?i)\b529\b|overloaded`)

// OfItsOwn reports whether the turn began with no message of the user's.
func (r Result) OfItsOwn() bool { return r.Origin.Kind == "task-notification" }

// Tokens sums up what all models took in and gave out so far, sub-agents
// included.
func (r Result) Tokens() int64 {
	var sum int64
	for _, u := range r.ModelUsage {
		sum += u.InputTokens + u.OutputTokens + u.CacheReadInputTokens + u.CacheCreationInputTokens
	}
	return sum
}

// Usage counts tokens.
type Usage struct {
	InputTokens              int64 `json:"input_tokens"`
	OutputTokens             int64 `json:"output_tokens"`
	CacheReadInputTokens     int64 `json:"cache_read_input_tokens"`
	CacheCreationInputTokens int64 `json:"cache_creation_input_tokens"`
}

// Input is all that a request took in: what fills the context.
func (u Usage) Input() int64 {
	return u.InputTokens + u.CacheReadInputTokens + u.CacheCreationInputTokens
}

// ModelUsage counts what one model took.
type ModelUsage struct {
	InputTokens              int64   `json:"inputTokens"`
	OutputTokens             int64   `json:"outputTokens"`
	CacheReadInputTokens     int64   `json:"cacheReadInputTokens"`
	CacheCreationInputTokens int64   `json:"cacheCreationInputTokens"`
	CostUSD                  float64 `json:"costUSD"`
	ContextWindow            int64   `json:"contextWindow"`
}
