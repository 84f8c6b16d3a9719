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
	PullRequest *struct{} `json:"pull_request"`
}

// pullOnGitHub is what only a pull request has.
type pullOnGitHub struct {
	Head      sideOnGitHub `json:"head"`
	Base      sideOnGitHub `json:"base"`
	Additions int          `json:"additions"`
	Deletions int          `json:"deletions"`
}

// sideOnGitHub is a branch of a pull request. A repository that was deleted is none.
type sideOnGitHub struct {
	Ref  string `json:"ref"`
	Repo *struct {
		FullName string `json:"full_name"`
	} `json:"repo"`
	User *struct {
		Login string `json:"login"`
	} `json:"user"`
}

// threadsOnGitHub is the answer to threadsQuery.
type threadsOnGitHub struct {
	Data struct {
		Repository struct {
			PullRequest struct {
				ReviewThreads struct {
					Nodes []struct {
						IsResolved   bool   `json:"isResolved"`
						Path         string `json:"path"`
						Line         int    `json:"line"`
						OriginalLine int    `json:"originalLine"`
						Comments     struct {
							Nodes []struct {
								Body   string `json:"body"`
								Author *struct {
									Login string `json:"login"`
								} `json:"author"`
							} `json:"nodes"`
						} `json:"comments"`
					} `json:"nodes"`
				} `json:"reviewThreads"`
			} `json:"pullRequest"`
		} `json:"repository"`
	} `json:"data"`
}

// threadsQuery asks for the comments of a pull request by threads: only these say whether
// they are resolved.
const threadsQuery = `query($owner:String!,$name:String!,$number:Int!){repository(owner:$owner,name:$name){pullRequest(number:$number){` +
	`reviewThreads(first:100){nodes{isResolved path line originalLine comments(first:20){nodes{body author{login}}}}}}}}`

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
	item = starting.Item{
		Kind: starting.Issue, Number: one.Number, URL: one.URL, Title: one.Title, Body: one.Body, Author: one.User.Login,
		At: one.CreatedAt.UnixMilli(), Open: one.State == "open", Comments: []starting.ItemComment{},
	}
	if one.PullRequest == nil {
		return item, nil
	}
	var pull pullOnGitHub
	if err := t.read(ctx, r, &pull, "", "api", host, fmt.Sprintf("repos/%s/pulls/%d", r.Repo, w.number)); err != nil {
		return item, err
	}
	item.Kind, item.Branch, item.Base = starting.Pull, pull.Head.Ref, pull.Base.Ref
	item.Added, item.Removed = pull.Additions, pull.Deletions
	if pull.Head.Repo == nil || !strings.EqualFold(pull.Head.Repo.FullName, r.Repo) {
		item.Fork = "fork"
		if pull.Head.User != nil {
			item.Fork = pull.Head.User.Login
		}
	}
	item.Comments, err = t.threadsOnGitHub(ctx, r, w.number)
	return item, err
}

// threadsOnGitHub returns the comments of a pull request that are not resolved.
func (t tool) threadsOnGitHub(ctx context.Context, r reviewing.PullRequest, number int) ([]starting.ItemComment, error) {
	owner, name, _ := strings.Cut(r.Repo, "/")
	var answer threadsOnGitHub
	err := t.read(ctx, r, &answer, "", "api", "graphql", "--hostname="+r.Server, "--raw-field=query="+threadsQuery,
		"--raw-field=owner="+owner, "--raw-field=name="+name, fmt.Sprintf("--field=number=%d", number))
	list := []starting.ItemComment{}
	for _, thread := range answer.Data.Repository.PullRequest.ReviewThreads.Nodes {
		if thread.IsResolved {
			continue
		}
		for _, c := range thread.Comments.Nodes {
			one := starting.ItemComment{File: thread.Path, Line: max(thread.Line, 0), Text: c.Body}
			if one.Line == 0 { // the line is not in the newest commit any more
				one.Line = max(thread.OriginalLine, 0)
			}
			if c.Author != nil { // it may be gone
				one.Author = c.Author.Login
			}
			list = append(list, one)
		}
	}
	return list, err
}
