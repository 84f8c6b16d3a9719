package claude

import "encoding/json"

// ToolInput is what the inputs of the CLI's own tools have in common. A tool
// fills what it knows.
type ToolInput struct {
	Command      string `json:"command"`       // Bash
	FilePath     string `json:"file_path"`     // Read, Edit, Write
	NotebookPath string `json:"notebook_path"` // NotebookEdit
	OldString    string `json:"old_string"`    // Edit
	NewString    string `json:"new_string"`    // Edit
	Content      string `json:"content"`       // Write
	URL          string `json:"url"`           // WebFetch
}

// DecodeToolInput decodes a tool's input; what does not fit is left out.
func DecodeToolInput(input json.RawMessage) ToolInput {
	var t ToolInput
	_ = unmarshal(input, &t) // an input of another shape has none of these
	return t
}
