package forge

import (
	"context"
	"fmt"
	"net/url"

	"beckon/backend/beckon/reviewing"
	"beckon/backend/beckon/starting"
)

// This file lists what is open on a server. A page of an answer is held to mostRead, and so
// has only so many items.

const (
	perPage   = 50
	mostPages = 10 // of issues, of discussions and of checks
)

// Place names the server of a trusted project, and the program of this machine that asks it.
// Both are empty where there is none; nothing is asked.
func (f *Forge) Place(ctx context.Context, projectID string) (server, tool string) {
	x, err := f.askable(ctx, projectID)
	if err != nil {
		return "", ""
	}
	return x.Server, x.tool.name
}

// OpenIssues returns the open issues of a project's server, the newest first; more reports
// whether it has more than are returned. The errors are those of Find.
func (f *Forge) OpenIssues(ctx context.Context, projectID string) (list []starting.Item, more bool, err error) {
	return f.open(ctx, projectID, starting.Issue, mostPages)
}

// OpenPulls returns the newest open pull requests of a project's server, without their
// comments. The errors are those of Find.
func (f *Forge) OpenPulls(ctx context.Context, projectID string) (list []starting.Item, err error) {
	list, _, err = f.open(ctx, projectID, starting.Pull, 1)
	return list, err
}

func (f *Forge) open(ctx context.Context, projectID string, kind starting.Kind, pages int) (list []starting.Item, more bool, err error) {
	list = []starting.Item{}
	x, err := f.askable(ctx, projectID)
	if err != nil {
		return list, false, err
	}
	for page := 1; page <= pages; page++ {
		items, n, err := x.tool.openPage(ctx, x.PullRequest, kind, page)
		if err != nil {
			return []starting.Item{}, false, err
		}
		for _, item := range items {
			list = append(list, x.own(item))
		}
		if n < perPage {
			return list, false, nil
		}
	}
	return list, true, nil
}

// openPage returns the open items of one page, and how many it had with those that are of
// another kind.
func (t tool) openPage(ctx context.Context, r reviewing.PullRequest, kind starting.Kind, page int) (list []starting.Item, n int, err error) {
	host := "--hostname=" + r.Server
	if t.name == "glab" {
		part := map[starting.Kind]string{starting.Issue: "issues", starting.Pull: "merge_requests"}[kind]
		var all []itemOnGitLab
		err = t.read(ctx, r, &all, "", "api", host, fmt.Sprintf("projects/%s/%s?state=opened&per_page=%d&page=%d", url.PathEscape(r.Repo), part, perPage, page))
		for _, one := range all {
			list = append(list, one.item(kind))
		}
		return list, len(all), err
	}
	if kind == starting.Pull {
		var all []struct {
			issueOnGitHub
			pullOnGitHub
		}
		err = t.read(ctx, r, &all, "", "api", host, fmt.Sprintf("repos/%s/pulls?state=open&per_page=%d&page=%d", r.Repo, perPage, page))
		for _, one := range all {
			item := one.issueOnGitHub.item()
			one.complete(&item, r)
			list = append(list, item)
		}
		return list, len(all), err
	}
	var all []issueOnGitHub
	err = t.read(ctx, r, &all, "", "api", host, fmt.Sprintf("repos/%s/issues?state=open&per_page=%d&page=%d", r.Repo, perPage, page))
	for _, one := range all {
		if one.PullRequest == nil { // GitHub lists requests among issues
			list = append(list, one.item())
		}
	}
	return list, len(all), err
}
