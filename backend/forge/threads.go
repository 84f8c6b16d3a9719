package forge

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/beckon/starting"
	"beckon/backend/git/command"
	"beckon/backend/git/diff"
	"beckon/backend/plain"
)

// This file reads and closes the discussions on a pull request. What is said in them is other
// people's text: it is shown, and reaches an agent only where the user sends it.

// thread is a discussion as a server has it.
type thread struct {
	reviewing.Thread
	resolved bool
	moved    bool   // its lines are not in the newest commit any more
	commit   string // that has its lines, where the server does not say what these are
}

// requestOf returns the pull request of a task: the one that Beckon opened or pushes to, else
// the one that the task started from. Its error wraps ErrNotFound where there is none, and
// ErrUnavailable where no program of this machine can ask its server.
func (f *Forge) requestOf(ctx context.Context, taskID string) (x target, err error) {
	t, err := f.Task(ctx, taskID)
	if err != nil {
		return x, err
	}
	p, err := f.Project(ctx, t.ProjectID)
	if err == nil {
		err = p.CheckTrust()
	}
	if err != nil {
		return x, err
	}
	row, there, err := f.Rows.Of(ctx, taskID)
	switch {
	case err != nil:
		return x, err
	case there && row.Number > 0:
		x = target{PullRequest: row, repo: RemoteOf(p.Dir), tool: f.toolOf(row.Host)}
	case t.Start.Kind == starting.Pull:
		if x, err = f.server(ctx, p, p.Base); err != nil {
			return x, err
		}
		x.TaskID, x.Branch, x.Base, x.Number, x.URL = t.ID, t.Branch, t.Base, t.Start.Number, t.Start.URL
	default:
		return x, fmt.Errorf("%s has no pull request: %w", t.Key, beckon.ErrNotFound)
	}
	if x.tool == nil {
		return x, noTool(x.Server)
	}
	return x, nil
}

// noTool is the error where no program of this machine asks a server.
func noTool(server string) error {
	err := fmt.Errorf("no program here asks %s about requests and issues: install gh or glab, and sign in: %w", server, beckon.ErrUnavailable)
	return problem.New(problem.NoForge, err, "server", server)
}

// heardFor is how long what a server said of discussions is good: they are placed again with
// every change of the work.
const heardFor = 30 * time.Second

// heardThreads are discussions as a server had them.
type heardThreads struct {
	number int // of the request
	at     time.Time
	open   []reviewing.Thread
}

// Threads returns the open discussions on a task's pull request, with the lines as the
// request counts them, and what these said as far as that is known. They are as old as
// heardFor at most, and new after Post and ResolveThread.
func (f *Forge) Threads(ctx context.Context, taskID string) ([]reviewing.Thread, error) {
	x, err := f.requestOf(ctx, taskID)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	heard := f.threads[taskID]
	f.mu.Unlock()
	if heard.number == x.Number && time.Since(heard.at) < heardFor {
		return slices.Clone(heard.open), nil
	}
	asked := time.Now()
	open, err := x.openThreads(ctx)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if asked.After(f.changed[taskID]) { // nothing was posted meanwhile
		f.threads[taskID] = heardThreads{x.Number, time.Now(), open}
	}
	return slices.Clone(open), nil
}

// forget has the server be asked again about a task's discussions.
func (f *Forge) forget(taskID string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.threads, taskID)
	f.changed[taskID] = time.Now()
}

func (x target) openThreads(ctx context.Context) ([]reviewing.Thread, error) {
	all, err := x.tool.threads(ctx, x.PullRequest)
	open := []reviewing.Thread{}
	for _, one := range all {
		if one.resolved || len(open) == reviewing.ThreadsMost {
			continue
		}
		if one.commit != "" && one.Quote == "" {
			one.Quote = x.repo.quote(ctx, one.commit, one.CommentLines)
		}
		one.URL = pageOn(x.Server, one.URL)
		open = append(open, one.Thread)
	}
	return open, err
}

// quote returns what lines say in a commit, empty where they or the commit are not here.
func (r RemoteRepo) quote(ctx context.Context, commit string, at reviewing.CommentLines) string {
	if !command.IsCommit(commit) {
		return ""
	}
	files, err := diff.Lines(ctx, r.git, commit, []string{at.Path})
	lines := files[at.Path]
	if err != nil || at.First < 1 || at.Last > len(lines) {
		return ""
	}
	return strings.Join(lines[at.First-1:at.Last], "\n")
}

// ResolveThread closes a discussion on a task's pull request.
func (f *Forge) ResolveThread(ctx context.Context, taskID, threadID string) error {
	x, err := f.requestOf(ctx, taskID)
	if err != nil {
		return err
	}
	defer f.forget(taskID)
	if x.tool.name == "glab" {
		return x.tool.resolveOnGitLab(ctx, x.PullRequest, threadID)
	}
	return x.tool.resolveOnGitHub(ctx, x.PullRequest, threadID)
}

// threads asks for all discussions on a request, closed ones too.
func (t tool) threads(ctx context.Context, r reviewing.PullRequest) ([]thread, error) {
	if t.name == "glab" {
		return t.threadsOnGitLab(ctx, r)
	}
	return t.threadsOnGitHub(ctx, r)
}

// openComments returns what is said in the discussions that are open.
func openComments(threads []thread) []starting.ItemComment {
	list := []starting.ItemComment{}
	for _, one := range threads {
		if one.resolved {
			continue
		}
		for _, said := range one.Said {
			list = append(list, starting.ItemComment{Author: said.Author, File: one.Path, Line: one.First, Text: said.Text})
		}
	}
	return list
}

// entry is what one person said, within bounds.
func entry(author string, at int64, text string) reviewing.ThreadEntry {
	return reviewing.ThreadEntry{Author: plain.Line(author, 100), At: at, Text: plain.Cut(strings.ToValidUTF8(text, "\uFFFD"), reviewing.ThreadMaxText)}
}
