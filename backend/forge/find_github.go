package forge

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/beckon/starting"
)

// issueOnGitHub is an issue or a pull request as GitHub's API has it under issues.
type issueOnGitHub struct {
	Number    int       `json:"number"`
	URL       string    `json:"html_url"`
	Title     string    `json:"title"`
	Body      string    `json:"body"`
	State     string    `json:"state"`
	CreatedAt time.Time `json:"created_at"`
	User      struct {
		Login string `json:"login"`
	} `json:"user"`
	Labels []struct {
		Name string `json:"name"`
	} `json:"labels"`
	PullRequest *struct{} `json:"pull_request"`
}

// item returns it as an issue.
func (one issueOnGitHub) item() starting.Item {
	item := starting.Item{
		Kind: starting.Issue, Number: one.Number, URL: one.URL, Title: one.Title, Body: one.Body, Author: one.User.Login,
		At: one.CreatedAt.UnixMilli(), Open: one.State == "open", Comments: []starting.ItemComment{},
	}
	for _, label := range one.Labels {
		item.Labels = append(item.Labels, label.Name)
	}
	return item
}

// pullOnGitHub is what only a pull request has.
type pullOnGitHub struct {
	Head      sideOnGitHub `json:"head"`
	Base      sideOnGitHub `json:"base"`
	Additions int          `json:"additions"`
	Deletions int          `json:"deletions"`
}

// complete makes an issue a pull request.
func (p pullOnGitHub) complete(item *starting.Item, r reviewing.PullRequest) {
	item.Kind, item.Branch, item.Base = starting.Pull, p.Head.Ref, p.Base.Ref
	item.Added, item.Removed = p.Additions, p.Deletions
	if p.Head.Repo == nil || !strings.EqualFold(p.Head.Repo.FullName, r.Repo) {
		item.Fork = "fork"
		if p.Head.User != nil {
			item.Fork = p.Head.User.Login
		}
	}
}

// sideOnGitHub is a branch of a pull request. A repository that was deleted is none.
type sideOnGitHub struct {
	Ref  string `json:"ref"`
	SHA  string `json:"sha"`
	Repo *struct {
		FullName string `json:"full_name"`
	} `json:"repo"`
	User *struct {
		Login string `json:"login"`
	} `json:"user"`
}

func (t tool) itemOnGitHub(ctx context.Context, r reviewing.PullRequest, w wanted) (item starting.Item, err error) {
	var one issueOnGitHub
	host := "--hostname=" + r.Server
	err = t.read(ctx, r, &one, "", "api", host, fmt.Sprintf("repos/%s/issues/%d", r.Repo, w.number))
	if errors.Is(err, beckon.ErrNotFound) || err == nil && (one.Number != w.number || w.kind == starting.Pull && one.PullRequest == nil) {
		return item, missing(r, w)
	}
	if err != nil {
		return item, err
	}
	item = one.item()
	if one.PullRequest == nil {
		return item, nil
	}
	var pull pullOnGitHub
	if err := t.read(ctx, r, &pull, "", "api", host, fmt.Sprintf("repos/%s/pulls/%d", r.Repo, w.number)); err != nil {
		return item, err
	}
	pull.complete(&item, r)
	r.Number, r.URL = item.Number, item.URL
	threads, err := t.threads(ctx, r)
	item.Comments = openComments(threads)
	return item, err
}
