package claude

import (
	"encoding/json"

	"beckon/backend/agent/lenient"
)

// ToolInput is what the inputs of the CLI's own tools have in common. A tool
// fills what it knows.
type ToolInput struct {
	Command      string       `json:"command"`       // Bash
	Description  string       `json:"description"`   // Bash, and what other tools call so
	FilePath     string       `json:"file_path"`     // Read, Edit, Write
	NotebookPath string       `json:"notebook_path"` // NotebookEdit
	OldString    lenient.Text `json:"old_string"`    // Edit
	NewString    lenient.Text `json:"new_string"`    // Edit
	Content      lenient.Text `json:"content"`       // Write
	NewSource    lenient.Text `json:"new_source"`    // NotebookEdit
	URL          string       `json:"url"`           // WebFetch
	Edits        []struct {
		OldString lenient.Text `json:"old_string"`
		NewString lenient.Text `json:"new_string"`
	} `json:"edits"` // MultiEdit
}

// Change is a piece of a file's text, and what replaces it.
type Change struct{ Before, After string }

// Changes returns what a call of the tool asks to change in a file. Of a Write
// and of a cell the call does not tell what they replace.
func (t ToolInput) Changes(tool string) []Change {
	switch tool {
	case "Edit":
		return []Change{{string(t.OldString), string(t.NewString)}}
	case "Write":
		return []Change{{"", string(t.Content)}}
	case "NotebookEdit":
		return []Change{{"", string(t.NewSource)}}
	case "MultiEdit":
		changes := make([]Change, 0, len(t.Edits))
		for _, e := range t.Edits {
			changes = append(changes, Change{string(e.OldString), string(e.NewString)})
		}
		return changes
	default:
		return nil
	}
}

// DecodeToolInput decodes a tool's input; what does not fit is left out.
func DecodeToolInput(input json.RawMessage) ToolInput {
	var t ToolInput
	_ = lenient.Unmarshal(input, &t) // an input of another shape has none of these
	return t
}
