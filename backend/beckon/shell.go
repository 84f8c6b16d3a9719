package beckon

// ShellKind tells what the desktop asks of the page.
type ShellKind string

// The kinds.
const (
	ShellShow    ShellKind = "show"       // go to Route
	ShellNewTask ShellKind = "newTask"    // open the sheet for a new task
	ShellNext    ShellKind = "answerNext" // show the question that waits longest
	ShellQuit    ShellKind = "quit"       // ask what becomes of the agents
	ShellFolder  ShellKind = "folder"     // offer to make Paths[0] a project
	ShellFiles   ShellKind = "files"      // Paths were dropped at X, Y
	ShellHint    ShellKind = "hint"       // say that Beckon goes on in the tray
	ShellTrouble ShellKind = "trouble"    // say Text
)

// ShellKinds lists every kind.
var ShellKinds = []ShellKind{ShellShow, ShellNewTask, ShellNext, ShellQuit, ShellFolder, ShellFiles, ShellHint, ShellTrouble}

// ShellEvent is what the desktop asks of the page. Unlike an Event it is no
// value of anything, so each is handed to the page exactly once.
type ShellEvent struct {
	Kind   ShellKind `json:"kind"`
	Route  string    `json:"route"` // an address of the page: #/task/KES-47
	Agents int       `json:"agents"`
	Paths  []string  `json:"paths"`
	X      int       `json:"x"`
	Y      int       `json:"y"`
	Text   string    `json:"text"`
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
