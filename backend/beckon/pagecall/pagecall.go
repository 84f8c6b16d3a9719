// Package pagecall has the words for what the desktop asks of the page. Like beckon it
// is words, and no work.
package pagecall

// Kind tells what the desktop asks of the page.
type Kind string

// The kinds.
const (
	Show    Kind = "show"       // go to Route
	NewTask Kind = "newTask"    // open the sheet for a new task
	Next    Kind = "answerNext" // show the question that waits longest
	Quit    Kind = "quit"       // ask what becomes of the agents
	Folder  Kind = "folder"     // offer to make Paths[0] a project
	Files   Kind = "files"      // Paths were dropped at X, Y
	Hint    Kind = "hint"       // say that Beckon goes on in the tray
	Trouble Kind = "trouble"    // say Text
)

// Kinds lists every kind.
var Kinds = []Kind{Show, NewTask, Next, Quit, Folder, Files, Hint, Trouble}

// Call is what the desktop asks of the page. Unlike a beckon.Event it is no
// value of anything, so each is handed to the page exactly once.
type Call struct {
	Kind   Kind     `json:"kind"`
	Route  string   `json:"route"` // an address of the page: #/task/KES-47
	Agents int      `json:"agents"`
	Paths  []string `json:"paths"`
	X      int      `json:"x"`
	Y      int      `json:"y"`
	Text   string   `json:"text"`
}
