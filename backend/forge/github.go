package forge

import (
	"context"
	"path"
	"strconv"
	"strings"

	"beckon/backend/beckon/reviewing"
)

// onGitHub is a pull request as gh prints it.
type onGitHub struct {
	Number            int    `json:"number"`
	URL               string `json:"url"`
	State             string `json:"state"` // OPEN, CLOSED or MERGED
	IsDraft           bool   `json:"isDraft"`
	IsCrossRepository bool   `json:"isCrossRepository"`
	BaseRefName       string `json:"baseRefName"`
	// StatusCheckRollup has check runs, with a status and a conclusion, and commit
	// statuses, with a state.
	StatusCheckRollup []struct {
		Status, Conclusion, State string
	} `json:"statusCheckRollup"`
}

const (
	listed = "--json=number,url,state,isDraft,isCrossRepository,baseRefName"
	viewed = "--json=number,url,state,isDraft,statusCheckRollup"
)

func repoOnGitHub(r reviewing.PullRequest) string { return "--repo=" + r.Server + "/" + r.Repo }

func (t tool) findOnGitHub(ctx context.Context, r reviewing.PullRequest) (reviewing.PullRequest, bool, error) {
	var list []onGitHub
	if err := t.read(ctx, r, &list, "", "pr", "list", repoOnGitHub(r), "--head="+r.Branch, "--state=open", "--limit=30", listed); err != nil {
		return r, false, err
	}
	for _, one := range list {
		if !one.IsCrossRepository && one.BaseRefName == r.Base && one.Number > 0 {
			return one.of(r), true, nil
		}
	}
	return r, false, nil
}

func (t tool) createOnGitHub(ctx context.Context, r reviewing.PullRequest, o reviewing.PullOrder) (reviewing.PullRequest, error) {
	args := []string{"pr", "create", repoOnGitHub(r), "--head=" + r.Branch, "--base=" + r.Base, "--title=" + o.Title, "--body-file=-"}
	r.State = reviewing.PullOpen
	if o.Draft {
		args, r.State = append(args, "--draft"), reviewing.PullDraft
	}
	out, err := t.run(ctx, r, o.Body, args...)
	if err != nil {
		return r, err
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	page := strings.TrimSpace(lines[len(lines)-1])
	r.Checks, r.Stale, r.URL = reviewing.PullChecks{}, false, pageOn(r.Server, page)
	if r.Number, err = strconv.Atoi(path.Base(page)); err != nil {
		return r, t.failed("it did not say which pull request it opened", err)
	}
	return r, nil
}

func (t tool) viewOnGitHub(ctx context.Context, r reviewing.PullRequest) (reviewing.PullRequest, error) {
	var one onGitHub
	err := t.read(ctx, r, &one, "", "pr", "view", strconv.Itoa(r.Number), repoOnGitHub(r), viewed)
	if err != nil {
		return r, err
	}
	return one.of(r), nil
}

// of is r as GitHub says it is.
func (g onGitHub) of(r reviewing.PullRequest) reviewing.PullRequest {
	r.Number, r.URL, r.Stale = g.Number, pageOn(r.Server, g.URL), false
	r.State, r.Checks = stateOf(g.State, g.IsDraft), reviewing.PullChecks{}
	for _, c := range g.StatusCheckRollup {
		switch said := c.State + c.Conclusion; said {
		case "SUCCESS", "NEUTRAL", "SKIPPED":
			r.Checks.Passed++
		case "", "PENDING", "EXPECTED":
			r.Checks.Pending++
		default: // FAILURE, ERROR, CANCELLED, TIMED_OUT, ACTION_REQUIRED, STARTUP_FAILURE, STALE
			r.Checks.Failed++
		}
	}
	return r
}
