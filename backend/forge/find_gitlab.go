package forge

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/beckon/starting"
)

// itemOnGitLab is an issue or a merge request as GitLab's API has it.
type itemOnGitLab struct {
	IID             int       `json:"iid"`
	WebURL          string    `json:"web_url"`
	Title           string    `json:"title"`
	Description     string    `json:"description"`
	State           string    `json:"state"` // opened, closed, locked or merged
	CreatedAt       time.Time `json:"created_at"`
	SourceBranch    string    `json:"source_branch"`
	TargetBranch    string    `json:"target_branch"`
	SourceProjectID int       `json:"source_project_id"`
	TargetProjectID int       `json:"target_project_id"`
	Labels          []string  `json:"labels"`
	Author          struct {
		Username string `json:"username"`
	} `json:"author"`
}

// itemOnGitLab asks for what the number names: on GitLab issues and merge requests are
// counted apart, so that a bare number is the issue where there is one.
func (t tool) itemOnGitLab(ctx context.Context, r reviewing.PullRequest, w wanted) (item starting.Item, err error) {
	if w.kind != starting.Pull {
		item, err = t.oneOnGitLab(ctx, r, starting.Issue, "issues", w)
		if err == nil || !errors.Is(err, beckon.ErrNotFound) {
			return item, err
		}
	}
	if w.kind != starting.Issue {
		item, err = t.oneOnGitLab(ctx, r, starting.Pull, "merge_requests", w)
	}
	if errors.Is(err, beckon.ErrNotFound) {
		return item, missing(r, w)
	}
	if err == nil {
		r.Number, r.URL = item.Number, item.URL
		var threads []thread
		threads, err = t.threads(ctx, r)
		item.Comments = openComments(threads)
	}
	return item, err
}

func (t tool) oneOnGitLab(
	ctx context.Context, r reviewing.PullRequest, kind starting.Kind, part string, w wanted,
) (item starting.Item, err error) {
	var one itemOnGitLab
	path := fmt.Sprintf("projects/%s/%s/%d", url.PathEscape(r.Repo), part, w.number)
	if err := t.read(ctx, r, &one, "", "api", "--hostname="+r.Server, path); err != nil {
		return item, err
	}
	return one.item(kind), nil
}

func (one itemOnGitLab) item(kind starting.Kind) starting.Item {
	item := starting.Item{
		Kind: kind, Number: one.IID, URL: one.WebURL, Title: one.Title, Body: one.Description, Author: one.Author.Username,
		At: one.CreatedAt.UnixMilli(), Open: one.State == "opened", Branch: one.SourceBranch, Base: one.TargetBranch,
		Comments: []starting.ItemComment{}, Labels: one.Labels,
	}
	if one.SourceProjectID != one.TargetProjectID {
		item.Fork = one.Author.Username
	}
	return item
}
