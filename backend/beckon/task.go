package beckon

import (
	"cmp"
	"fmt"
	"slices"

	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/beckon/starting"
)

// Status is the column a Task is in.
type Status string

// The columns, in the board's order; archived tasks stand in none.
const (
	Backlog  Status = "backlog"
	Queued   Status = "queued"
	Running  Status = "running"
	Review   Status = "review"
	Done     Status = "done"
	Archived Status = "archived"
)

// Statuses lists every status.
var Statuses = []Status{Backlog, Queued, Running, Review, Done, Archived}

// moves is the whole task machine: where a card may go from each column.
var moves = map[Status][]Status{
	Backlog:  {Queued, Running, Done, Archived},
	Queued:   {Backlog, Running, Archived},
	Running:  {Backlog, Queued, Review},
	Review:   {Backlog, Queued, Running, Done, Archived},
	Done:     {Backlog, Review, Archived},
	Archived: {Backlog, Review, Done},
}

// Resolution is how the work on a task came to its end.
type Resolution string

// The resolutions; empty where there is none, or nothing was to be merged.
const (
	Merged    Resolution = "merged"    // its base has every commit of its branch
	Closed    Resolution = "closed"    // put into Done as it is; the branch keeps the work
	Discarded Resolution = "discarded" // taken away; a private ref keeps the work until KeptUntil
)

// Resolutions lists every resolution.
var Resolutions = []Resolution{Merged, Closed, Discarded}

// Task is one card: a piece of work, with one worktree and branch.
type Task struct {
	ID        string `json:"id"`
	ProjectID string `json:"projectId"`
	Number    int    `json:"number"` // counts within the project, from 1
	Key       string `json:"key"`    // the project's key and the number: KES-47
	Title     string `json:"title"`
	Brief     string `json:"brief"` // markdown
	Status    Status `json:"status"`
	// Rank orders the cards of a column, lowest first.
	Rank   float64  `json:"rank"`
	Labels []string `json:"labels"`
	// Priority is 0 for none, then 1 low, 2 medium, 3 high, 4 urgent.
	Priority int `json:"priority"`

	// Agent is the kind of agent that works on it, the Name of an AgentKind; empty for
	// Claude Code. The session is one of that kind.
	Agent  string         `json:"agent"`
	Model  string         `json:"model"` // empty: the project's
	Mode   PermissionMode `json:"mode"`
	Policy Policy         `json:"policy"`
	WaitMs int64          `json:"waitMs"`
	// Executor is the id of where its runs execute, executing.Here for this computer;
	// empty: the project's.
	Executor string `json:"executor"`

	// After is the id of the task that is to be over before the queue starts this
	// one; empty: none.
	After string `json:"after"`
	// StartsAt is before when the queue does not start it; 0: at any time.
	StartsAt int64 `json:"startsAt"`

	// Start is what it starts from.
	Start starting.Start `json:"start"`
	// TemplateID names the template that made it; empty where none did.
	TemplateID string `json:"templateId"`

	// Worktree is where its runs work; empty until the first one started.
	// Without git it is the project's folder.
	Worktree   string `json:"worktree"`
	Branch     string `json:"branch"`     // empty without git
	Base       string `json:"base"`       // the branch it started from
	BaseCommit string `json:"baseCommit"` // the commit of Base that the branch grew from, or took last
	Session    string `json:"session"`    // Claude's conversation id, empty until there is one

	Changes Changes `json:"changes"`
	Spent   Spent   `json:"spent"`
	// Attempt is set where it is one of two; it is computed when a task is read.
	Attempt *reviewing.Attempt `json:"attempt,omitempty"`
	// Trouble says why the task cannot go on, nil when it can.
	Trouble *reason.Reason `json:"why,omitempty"`
	// Resume is set while it is queued to resume on its own.
	Resume Resume `json:"resume"`

	// Resolution says how the work ended of a task in Done or archived.
	Resolution Resolution       `json:"resolution"`
	Landed     reviewing.Landed `json:"landed"`
	// ArchivedFrom is the column that an archived card came from.
	ArchivedFrom Status `json:"archivedFrom"`
	// RestoresTo is the column that an archived card goes back to as long as
	// what was discarded with it is kept. It is computed when a task is read.
	RestoresTo Status `json:"restoresTo"`
	// KeptRef is the private ref that keeps what was discarded, and KeptUntil
	// when it is let go.
	KeptRef   string `json:"keptRef"`
	KeptUntil int64  `json:"keptUntil"`

	Created int64 `json:"created"`
	Updated int64 `json:"updated"`
}

