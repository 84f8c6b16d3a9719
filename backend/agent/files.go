package agent

import "beckon/backend/beckon"

// FileLine is what a line says of tool calls, as far as files are concerned.
type FileLine struct {
	// Folder is where the agent works, of a line that says so; "" of any other.
	Folder string
	Calls  []FileCall
}

// Effect is what a tool call may do to files.
type Effect string

// The effects.
const (
	NoEffect  Effect = ""       // it reads, searches or asks
	EditsFile Effect = "edits"  // the one file that it names
	MayChange Effect = "change" // any file: a command, or a tool that is not known
)

// FileCall is a tool call, or its result.
type FileCall struct {
	ID     string
	Parent string // the call that began the sub-agent which calls; "" of the main agent
	// Begins is whether the call is made here: one with the id of a call that ended is another.
	Begins bool
	// Ends is whether this is the result. A line that has both is two FileCalls.
	Ends bool
	// Undone is whether a result says that the changes were not made, Unsure whether they may
	// not have been.
	Undone, Unsure bool

	// The rest is of the call; of a result what that knows better.

	Effect Effect
	Verb   beckon.Verb
	Does   string // the file, command or pattern, on one line
	Path   string // as the agent names it
	// Changes are made in the file one after the other. Without any the call does not say
	// what it does to the file.
	Changes []FileChange
	// Original is what the file was right before; nil where that is not said.
	Original *string
	// Stays is whether what the call began goes on behind its result.
	Stays bool
}

// FileChange replaces a text in a file.
type FileChange struct {
	Before, After string
	// Whole is whether After becomes all of the file, All whether each Before is replaced.
	// Without either Before is to be there once.
	Whole, All bool
	// WithLineFeed is whether the line feed behind Before goes as well, if there is one.
	WithLineFeed bool
}
