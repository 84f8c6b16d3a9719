// Package pull has the words for pull requests, which GitLab calls merge requests: the
// way in which a task's branch is taken on a server of git. It has no I/O and knows no
// other package.
package pull

// Host is a kind of server that has pull requests.
type Host string

// The hosts.
const (
	GitHub Host = "github"
	GitLab Host = "gitlab"
	Other  Host = "other" // Beckon pushes to it, and knows no more
)

// Hosts lists every host.
var Hosts = []Host{GitHub, GitLab, Other}

// State is how a pull request stands.
type State string

// The states.
const (
	Pushed State = "pushed" // the branch is there, and no request that Beckon opened
	Open   State = "open"
	Draft  State = "draft"
	Merged State = "merged"
	Closed State = "closed"
)

// States lists every state.
var States = []State{Pushed, Open, Draft, Merged, Closed}

// Asked reports whether the state may become another by itself.
func (s State) Asked() bool { return s == Open || s == Draft }

// Checks counts what the server checks of a pull request.
type Checks struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Pending int `json:"pending"`
}

// Request is the pull request that Beckon opened for a task.
type Request struct {
	TaskID string `json:"taskId"`
	Host   Host   `json:"host"`
	Server string `json:"server"` // such as github.com
	Repo   string `json:"repo"`   // there, such as ada/kestrel
	Remote string `json:"remote"` // that the branch was pushed to
	Branch string `json:"branch"`
	Base   string `json:"base"`
	Commit string `json:"commit"` // that was pushed last
	Number int    `json:"number"` // 0: there is none yet
	// URL is its page, or where there is none the page that opens one; empty where
	// that is unknown.
	URL    string `json:"url"`
	State  State  `json:"state"`
	Checks Checks `json:"checks"`
	Seen   int64  `json:"seen"` // when the server last said so
	// Stale says that the server was not reached the last time.
	Stale bool `json:"stale"`
}

// Proposal is what would be opened for a task.
type Proposal struct {
	Title  string `json:"title"`
	Body   string `json:"body"`
	Branch string `json:"branch"`
	Base   string `json:"base"`
	Remote string `json:"remote"` // its name in the repository
	Server string `json:"server"`
	Host   Host   `json:"host"`
	// Tool is the program that opens it, gh or glab; empty where it is not found, so
	// that the page of the server is shown instead.
	Tool string `json:"tool"`
	// Rewritten says that the branch has no longer what Beckon pushed, which pushing
	// would replace.
	Rewritten bool `json:"rewritten"`
}

// Order is what the user makes of a proposal.
type Order struct {
	Title string `json:"title"`
	Body  string `json:"body"`
	Draft bool   `json:"draft"`
	// Replace lets the push replace what Beckon itself pushed before, and nothing else.
	Replace bool `json:"replace"`
}
