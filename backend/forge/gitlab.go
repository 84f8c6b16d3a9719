package forge

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"

	"beckon/backend/beckon/reviewing"
)

// onGitLab is a merge request as GitLab's API has it.
type onGitLab struct {
	IID             int    `json:"iid"`
	WebURL          string `json:"web_url"`
	State           string `json:"state"` // opened, closed, locked or merged
	Draft           bool   `json:"draft"`
	SourceProjectID int    `json:"source_project_id"`
	TargetProjectID int    `json:"target_project_id"`
	HeadPipeline    *struct {
		Status string `json:"status"`
	} `json:"head_pipeline"`
}

// requestsOn is the part of the API with the merge requests of a project.
func requestsOn(r reviewing.PullRequest) string {
	return "projects/" + url.PathEscape(r.Repo) + "/merge_requests"
}

func (t tool) findOnGitLab(ctx context.Context, r reviewing.PullRequest) (reviewing.PullRequest, bool, error) {
	asked := url.Values{"state": {"opened"}, "source_branch": {r.Branch}, "target_branch": {r.Base}}
	var list []onGitLab
	if err := t.read(ctx, r, &list, "", "api", "--hostname="+r.Server, requestsOn(r)+"?"+asked.Encode()); err != nil {
		return r, false, err
	}
	for _, one := range list {
		if one.SourceProjectID == one.TargetProjectID && one.IID > 0 {
			return one.of(r), true, nil
		}
	}
	return r, false, nil
}

func (t tool) createOnGitLab(ctx context.Context, r reviewing.PullRequest, o reviewing.PullOrder) (reviewing.PullRequest, error) {
	input, err := json.Marshal(map[string]string{
		"source_branch": r.Branch, "target_branch": r.Base, "title": titled(o), "description": o.Body,
	})
	if err != nil {
		return r, err
	}
	var made onGitLab
	err = t.read(ctx, r, &made, string(input), "api", "--hostname="+r.Server, "--method=POST", "--header=Content-Type: application/json", "--input=-", requestsOn(r))
	if err != nil {
		return r, err
	}
	return made.of(r), nil
}

func (t tool) viewOnGitLab(ctx context.Context, r reviewing.PullRequest) (reviewing.PullRequest, error) {
	var one onGitLab
	err := t.read(ctx, r, &one, "", "api", "--hostname="+r.Server, requestsOn(r)+"/"+strconv.Itoa(r.Number))
	if err != nil {
		return r, err
	}
	return one.of(r), nil
}

// of is r as GitLab says it is.
func (g onGitLab) of(r reviewing.PullRequest) reviewing.PullRequest {
	r.Number, r.URL, r.Stale = g.IID, pageOn(r.Server, g.WebURL), false
	r.State, r.Checks = stateOf(g.State, g.Draft), reviewing.PullChecks{}
	if g.HeadPipeline == nil {
		return r
	}
	switch g.HeadPipeline.Status {
	case "success":
		r.Checks.Passed = 1
	case "failed", "canceled":
		r.Checks.Failed = 1
	case "skipped", "manual": // nothing runs
	default:
		r.Checks.Pending = 1
	}
	return r
}
