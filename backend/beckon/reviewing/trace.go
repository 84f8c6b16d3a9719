package reviewing

// Trace is who wrote the lines that a task's work added.
type Trace struct {
	Head      string // the commit of its branch
	Committed bool   // Head has all of the work
	Files     []TracedFile
	Left      int // files of which there was too much
	// Parts are the further repositories of the task, of which nothing is said.
	Parts []string
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
	// Nobody is said of what is not known, and of what none of the calls wrote: a person, a hook or
	// another program may have.
	Nobody Writer = "unknown"
)

// TracedLines are lines in a row that the same call wrote, or of which as little is known.
type TracedLines struct {
	First, Last int
	By          Writer
	// Runs are the ids of those whose calls it may have been.
	Runs []string
}
