package fold

import (
	"bytes"
	"encoding/json"
	"strings"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/agent/lenient"
	"beckon/backend/beckon"
)

// marks are in lines that say something of calls or of the folder.
var (
	callMark   = []byte(`"tool_use`)
	folderMark = []byte(`"cwd"`)
)

// Files implements agent.Reader. It decodes only lines that have calls or results.
func (Reader) Files(raw []byte) (f agent.FileLine) {
	kind := claude.KindOf(raw)
	switch {
	case kind == claude.SystemLine && bytes.Contains(raw, folderMark):
		var begins struct {
			Subtype string `json:"subtype"`
			Folder  string `json:"cwd"`
		}
		if lenient.Unmarshal(raw, &begins) == nil && begins.Subtype == "init" {
			f.Folder = begins.Folder
		}
		return f
	case kind != claude.AssistantLine && kind != claude.UserLine || !bytes.Contains(raw, callMark):
		return f
	}
	m, err := claude.DecodeMessage(raw)
	if err != nil || m.Speech == nil {
		return f
	}
	for _, b := range m.Speech.Content {
		switch {
		case b.ToolUseID != "":
			f.Calls = append(f.Calls, fileResult(b, m.Speech.ToolUseResult))
		case b.Name != "" && b.ID != "":
			f.Calls = append(f.Calls, fileCall(b, m.ParentToolUseID))
		}
	}
	return f
}

// ownTools begin the names of Beckon's own tools, which change no file of the work.
const ownTools = "mcp__beckon__"

// reading are tools that change no file, of those that have to do with commands.
var reading = map[string]bool{"BashOutput": true, "TaskOutput": true, "KillShell": true, "TaskStop": true}

// fileCall is what a tool_use block says.
func fileCall(b claude.Block, parent string) agent.FileCall {
	in := decodeInput(b.Input)
	c := agent.FileCall{ID: b.ID, Parent: parent, Begins: true, Verb: verbOf(b.Name), Does: in.target()}
	switch {
	case reading[b.Name] || strings.HasPrefix(b.Name, ownTools) || asks(b.Name):
	case c.Verb == beckon.Editing:
		c.Effect, c.Path = agent.EditsFile, in.FilePath
		if c.Path == "" {
			c.Path = in.NotebookPath // a file of JSON, of which the call says one cell
			break
		}
		c.Changes = fileChanges(b)
	case c.Verb == beckon.Executing || c.Verb == beckon.Using || c.Verb == beckon.Delegates:
		c.Effect, c.Stays = agent.MayChange, inBackground(b)
	}
	return c
}

// inBackground reports whether what a call begins is to go on behind its result.
func inBackground(b claude.Block) bool {
	var in struct {
		Background bool `json:"run_in_background"`
	}
	return lenient.Unmarshal(b.Input, &in) == nil && in.Background
}

// fileChanges are what a call replaces.
func fileChanges(b claude.Block) []agent.FileChange {
	var all struct {
		ReplaceAll bool `json:"replace_all"`
		Edits      []struct {
			ReplaceAll bool `json:"replace_all"`
		} `json:"edits"`
	}
	_ = lenient.Unmarshal(b.Input, &all) // what does not fit is false
	var changes []agent.FileChange
	for i, c := range claude.DecodeToolInput(b.Input).Changes(b.Name) {
		change := agent.FileChange{Before: c.Before, After: c.After, Whole: b.Name == "Write", All: all.ReplaceAll}
		if i < len(all.Edits) {
			change.All = all.Edits[i].ReplaceAll
		}
		change.WithLineFeed = !change.Whole && c.After == "" && !strings.HasSuffix(c.Before, "\n")
		changes = append(changes, change)
	}
	return changes
}

// fileResult is what a tool_result block says. The CLI changes nothing where an edit fails; a
// command that fails may have changed files all the same.
func fileResult(b claude.Block, structured json.RawMessage) agent.FileCall {
	c := agent.FileCall{ID: b.ToolUseID, Ends: true, Undone: b.IsError}
	if bytes.HasPrefix(structured, []byte("{")) && (bytes.Contains(structured, []byte(`"backgroundTaskId"`)) || bytes.Contains(structured, []byte(`"isAsync"`))) {
		var began struct {
			Task  string `json:"backgroundTaskId"` // of a command, which the CLI moves there at its timeout, too
			Async bool   `json:"isAsync"`          // of an agent
		}
		c.Stays = lenient.Unmarshal(structured, &began) != nil || began.Task != "" || began.Async
	}
	if b.IsError || !bytes.HasPrefix(structured, []byte("{")) || !bytes.Contains(structured, []byte(`"originalFile"`)) {
		return c
	}
	var r claude.FileResult
	if json.Unmarshal(structured, &r) != nil {
		return c
	}
	if c.Original = r.Original; c.Original == nil && r.Type == "create" {
		c.Original = new(string)
	}
	return c
}
