package reviewing

import "testing"

func TestRequestsOfOneOwnerAreOfOneServerAndGroup(t *testing.T) {
	t.Parallel()
	ada := PullRequest{Server: "github.com", Repo: "ada/kestrel"}
	for name, c := range map[string]struct {
		r, other PullRequest
		want     bool
	}{
		"one owner":      {ada, PullRequest{Server: "GitHub.com", Repo: "Ada/proto"}, true},
		"another owner":  {ada, PullRequest{Server: "github.com", Repo: "bob/proto"}, false},
		"another server": {ada, PullRequest{Server: "gitlab.com", Repo: "ada/proto"}, false},
		"another group":  {PullRequest{Server: "x", Repo: "ada/open/a"}, PullRequest{Server: "x", Repo: "ada/closed/b"}, false},
		"one group":      {PullRequest{Server: "x", Repo: "ada/open/a"}, PullRequest{Server: "x", Repo: "ada/open/b"}, true},
		"no owner":       {PullRequest{Server: "x", Repo: "a"}, PullRequest{Server: "x", Repo: "b"}, false},
		"no server":      {PullRequest{Repo: "ada/a"}, PullRequest{Repo: "ada/b"}, false},
	} {
		if got := c.r.SameOwner(c.other); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
