package forge

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"beckon/backend/agent/process"
	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/mask"
	"beckon/backend/plain"
)

// This file asks which checks of a pull request failed, and for their logs.

// mostLog is how many bytes of the end of a log are read.
const mostLog = 1 << 20

// checksOnGitHub are check runs of a commit.
type checksOnGitHub struct {
	CheckRuns []checkRun `json:"check_runs"`
}

type checkRun struct {
	ID         int64  `json:"id"`
	Name       string `json:"name"`
	Conclusion string `json:"conclusion"`
	DetailsURL string `json:"details_url"`
	Output     struct {
		Title   string `json:"title"`
		Summary string `json:"summary"`
	} `json:"output"`
	App struct {
		Slug string `json:"slug"`
	} `json:"app"`
}

// statusesOnGitHub are what other systems said of a commit.
type statusesOnGitHub struct {
	Statuses []struct {
		Context     string `json:"context"`
		State       string `json:"state"`
		Description string `json:"description"`
		TargetURL   string `json:"target_url"`
	} `json:"statuses"`
}

// passing are the conclusions of a check run that did not fail; of one that is not over there
// is none.
var passing = map[string]bool{"": true, "success": true, "neutral": true, "skipped": true}

// jobOnGitLab is a job of a pipeline.
type jobOnGitLab struct {
	ID            int64  `json:"id"`
	Name          string `json:"name"`
	Stage         string `json:"stage"`
	WebURL        string `json:"web_url"`
	AllowFailure  bool   `json:"allow_failure"`
	FailureReason string `json:"failure_reason"`
}

// FailedChecks returns what failed of the checks of a task's pull request.
func (f *Forge) FailedChecks(ctx context.Context, taskID string) ([]reviewing.FailedCheck, error) {
	x, err := f.requestOf(ctx, taskID)
	if err != nil {
		return nil, err
	}
	if x.tool.name == "glab" {
		return x.failedOnGitLab(ctx)
	}
	return x.failedOnGitHub(ctx)
}

func (x target) failedOnGitHub(ctx context.Context) ([]reviewing.FailedCheck, error) {
	c, err := x.tool.head(ctx, x.PullRequest)
	if err != nil {
		return nil, err
	}
	host, at := "--hostname="+x.Server, fmt.Sprintf("repos/%s/commits/%s/", x.Repo, url.PathEscape(c.head))
	runs, err := x.checkRuns(ctx, at)
	if err != nil {
		return nil, err
	}
	var others statusesOnGitHub
	if err := x.tool.read(ctx, x.PullRequest, &others, "", "api", host, at+"status?per_page=100"); err != nil {
		return nil, err
	}
	list := []reviewing.FailedCheck{}
	for _, run := range runs {
		if passing[run.Conclusion] {
			continue
		}
		one := failedCheck(run.Name, strings.Join([]string{run.Output.Title, run.Output.Summary}, " "), run.DetailsURL)
		if run.App.Slug == "github-actions" { // whose jobs are its check runs
			one.ID = strconv.FormatInt(run.ID, 10)
		}
		list = append(list, one)
	}
	for _, status := range others.Statuses {
		if status.State == "failure" || status.State == "error" {
			list = append(list, failedCheck(status.Context, status.Description, status.TargetURL))
		}
	}
	return list, nil
}

// checkRuns returns the check runs of a commit, as far as mostPages go: what each
// says may be long.
func (x target) checkRuns(ctx context.Context, at string) (all []checkRun, err error) {
	for page := 1; page <= mostPages; page++ {
		var runs checksOnGitHub
		path := fmt.Sprintf("%scheck-runs?filter=latest&per_page=%d&page=%d", at, perPage, page)
		if err := x.tool.read(ctx, x.PullRequest, &runs, "", "api", "--hostname="+x.Server, path); err != nil {
			return nil, err
		}
		if all = append(all, runs.CheckRuns...); len(runs.CheckRuns) < perPage {
			break
		}
	}
	return all, nil
}

