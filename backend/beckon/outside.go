package beckon

// OutsideStatus is what a session that runs elsewhere does.
type OutsideStatus string

// The statuses. Of a session without a terminal, and of older versions, none
// is known.
const (
	OutsideIdle    OutsideStatus = "idle"
	OutsideBusy    OutsideStatus = "busy"
	OutsideWaiting OutsideStatus = "waiting"
)

// OutsideStatuses lists every one.
var OutsideStatuses = []OutsideStatus{OutsideIdle, OutsideBusy, OutsideWaiting}

// OutsideSession is a session of Claude Code's on this machine that Beckon did
// not start.
type OutsideSession struct {
	ID         string        `json:"id"`
	RunID      string        `json:"runId"` // of its questions; empty before it asks
	Name       string        `json:"name"`
	Dir        string        `json:"dir"`
	Repo       string        `json:"repo"` // the main worktree's folder, where Dir is in another one's; else empty
	Root       string        `json:"root"` // the folder of the CLI's files
	Version    string        `json:"version"`
	Entrypoint string        `json:"entrypoint"` // cli for a terminal, sdk-cli for a script, or another program
	Status     OutsideStatus `json:"status"`     // empty: unknown
	Started    int64         `json:"started"`
	Ended      int64         `json:"ended"` // 0 while it lives
	// LastText is the newest that was said in it.
	LastText   string   `json:"lastText"`
	LastByUser bool     `json:"lastByUser"`
	LastAt     int64    `json:"lastAt"`
	Tmux       bool     `json:"tmux"`   // its terminal is a pane of tmux
	Agents     []string `json:"agents"` // sub-agents that work
	// Awaited says that Beckon continues it once it is closed where it runs, and
	// Trouble why it could not.
	Awaited bool     `json:"awaited"`
	Trouble *Failure `json:"trouble,omitempty"`
	// Asks are its open questions.
	Asks []OutsideAsk `json:"asks"`
}

// OutsideAsk is how an open question of such a session can be answered.
type OutsideAsk struct {
	QuestionID string    `json:"questionId"`
	Way        AnswerWay `json:"way"`
	OnScreen   bool      `json:"onScreen"` // the terminal shows its dialog: there is no other that it could show
}

// AnswerWay is the way that an answer takes to a session that runs elsewhere.
type AnswerWay string

// The ways.
const (
	WayHook     AnswerWay = "hook"     // its hook waits
	WayKeys     AnswerWay = "keys"     // typed into its terminal
	WayTerminal AnswerWay = "terminal" // none from here
)

// AnswerWays lists every one.
var AnswerWays = []AnswerWay{WayHook, WayKeys, WayTerminal}
