package fold

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/lenient"
	"beckon/backend/beckon"
	"beckon/backend/linediff"
	"beckon/backend/transcript/runlog"
)

// askUserTool is Beckon's own tool for asking, as the CLI calls it.
const askUserTool = "mcp__beckon__ask_user"

// asks reports whether a call of the tool is a question to the user.
func asks(tool string) bool {
	return tool == claude.AskTool || tool == claude.PlanTool || tool == askUserTool
}

// verbs says what the CLI's tools do. Task and Agent are one tool, which has
// another name on the wire than in the list of tools.
var verbs = map[string]beckon.Verb{
	"Read": beckon.Reading, "NotebookRead": beckon.Reading,
	"Edit": beckon.Editing, "Write": beckon.Editing, "MultiEdit": beckon.Editing, "NotebookEdit": beckon.Editing,
	"Bash": beckon.Executing, "BashOutput": beckon.Executing, "KillShell": beckon.Executing,
	"TaskOutput": beckon.Executing, "TaskStop": beckon.Executing,
	"Grep": beckon.Searching, "Glob": beckon.Searching, "LS": beckon.Searching, "ToolSearch": beckon.Searching,
	"WebFetch": beckon.Fetching, "WebSearch": beckon.Fetching,
	"TodoWrite": beckon.Planning, "TaskCreate": beckon.Planning, "TaskUpdate": beckon.Planning,
	"TaskList": beckon.Planning, "TaskGet": beckon.Planning, "EnterPlanMode": beckon.Planning,
	"Task": beckon.Delegates, "Agent": beckon.Delegates,
	claude.AskTool: beckon.AskingYou, claude.PlanTool: beckon.AskingYou, askUserTool: beckon.AskingYou,
}

func verbOf(tool string) beckon.Verb {
	if v, ok := verbs[tool]; ok {
		return v
	}
	return beckon.Using
}

// toolInput is what tools are called with, as far as a reader sees it.
type toolInput struct {
	claude.ToolInput
	Pattern     string `json:"pattern"`     // Grep, Glob
	Query       string `json:"query"`       // WebSearch
	Subject     string `json:"subject"`     // TaskCreate
	Skill       string `json:"skill"`       // Skill
	Plan        string `json:"plan"`        // ExitPlanMode
	Description string `json:"description"` // Agent, and beside a command
	Path        string `json:"path"`        // LS, and beside a pattern
	Prompt      string `json:"prompt"`      // Agent
	Question    string `json:"question"`    // ask_user
	Questions   []struct {
		Question string `json:"question"`
	} `json:"questions"` // AskUserQuestion, ask_user
	Todos []struct {
		Content string `json:"content"`
		Status  string `json:"status"`
	} `json:"todos"` // TodoWrite
}

// decodeInput takes what fits; an input of another shape tells nothing.
func decodeInput(raw json.RawMessage) toolInput {
	var in toolInput
	_ = lenient.Unmarshal(raw, &in)
	return in
}

// target is what the tool is used on, on one line. What the input has of the
// more telling comes first.
func (in toolInput) target() string {
	return runlog.OneLine(cmp.Or(in.Command, in.FilePath, in.NotebookPath, in.Pattern, in.Query, in.URL,
		in.Subject, in.Question, in.firstQuestion(), in.Plan, in.todo(), in.Skill,
		in.Description, in.Path, in.Prompt), targetMost)
}

func (in toolInput) firstQuestion() string {
	if len(in.Questions) == 0 {
		return ""
	}
	return in.Questions[0].Question
}

// todo is the item of a list that is being worked on.
func (in toolInput) todo() string {
	for _, t := range in.Todos {
		if t.Status == "in_progress" {
			return t.Content
		}
	}
	return ""
}

// toolCall folds a tool_use block into e.
func toolCall(e beckon.Entry, b claude.Block) beckon.Entry {
	in := decodeInput(b.Input)
	diff := in.diff(b.Name)
	e.ID, e.Kind = cmp.Or(b.ID, e.ID), beckon.ToolEntry
	if asks(b.Name) {
		e.Kind = beckon.QuestionEntry
	}
	e.Tool = &beckon.ToolCall{
		UseID: e.ID, Name: b.Name, Verb: verbOf(b.Name), Target: in.target(), Input: inputText(b.Input),
		Diff: diff.String(), Added: diff.Added, Removed: diff.Removed,
	}
	return e
}

func inputText(raw json.RawMessage) string {
	raw = raw[:min(len(raw), inputMost+utf8.UTFMax)]
	return runlog.Cut(strings.ToValidUTF8(string(raw), "\uFFFD"), inputMost)
}

// toolResult folds a tool_result block into e, an orphan of the call that it belongs to.
func toolResult(e beckon.Entry, b claude.Block, structured json.RawMessage) beckon.Entry {
	text, left := runlog.Split(blockText(b.Content))
	e.ID, e.Kind = b.ToolUseID, beckon.ToolEntry
	e.Tool = &beckon.ToolCall{
		UseID: e.ID, Verb: beckon.Using, Orphan: true, Done: true, Failed: b.IsError,
		Result: runlog.Cut(text, resultMost),
	}
	e.Tool.Cut = len(text) - len(e.Tool.Result) + left.Bytes
	if !b.IsError {
		diff := resultDiff(structured)
		e.Tool.Diff, e.Tool.Added, e.Tool.Removed = diff.String(), diff.Added, diff.Removed
	}
	return e
}

// resultDiff is the diff that a file tool reports, with true line numbers.
func resultDiff(structured json.RawMessage) *linediff.Diff {
	if !bytes.HasPrefix(structured, []byte("{")) || !bytes.Contains(structured, []byte(`"structuredPatch"`)) {
		return linediff.New(diffMost)
	}
	var r claude.FileResult
	if json.Unmarshal(structured, &r) != nil {
		return linediff.New(diffMost)
	}
	if len(r.Patch) == 0 && r.Type == "create" {
		d := linediff.New(diffMost)
		change(d, "", r.Content)
		return d
	}
	return patched(r.Patch)
}
