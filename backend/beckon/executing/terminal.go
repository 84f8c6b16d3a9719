package executing

// Terminal is a shell of the user's in the worktree of a task.
type Terminal struct {
	ID      string `json:"id"`
	TaskID  string `json:"taskId"`
	Place   string `json:"place"` // the name of the executor where it runs; empty: this computer
	Dir     string `json:"dir"`   // the worktree there
	Started int64  `json:"started"`
	Ended   int64  `json:"ended"` // 0 while it runs
	// Code is the exit code, -1 where a signal ended it, which Signal names then.
	Code   int    `json:"code"`
	Signal string `json:"signal"`
	// Length is how much it printed so far, in bytes. Clients learn that there is more, not
	// each length.
	Length int64 `json:"length"`
}

// TerminalSize is that of a terminal, in cells.
type TerminalSize struct {
	Cols int `json:"cols"`
	Rows int `json:"rows"`
}

// TerminalOutput is a part of what a terminal printed.
type TerminalOutput struct {
	Data string `json:"data"` // the bytes, in base64
	From int64  `json:"from"` // where they begin; later than asked for where that is not kept any more
	Next int64  `json:"next"` // where they go on
	// More says that there is more already. Else the terminal's event says when there is.
	More bool `json:"more"`
	// End is how much was printed in all by now, in bytes.
	End int64 `json:"end"`
}
