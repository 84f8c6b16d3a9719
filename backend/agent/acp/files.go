package acp

import (
	"bytes"

	"beckon/backend/agent"
	"beckon/backend/beckon"
)

// Files implements agent.Reader.
func (Reader) Files(raw []byte) (f agent.FileLine) {
	if !bytes.Contains(raw, []byte(`"`+ToolCallUpdate)) {
		return f
	}
	line := NewLine(raw)
	if line.Err != nil || line.Update == nil {
		return f
	}
	u := line.Update
	if u.Kind != ToolCallUpdate && u.Kind != ToolUpdate || u.ID == "" {
		return f
	}
	c := agent.FileCall{
		ID: u.ID, Begins: u.Kind == ToolCallUpdate, Verb: u.Verb(), Does: u.Target(), Path: u.Path(), Ends: u.Done(), Unsure: u.Failed(),
	}
	for _, content := range u.ToolCall.Content {
		if content.Type != "diff" {
			continue
		}
		if content.Path != c.Path { // several files
			c.Path, c.Changes = "", nil
			break
		}
		c.Changes = append(c.Changes, agent.FileChange{Before: content.OldText, After: content.NewText, Whole: content.OldText == ""})
	}
	switch {
	case u.Kind == ToolUpdate && u.ToolKind == "" && len(c.Changes) == 0: // the call said it
	case len(c.Changes) > 0 || c.Verb == beckon.Editing && c.Path != "":
		c.Effect = agent.EditsFile
	case c.Verb == beckon.Editing || c.Verb == beckon.Executing || c.Verb == beckon.Using:
		c.Effect = agent.MayChange
	}
	if c.Ends && u.Kind == ToolCallUpdate { // the call and its result in one
		begins := c
		begins.Ends, c.Begins = false, false
		return agent.FileLine{Calls: []agent.FileCall{begins, c}}
	}
	return agent.FileLine{Calls: []agent.FileCall{c}}
}
