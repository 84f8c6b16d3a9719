package beckon

// This file has the words for what the desktop asks of the page.

// PageCallKind tells what the desktop asks of the page.
type PageCallKind string

// The kinds.
const (
	PageShow    PageCallKind = "show"       // go to Route
	PageNewTask PageCallKind = "newTask"    // open the sheet for a new task
	PageNext    PageCallKind = "answerNext" // show the question that waits longest
	PageQuit    PageCallKind = "quit"       // ask what becomes of the agents and of what runs in terminals
	PageFolder  PageCallKind = "folder"     // offer to make Paths[0] a project
	PageFiles   PageCallKind = "files"      // Paths were dropped at X, Y
	PageHint    PageCallKind = "hint"       // say that Beckon goes on in the tray
	PageTrouble PageCallKind = "trouble"    // say Text
)

// PageCallKinds lists every kind.
var PageCallKinds = []PageCallKind{PageShow, PageNewTask, PageNext, PageQuit, PageFolder, PageFiles, PageHint, PageTrouble}

// PageCall is what the desktop asks of the page. Unlike an Event it is no
// value of anything, so each is handed to the page exactly once.
type PageCall struct {
	Kind   PageCallKind `json:"kind"`
	Route  string       `json:"route"` // an address of the page: #/task/KES-47
	Agents int          `json:"agents"`
	Keys   []string     `json:"keys"` // of the tasks in whose terminals something runs
	Paths  []string     `json:"paths"`
	X      int          `json:"x"`
	Y      int          `json:"y"`
	Text   string       `json:"text"`
}

// QuitChoice is what becomes of the agents that work when Beckon quits.
type QuitChoice string

// The choices.
const (
	QuitAsk  QuitChoice = "ask"  // quit if none works, else ask in the page
	QuitStop QuitChoice = "stop" // stop them; their work is kept
	QuitPark QuitChoice = "park" // end them, and resume them at the next start
)

// QuitChoices lists every choice.
var QuitChoices = []QuitChoice{QuitAsk, QuitStop, QuitPark}
