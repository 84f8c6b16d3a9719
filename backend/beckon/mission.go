package beckon

// Mission is how Mission Control is laid out.
type Mission struct {
	Layout int `json:"layout"` // panes at once: 1, 4, 6 or 9
	// Panes are the tasks that have a place, in order. Where there are fewer
	// than the layout holds, live runs fill it on their own.
	Panes []Pane `json:"panes"`
	// Removed are the tasks whose pane the user took away: their agents get no
	// pane on their own until they need the user.
	Removed []string `json:"removed"`
	// Maximised is the task whose pane fills the whole; empty for none.
	Maximised string `json:"maximised"`
}

// Pane is a task's place in Mission Control.
type Pane struct {
	TaskID string `json:"taskId"`
	Pinned bool   `json:"pinned"` // what needs the user does not take its place
}

// DefaultMission is that of a fresh install.
func DefaultMission() Mission { return Mission{Layout: 4, Panes: []Pane{}, Removed: []string{}} }
