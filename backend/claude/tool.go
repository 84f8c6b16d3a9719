package claude

import "encoding/json"

// ToolInput is what the inputs of the CLI's own tools have in common. A tool
// fills what it knows.
type ToolInput struct {
	Command      string `json:"command"`       // Bash
	Description  string `json:"description"`   // Bash, and what other tools call so
	FilePath     string `json:"file_path"`     // Read, Edit, Write
	NotebookPath string `json:"notebook_path"` // NotebookEdit
	OldString    string `json:"old_string"`    // Edit
	NewString    string `json:"new_string"`    // Edit
	Content      string `json:"content"`       // Write
	NewSource    string `json:"new_source"`    // NotebookEdit
	URL          string `json:"url"`           // WebFetch
	Edits        []struct {
		OldString string `json:"old_string"`
		NewString string `json:"new_string"`
	} `json:"edits"` // MultiEdit
}

// Change is a piece of a file's text, and what replaces it.
type Change struct{ Before, After string }

// Changes returns what a call of the tool asks to change in a file. Of a Write
// and of a cell the call does not tell what they replace.
func (t ToolInput) Changes(tool string) []Change {
	switch tool {
	case "Edit":
		return []Change{{t.OldString, t.NewString}}
	case "Write":
		return []Change{{"", t.Content}}
	case "NotebookEdit":
		return []Change{{"", t.NewSource}}
	case "MultiEdit":
		changes := make([]Change, 0, len(t.Edits))
		for _, e := range t.Edits {
			changes = append(changes, Change{e.OldString, e.NewString})
		}
		return changes
	default:
		return nil
	}
}

// DecodeToolInput decodes a tool's input; what does not fit is left out.
func DecodeToolInput(input json.RawMessage) ToolInput {
	var t ToolInput
	_ = Unmarshal(input, &t) // an input of another shape has none of these
	return t
}
