package reviewing

import (
	"path"
	"strings"
)

// This file has the words for pull requests, which GitLab calls merge requests: the
// way in which a task's branch is taken on a server of git.

// PullHost is a kind of server that has pull requests.
type PullHost string

// The hosts.
const (
	GitHub    PullHost = "github"
	GitLab    PullHost = "gitlab"
	OtherHost PullHost = "other" // Beckon pushes to it, and knows no more
)

// PullHosts lists every host.
var PullHosts = []PullHost{GitHub, GitLab, OtherHost}

// PullState is how a pull request stands.
type PullState string

// The states.
const (
	PullPushed PullState = "pushed" // the branch is there, and no request that Beckon opened
	PullOpen   PullState = "open"
	PullDraft  PullState = "draft"
	PullMerged PullState = "merged"
	PullClosed PullState = "closed"
)

// PullStates lists every state.
var PullStates = []PullState{PullPushed, PullOpen, PullDraft, PullMerged, PullClosed}

// Asked reports whether the state may become another by itself.
func (s PullState) Asked() bool { return s == PullOpen || s == PullDraft }

// PullChecks counts what the server checks of a pull request.
type PullChecks struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Pending int `json:"pending"`
}

// PullRequest is the pull request that Beckon opened for a task.
type PullRequest struct {
	TaskID string   `json:"taskId"`
	Host   PullHost `json:"host"`
	Server string   `json:"server"` // such as github.com
	Repo   string   `json:"repo"`   // there, such as ada/kestrel
	Remote string   `json:"remote"` // that the branch was pushed to
	Branch string   `json:"branch"`
	Base   string   `json:"base"`
	Commit string   `json:"commit"` // that was pushed last
	Number int      `json:"number"` // 0: there is none yet
	// URL is its page, or where there is none the page that opens one; empty where
	// that is unknown.
	URL    string     `json:"url"`
	State  PullState  `json:"state"`
	Checks PullChecks `json:"checks"`
	Seen   int64      `json:"seen"` // when the server last said so
	// Stale says that the server was not reached the last time.
	Stale bool `json:"stale"`
}

// SameOwner reports whether two requests are of one server, and of repositories of one owner
// there: of a group within a group, of that.
func (r PullRequest) SameOwner(other PullRequest) bool {
	owner, others := path.Dir(r.Repo), path.Dir(other.Repo)
	return owner != "." && strings.EqualFold(owner, others) && r.Server != "" && strings.EqualFold(r.Server, other.Server)
}

// PullProposal is what would be opened for a task.
type PullProposal struct {
	Title  string   `json:"title"`
	Body   string   `json:"body"`
	Branch string   `json:"branch"`
	Base   string   `json:"base"`
	Remote string   `json:"remote"` // its name in the repository
	Server string   `json:"server"`
	Host   PullHost `json:"host"`
	// Tool is the program that opens it, gh or glab; empty where it is not found, so
	// that the page of the server is shown instead.
	Tool string `json:"tool"`
	// Rewritten says that the branch has no longer what Beckon pushed, which pushing
	// would replace.
	Rewritten bool `json:"rewritten"`
}

// PullOrder is what the user makes of a proposal.
type PullOrder struct {
	Title string `json:"title"`
	Body  string `json:"body"`
	Draft bool   `json:"draft"`
	// Replace lets the push replace what Beckon itself pushed before, and nothing else.
	Replace bool `json:"replace"`
}

// together marks the line of a description that names other requests.
const together = "<!-- beckon: together -->"

// NameOthers returns a description of a request with a line that names others, by their pages:
// in place of the one that it has, if it has one.
func NameOthers(description string, pages []string) string {
	line := "Together with " + strings.Join(pages, ", ") + " " + together
	lines := strings.Split(description, "\n")
	for i, was := range lines {
		if strings.Contains(was, together) {
			lines[i] = line
			return strings.Join(lines, "\n")
		}
	}
	return strings.TrimSpace(strings.TrimRight(description, " \t\r\n") + "\n\n" + line)
}
