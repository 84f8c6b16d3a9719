// Package calls has the words in which a Beckon has another machine keep worktrees, beside
// agents. Calls name projects and tasks by their ids, which become folders there.
package calls

// The calls, with what each takes and gives.
const (
	Look    = "look"    // nothing; executing.Found
	Prepare = "prepare" // Project; Prepared
	Put     = "put"     // Work; Worktree
	Meet    = "meet"    // Task; Meeting
	Along   = "along"   // Files; Missed
	SetUp   = "setup"   // Setup; nothing
	Take    = "take"    // Task; Taken
	Remove  = "remove"  // Task; nothing
	Left    = "left"    // Scope; executing.Left
	Runs    = "runs"    // Owner; Ended
	Clear   = "clear"   // Scope; nothing
)

// Project is a repository.
type Project struct {
	ID string `json:"id"`
	// Owner is the Beckon whose project it is; see Scope.
	Owner string `json:"owner"`
	// UserName and UserEmail sign commits, where the account there has no own.
	UserName  string `json:"userName"`
	UserEmail string `json:"userEmail"`
}

// Prepared is where the repository is that work is pushed to and fetched from.
type Prepared struct {
	Dir string `json:"dir"`
}

// Task is a worktree of a project's repository.
type Task struct {
	ProjectID string `json:"projectId"`
	ID        string `json:"id"`
	Branch    string `json:"branch"`
}

// Work is what a worktree is to have; see package mirror.
type Work struct {
	Task

	Commit string `json:"commit"` // that was pushed to PushedTo
	Have   string `json:"have"`   // what both have, as its sender knows; empty: nothing
}

// Meeting is where the files that git ignores are pushed to which a task gets along, a
// repository for this once; empty where it has them.
type Meeting struct {
	Dir string `json:"dir"`
}

// Files is a commit that was pushed to a Meeting, of files that are to be put into a worktree.
type Files struct {
	Task

	Commit string `json:"commit"`
}

// Missed are the first of the files that were not put there: what git does not ignore there,
// or where something else is.
type Missed struct {
	Paths []string `json:"paths"`
}

// Setup is a command that sh runs in a worktree with Env, until it succeeded once.
type Setup struct {
	Task

	Command string   `json:"command"`
	Env     []string `json:"env"`
}

// Worktree is where the task's agent works.
type Worktree struct {
	Dir string `json:"dir"`
}

// Taken is the commit that the worktree amounts to, which is at TakenFrom in the repository
// in that folder; empty where there is no worktree.
type Taken struct {
	Commit string `json:"commit"`
	Repo   string `json:"repo"`
}

// Owner is a Beckon: its runs' names begin with the prefix, and all that live are named.
type Owner struct {
	Prefix string   `json:"prefix"`
	Runs   []string `json:"runs"`
}

// Scope says whose things are meant: what the Beckon of that Owner has there. Projects are
// its own, since one that an older Beckon made there has no owner's name. Without an owner
// it is everything there.
type Scope struct {
	Owner    string   `json:"owner"`
	Projects []string `json:"projects"`
}

// Ended are the names of the runs whose agents were ended.
type Ended struct {
	Runs []string `json:"runs"`
}

// PushedTo and TakenFrom are the refs, in the repository there, by which a task's work
// goes there and comes home.
func PushedTo(taskID string) string  { return "refs/beckon/in/" + taskID }
func TakenFrom(taskID string) string { return "refs/beckon/out/" + taskID }
