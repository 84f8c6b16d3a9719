package beckon

// Landmark is a place in a transcript worth jumping to: what the user said, a
// question, the end of a turn, a failure.
type Landmark struct {
	RunID string    `json:"runId"`
	Pos   int64     `json:"pos"`
	Part  int       `json:"part"`
	Kind  EntryKind `json:"kind"`
	Text  string    `json:"text"` // its first line, cut
	At    int64     `json:"at"`
}

// ExportFormat is what a run is exported as.
type ExportFormat string

// The formats.
const (
	ExportHTML ExportFormat = "html" // to be read
	ExportJSON ExportFormat = "json" // to be worked on: entries
)

// ExportFormats lists every format.
var ExportFormats = []ExportFormat{ExportHTML, ExportJSON}
