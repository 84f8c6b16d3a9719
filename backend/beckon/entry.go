package beckon

// EntryKind is the shape of a transcript entry.
type EntryKind string

// The kinds of entries.
const (
	UserEntry     EntryKind = "user"
	TextEntry     EntryKind = "text" // the agent's, markdown
	ThinkingEntry EntryKind = "thinking"
	ToolEntry     EntryKind = "tool"
	QuestionEntry EntryKind = "question" // a tool call that asked; see Question
	NoticeEntry   EntryKind = "notice"
	TurnEntry     EntryKind = "turn" // the end of a turn
)

// EntryKinds lists every kind.
var EntryKinds = []EntryKind{UserEntry, TextEntry, ThinkingEntry, ToolEntry, QuestionEntry, NoticeEntry, TurnEntry}

// Entry is one thing a transcript shows.
type Entry struct {
	// ID is unique in the task's transcript and the same however often the
	// entry is folded.
	ID    string `json:"id"`
	RunID string `json:"runId"`
	// Pos is the number of the line, within its run, that began the entry.
	// Entries of one line share it and differ in Part.
	Pos  int64     `json:"pos"`
	Part int       `json:"part"`
	Kind EntryKind `json:"kind"`
	// Parent is the tool use id of the sub-agent that speaks; empty for the
	// main agent.
	Parent string `json:"parent"`
	Text   string `json:"text"`
	// Notice is the machine's word for a notice ("init", "api_retry",
	// "unknown", …); Text has its details.
	Notice string    `json:"notice"`
	Tool   *ToolCall `json:"tool,omitempty"`
	Turn   *TurnEnd  `json:"turn,omitempty"`
	// Pictures are what App.Picture shows of the entry's line.
	Pictures []Picture `json:"pictures,omitempty"`
	At       int64     `json:"at"` // 0 where the log does not know
}

// Picture is an image in a line of the transcript.
type Picture struct {
	Pos   int64  `json:"pos"`   // of the line, within the run
	Index int    `json:"index"` // among the line's images
	Type  string `json:"type"`  // image/png, …
	Size  int    `json:"size"`  // bytes, about
}

// ToolCall is a tool call and, once it has one, its result.
type ToolCall struct {
	UseID  string `json:"useId"` // also the entry's ID
	Name   string `json:"name"`  // as the CLI calls it: Bash, Edit, mcp__x__y
	Verb   Verb   `json:"verb"`
	Target string `json:"target"` // the file, command or pattern, one line
	Input  string `json:"input"`  // JSON, cut at 32 KB
	Diff   string `json:"diff"`   // unified, of edits and writes; cut at 64 KB
	// Added and Removed count the diff's lines, before it was cut.
	Added   int  `json:"added"`
	Removed int  `json:"removed"`
	Done    bool `json:"done"`
	Failed  bool `json:"failed"`
	// Result is what the tool gave back, cut at 32 KB; Cut is how many bytes
	// were left out.
	Result string `json:"result"`
	Cut    int    `json:"cut"`
	Orphan bool   `json:"orphan"` // only a result; the call is in an older page
}

// TurnEnd sums up a turn.
type TurnEnd struct {
	Number      int     `json:"number"` // within the run, from 1
	Failed      bool    `json:"failed"`
	Interrupted bool    `json:"interrupted"`
	Reason      string  `json:"reason"` // of a failure
	DurationMs  int64   `json:"durationMs"`
	Tokens      int64   `json:"tokens"`
	CostUSD     float64 `json:"costUsd"` // of this turn alone
}

// Live is the text that an agent is writing at this moment, before its line
// is complete.
type Live struct {
	RunID    string `json:"runId"`
	Thinking bool   `json:"thinking"`
	Text     string `json:"text"` // empty: nothing is being written
}

// TranscriptPage is a part of a task's transcript, oldest entry first.
type TranscriptPage struct {
	TaskID  string  `json:"taskId"`
	Entries []Entry `json:"entries"`
	// Before is the cursor of the next older page; empty at the beginning.
	Before string `json:"before"`
	// After is the cursor of the next newer page; empty at the end.
	After string `json:"after"`
}