// MarshalJSON has "trouble" beside "why".
func (t Task) MarshalJSON() ([]byte, error) {
	type fields Task
	return t.Trouble.Beside(fields(t), "trouble")
}

// Changes sums up what a task's branch has against its base.
type Changes struct {
	Files   int      `json:"files"`
	Added   int      `json:"added"`   // lines
	Removed int      `json:"removed"` // lines
	Commits int      `json:"commits"`
	Paths   []string `json:"paths,omitempty"` // of the first files: as many as git/diff.Paths keeps
}

// Spent sums up what a task's ended runs took.
type Spent struct {
	Tokens   int64   `json:"tokens"`
	CostUSD  float64 `json:"costUsd"`
	WorkedMs int64   `json:"workedMs"`
}

// Add returns the sum of both.
func (s Spent) Add(t Spent) Spent {
	return Spent{s.Tokens + t.Tokens, s.CostUSD + t.CostUSD, s.WorkedMs + t.WorkedMs}
}

// NewTask is what CreateTask needs to know. Zero fields take the project's
// defaults; Status may be backlog (the default), queued or running.
type NewTask struct {
	ProjectID string         `json:"projectId"`
	Title     string         `json:"title"`
	Brief     string         `json:"brief"`
	Status    Status         `json:"status"`
	Labels    []string       `json:"labels"`
	Priority  int            `json:"priority"`
	Agent     string         `json:"agent"`
	Model     string         `json:"model"`
	Mode      PermissionMode `json:"mode"`
	Policy    Policy         `json:"policy"`
	WaitMs    int64          `json:"waitMs"`
	Executor  string         `json:"executor"`
	After     string         `json:"after"`
	StartsAt  int64          `json:"startsAt"`
	Start     starting.Start `json:"start"`
	// TemplateID names the template that makes it, if one does.
	TemplateID string `json:"templateId"`
}

// TaskEdit replaces what the user may edit of a task.
type TaskEdit struct {
	Title    string         `json:"title"`
	Brief    string         `json:"brief"`
	Labels   []string       `json:"labels"`
	Priority int            `json:"priority"`
	Agent    string         `json:"agent"` // kept as it is once there is a session
	Model    string         `json:"model"`
	Mode     PermissionMode `json:"mode"`
	Policy   Policy         `json:"policy"`
	WaitMs   int64          `json:"waitMs"` // 0 keeps what it is
	Executor string         `json:"executor"`
	After    string         `json:"after"`
	StartsAt int64          `json:"startsAt"`
	Start    starting.Start `json:"start"` // kept as it is once there is a branch
}

// Sizes that titles and briefs are held to, in bytes.
const (
	MaxTitle = 4 << 10
	MaxBrief = 256 << 10
)

// ExecutorOf returns the id of where a run of the task executes that begins now, in its
// project; empty for this computer.
func (t Task) ExecutorOf(p Project) string {
	if t.Executor == executing.Here {
		return ""
	}
	return cmp.Or(t.Executor, p.Executor)
}

// Over reports whether what waits for the task need not wait any more.
func (t Task) Over() bool {
	return t.Status == Done || t.Status == Archived && t.ArchivedFrom == Done
}

// Home is the column that the task goes back to if it is archived, else empty.
func (t Task) Home() Status {
	switch {
	case t.Status != Archived:
		return ""
	case t.Resolution == Discarded:
		return Review
	case t.ArchivedFrom == Queued: // it does not start by being restored
		return Backlog
	case t.ArchivedFrom != "":
		return t.ArchivedFrom
	case t.Resolution == Merged, t.Resolution == Closed:
		return Done
	case t.Session == "" && t.Branch == "":
		return Backlog
	default:
		return Review
	}
}

// WorksOn reports whether a task works on a branch, or will.
func (t Task) WorksOn(branch string) bool {
	if t.Status == Archived {
		return false
	}
	return t.Branch == branch || t.Branch == "" && t.Start.Kind.Adopts() && t.Start.Branch == branch
}

// Move puts the task in another column, or says why it may not go there.
func (t *Task) Move(to Status) error {
	if t.Status == to {
		return nil
	}
	if !slices.Contains(moves[t.Status], to) {
		return problem.New(problem.Move, fmt.Errorf("a task in %s cannot go to %s: %w", t.Status, to, ErrConflict), "from", string(t.Status), "to", string(to))
	}
	if to == Archived {
		t.ArchivedFrom = t.Status
	} else {
		t.ArchivedFrom = ""
	}
	if to != Archived && to != Done {
		t.Resolution, t.Landed = "", reviewing.Landed{}
	}
	t.Status = to
	t.Resume.At, t.Resume.Why = 0, ""
	if to != Running {
		t.Resume.Tries = 0
	}
	return nil
}
