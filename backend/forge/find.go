package forge

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/beckon/starting"
)

// This file finds the pull request or the issue that a task is to start from. What a server
// says is shown and put into a brief, and never followed: branches are checked, addresses
// are those of the server.

// wanted is what is looked for on a server.
type wanted struct {
	number int
	kind   starting.Kind // empty: either
}

var (
	// number is what people write for a request or an issue: #412, on GitLab also !412.
	number = regexp.MustCompile(`^([#!]?)([0-9]{1,9})$`)
	// page is the path of its page: GitHub's and GitLab's.
	page = regexp.MustCompile(`^/(.+?)/(?:-/)?(pull|issues|merge_requests)/([0-9]{1,9})(?:/.*)?$`)
)

// Find asks the server of a project for a pull request or an issue, by what the user typed
// for it: #412, !412, 412 or the address of its page. The error wraps ErrNotFound where the
// server has none, ErrInvalid where the text names none of the project's repository, and
// ErrUnavailable where no program of this machine can ask.
func (f *Forge) Find(ctx context.Context, projectID, text string) (starting.Item, error) {
	x, err := f.askable(ctx, projectID)
	if err != nil {
		return starting.Item{}, err
	}
	w, err := want(text, x.PullRequest)
	if err != nil {
		return starting.Item{}, err
	}
	item, err := x.tool.item(ctx, x.PullRequest, w)
	if err != nil {
		return item, err
	}
	return x.own(item), nil
}

// askable finds the server of a project and what asks it. The error wraps ErrUnavailable where no
// program of this machine can.
func (f *Forge) askable(ctx context.Context, projectID string) (x target, err error) {
	p, err := f.Project(ctx, projectID)
	if err == nil {
		err = p.CheckTrust()
	}
	if err == nil {
		x, err = f.server(ctx, p, p.Base)
	}
	if err == nil && x.tool == nil {
		err = noTool(x.Server)
	}
	return x, err
}

// own gives an item what the project's server makes of it.
func (x target) own(item starting.Item) starting.Item {
	item.URL, item.Tool = pageOn(x.Server, item.URL), x.tool.name
	item.Labels, item.Start = beckon.NonNil(item.Labels), startOf(item, x.PullRequest)
	return item
}

// want reads what the user typed.
func want(text string, r reviewing.PullRequest) (wanted, error) {
	text = strings.TrimSpace(text)
	if m := number.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[2]) // of at most nine digits
		return wanted{n, map[string]starting.Kind{"!": starting.Pull}[m[1]]}, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return wanted{}, beckon.Invalid("%.80q names no pull request and no issue", text)
	}
	m := page.FindStringSubmatch(u.Path)
	if m == nil {
		return wanted{}, beckon.Invalid("%.80q is not the page of a pull request or an issue", text)
	}
	if !strings.EqualFold(u.Hostname(), r.Server) || !strings.EqualFold(m[1], r.Repo) {
		there, here := u.Hostname()+"/"+m[1], r.Server+"/"+r.Repo
		return wanted{}, problem.New(problem.OtherRepo, beckon.Invalid("it belongs to %s, the project to %s", there, here), "repo", there, "here", here)
	}
	n, _ := strconv.Atoi(m[3]) // of at most nine digits
	if m[2] == "issues" {
		return wanted{n, starting.Issue}, nil
	}
	return wanted{n, starting.Pull}, nil
}

// startOf is what a task starts from that is made of an item.
func startOf(item starting.Item, r reviewing.PullRequest) starting.Start {
	s := starting.Start{Kind: item.Kind, Number: item.Number, URL: item.URL}
	if item.Kind == starting.Issue {
		return s
	}
	s.Remote, s.Base, s.Branch = r.Remote, item.Base, item.Branch
	s.Ref = "refs/heads/" + item.Branch
	if item.Fork == "" {
		return s
	}
	s.Branch = item.Fork + "/" + item.Branch
	r.Number = item.Number
	s.Ref = requestRef(r)
	return s
}

// requestRef is where a server keeps the newest commit of a request.
func requestRef(r reviewing.PullRequest) string {
	if r.Host == reviewing.GitLab {
		return fmt.Sprintf("refs/merge-requests/%d/head", r.Number)
	}
	return fmt.Sprintf("refs/pull/%d/head", r.Number)
}

// item asks for a pull request or an issue.
func (t tool) item(ctx context.Context, r reviewing.PullRequest, w wanted) (starting.Item, error) {
	if t.name == "glab" {
		return t.itemOnGitLab(ctx, r, w)
	}
	return t.itemOnGitHub(ctx, r, w)
}

// missing is the error of a number that names nothing on a server.
func missing(r reviewing.PullRequest, w wanted) error {
	n, repo := strconv.Itoa(w.number), r.Repo
	return problem.New(problem.NotOnForge, fmt.Errorf("#%s is no pull request and no issue of %s: %w", n, repo, beckon.ErrNotFound), "number", n, "repo", repo)
}