func (x target) failedOnGitLab(ctx context.Context) ([]reviewing.FailedCheck, error) {
	var one struct {
		HeadPipeline *struct {
			ID        int64 `json:"id"`
			ProjectID int64 `json:"project_id"`
		} `json:"head_pipeline"`
	}
	host := "--hostname=" + x.Server
	if err := x.tool.read(ctx, x.PullRequest, &one, "", "api", host, requestsOn(x.PullRequest)+"/"+strconv.Itoa(x.Number)); err != nil {
		return nil, err
	}
	list := []reviewing.FailedCheck{}
	if one.HeadPipeline == nil {
		return list, nil
	}
	var jobs []jobOnGitLab
	path := fmt.Sprintf("projects/%d/pipelines/%d/jobs?scope[]=failed&per_page=100", one.HeadPipeline.ProjectID, one.HeadPipeline.ID)
	if err := x.tool.read(ctx, x.PullRequest, &jobs, "", "api", host, path); err != nil {
		return nil, err
	}
	for _, job := range jobs {
		if job.AllowFailure {
			continue
		}
		made := failedCheck(job.Name, strings.ReplaceAll(job.FailureReason, "_", " "), job.WebURL)
		made.ID = fmt.Sprintf("%d/%d", one.HeadPipeline.ProjectID, job.ID)
		list = append(list, made)
	}
	return list, nil
}

// failedCheck is a check as it is shown.
func failedCheck(name, says, page string) reviewing.FailedCheck {
	one := reviewing.FailedCheck{Name: plain.Line(name, 200), Says: remoteSaid(says)}
	if u, err := url.Parse(page); err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.User == nil && len(page) <= mostQuery {
		one.URL = u.String() // of any server: checks run where they like
	}
	return one
}

// CheckLog returns the end of the log of a check that failed, without secrets.
func (f *Forge) CheckLog(ctx context.Context, taskID string, check reviewing.FailedCheck) (string, error) {
	x, err := f.requestOf(ctx, taskID)
	if err != nil {
		return "", err
	}
	gone := problem.New(problem.NoCheckLog, fmt.Errorf("%s has no log of %s: %w", x.Server, check.Name, beckon.ErrNotFound), "name", check.Name)
	path := ""
	switch project, job, found := strings.Cut(check.ID, "/"); {
	case x.tool.name == "gh" && digits.MatchString(check.ID):
		path = fmt.Sprintf("repos/%s/actions/jobs/%s/logs", x.Repo, check.ID)
	case x.tool.name == "glab" && found && digits.MatchString(project) && digits.MatchString(job):
		path = fmt.Sprintf("projects/%s/jobs/%s/trace", project, job)
	default:
		return "", gone
	}
	log := &process.Tail{Most: mostLog}
	if err := x.tool.runInto(ctx, x.PullRequest, log, "", "api", "--hostname="+x.Server, path); err != nil {
		if errors.Is(err, beckon.ErrNotFound) { // it expired
			return "", gone
		}
		return "", err
	}
	if text := endOfLog(log.String()); text != "" {
		return text, nil
	}
	return "", gone
}

var (
	digits = regexp.MustCompile(`^[0-9]{1,19}$`)
	// stamp is what GitHub begins each line of a log with.
	stamp = regexp.MustCompile(`(?m)^\x{FEFF}?[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z ?`)
	// mark is what terminals draw with, and GitLab folds sections with.
	mark = regexp.MustCompile("\x1b\\[[0-9;?]*[ -/]*[@-~]|section_(?:start|end):[0-9]+:[^\r\n]*\r|\r")
)

// failure begins the line of GitHub's log in which a step fails; what follows it cleans up.
const failure = "##[error]"

// endOfLog is the end of a log up to where it fails, as plain text within bounds.
func endOfLog(log string) string {
	text := mark.ReplaceAllString(stamp.ReplaceAllString(strings.ToValidUTF8(log, "\uFFFD"), ""), "")
	if at := strings.LastIndex(text, failure); at >= 0 {
		end := strings.IndexByte(text[at:], '\n')
		if end >= 0 {
			text = text[:at+end]
		}
	}
	text = strings.TrimSpace(mask.Text(text))
	if len(text) <= reviewing.CheckMaxLog {
		return text
	}
	text = text[len(text)-reviewing.CheckMaxLog:]
	if _, whole, found := strings.Cut(text, "\n"); found {
		text = whole
	}
	return "…\n" + strings.ToValidUTF8(text, "")
}
