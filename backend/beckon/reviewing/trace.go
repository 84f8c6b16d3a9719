package reviewing

// Trace is who wrote the lines that a task's work added.
type Trace struct {
	Head      string // the commit of its branch
	Committed bool   // Head has all of the work
	Files     []TracedFile
	Left      int // files of which there was too much
}

// TracedFile are the lines of a file.
type TracedFile struct {
	Path string
	// Unknown is why nothing can be known of them; empty: it can.
	Unknown   string
	Stretches []TracedLines
}

// Writer is who wrote lines.
type Writer string

// The writers.
const (
	Agents  Writer = "agent" // calls of the task's agents
	Perhaps Writer = "mixed" // they, or somebody else
	Others  Writer = "other" // none of them
	Nobody  Writer = "unknown"
)

// TracedLines are lines in a row that the same call wrote, or of which as little is known.
type TracedLines struct {
	First, Last int
	By          Writer
	// Models are those of the runs whose calls it may have been, each once; empty where one is not known.
	Models []string
}
