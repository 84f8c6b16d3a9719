// Package forge opens pull requests for the branches of tasks, and asks how those are.
// It pushes with the user's git, and speaks to the server through the user's own gh or
// glab, which sign in: it reads no credential, and makes no request itself.
//
// Nothing leaves before the user opens a pull request; after that, its server is asked
// for as long as it is open and has a card. What was pushed before Beckon ended is
// pushed no second time, and a request that is there already is taken as it is.
package forge

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/store/reviewed"
)

const (
	mostTitle = 256      // bytes; what GitHub and GitLab take
	mostBody  = 60 << 10 // bytes, below what they take
)

// Config is what a Forge works with.
type Config struct {
	Rows    reviewed.Pulls
	Publish func(beckon.Event)
	Task    func(ctx context.Context, id string) (beckon.Task, error)
	Project func(ctx context.Context, id string) (beckon.Project, error)
	// Messages returns what a merge of the task's branch would say.
	Messages func(ctx context.Context, taskID string) (reviewing.MergeProposal, error)
	// Committed has work done while no agent starts on a task, after what one left
	// in its worktree is committed.
	Committed func(ctx context.Context, taskID string, work func(beckon.Task, beckon.Project) error) error
	Opened    func(ctx context.Context, taskID string) // is called with each request that is opened
	// Dir is a folder in which gh and glab run: in no repository, whose files could
	// steer them.
	Dir string
	// Pace replaces the time between two questions about a request in tests.
	Pace time.Duration
}

// Forge opens pull requests. Its methods may be called from any goroutine.
type Forge struct {
	Config
	wake chan struct{} // 1-buffered: there may be one more to ask about
	end  func()
	done chan struct{}

	mu    sync.Mutex // held while a row is read, changed and published
	asked int        // how often a server was asked how a request is
	// heard has, of each task, the question whose answer is kept.
	heard map[string]int
	// threads are the discussions that servers had, and changed is when something was last
	// posted there or closed; both by task.
	threads map[string]heardThreads
	changed map[string]time.Time
}

// New returns one that asks nobody yet; Start has it ask.
func New(c Config) *Forge {
	return &Forge{Config: c, wake: make(chan struct{}, 1), end: func() {}, heard: map[string]int{}, threads: map[string]heardThreads{}, changed: map[string]time.Time{}}
}

// target is where a task's branch goes.
type target struct {
	reviewing.PullRequest
	repo RemoteRepo
	tool *tool // nil: it is not on this machine, or there is none
}

// target finds where the branch of a task goes, without asking any server.
func (f *Forge) target(ctx context.Context, t beckon.Task, p beckon.Project) (x target, err error) {
	if err := p.CheckTrust(); err != nil {
		return x, err
	}
	if t.Branch == "" {
		return x, problem.New(problem.NoBranch, fmt.Errorf("%s has no branch: %w", t.Key, beckon.ErrConflict), "key", t.Key)
	}
	if x, err = f.server(ctx, p, t.Base); err != nil {
		return x, err
	}
	x.TaskID, x.Branch, x.Base, x.State = t.ID, t.Branch, t.Base, reviewing.PullPushed
	return x, nil
}

// server finds where work on a base of a trusted project goes, and what asks there, without
// asking it.
func (f *Forge) server(ctx context.Context, p beckon.Project, base string) (x target, err error) {
	x.repo = RemoteOf(p.Dir)
	name, at, err := x.repo.Remote(ctx, base)
	if err != nil {
		return x, err
	}
	x.PullRequest = reviewing.PullRequest{Host: hostOf(at.Server), Server: at.Server, Repo: at.Repo, Remote: name}
	x.tool = f.toolOf(x.Host)
	return x, nil
}

// hostOf tells by its name what a server is: companies name their own ones so.
func hostOf(server string) reviewing.PullHost {
	switch {
	case strings.Contains(server, "gitlab"):
		return reviewing.GitLab
	case strings.Contains(server, "github"), strings.HasSuffix(server, ".ghe.com"):
		return reviewing.GitHub
	default:
		return reviewing.OtherHost
	}
}

// toolOf returns the program for a host, if it is on this machine.
func (f *Forge) toolOf(h reviewing.PullHost) *tool {
	name := map[reviewing.PullHost]string{reviewing.GitHub: "gh", reviewing.GitLab: "glab"}[h]
	if name == "" {
		return nil
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return nil
	}
	return &tool{name: name, path: path, dir: f.Dir}
}

// Propose returns what would be opened for a task. It asks no server.
func (f *Forge) Propose(ctx context.Context, taskID string) (reviewing.PullProposal, error) {
	t, err := f.Task(ctx, taskID)
	if err != nil {
		return reviewing.PullProposal{}, err
	}
	p, err := f.Project(ctx, t.ProjectID)
	if err != nil {
		return reviewing.PullProposal{}, err
	}
	x, err := f.target(ctx, t, p)
	if err != nil {
		return reviewing.PullProposal{}, err
	}
	said, err := f.Messages(ctx, taskID)
	if err != nil {
		return reviewing.PullProposal{}, err
	}
	_, body, _ := strings.Cut(said.Squash, "\n")
	proposal := reviewing.PullProposal{
		Title: t.Title, Body: strings.TrimSpace(body), Branch: x.Branch, Base: x.Base, Remote: x.Remote, Server: x.Server, Host: x.Host,
	}
	if x.tool != nil {
		proposal.Tool = x.tool.name
	}
	tip, err := x.repo.Tip(ctx, t.Branch)
	if err != nil {
		return proposal, err
	}
	kept, err := f.kept(ctx, x)
	if err == nil {
		proposal.Rewritten, err = x.repo.Rewritten(ctx, kept.Commit, tip)
	}
	return proposal, err
}

// kept returns what is known of a request to the same place, an empty one where there
// is none.
func (f *Forge) kept(ctx context.Context, x target) (reviewing.PullRequest, error) {
	row, _, err := f.Rows.Of(ctx, x.TaskID)
	if row.Remote != x.Remote || row.Server != x.Server || row.Repo != x.Repo || row.Branch != x.Branch {
		return reviewing.PullRequest{}, err
	}
	return row, err
}

// Open pushes a task's branch and opens a pull request for it, or finds the one that
// is open. What the agent left uncommitted is committed first. Where no program can
// open one, the request that is returned has the address of the page that does.
func (f *Forge) Open(ctx context.Context, taskID string, o reviewing.PullOrder) (made reviewing.PullRequest, err error) {
	if err := check(o); err != nil {
		return made, err
	}
	err = f.Committed(ctx, taskID, func(t beckon.Task, p beckon.Project) error {
		x, err := f.target(ctx, t, p)
		if err != nil {
			return err
		}
		if err := f.push(ctx, &x, o); err != nil {
			return err
		}
		made, err = f.request(ctx, x, o)
		return err
	})
	if err == nil && made.Number > 0 && f.Opened != nil {
		f.Opened(ctx, taskID)
	}
	return made, err
}

func check(o reviewing.PullOrder) error {
	switch {
	case strings.TrimSpace(o.Title) == "" || len(o.Title) > mostTitle || strings.ContainsAny(o.Title, "\r\n\x00"):
		return problem.New(problem.PullTitle, beckon.Invalid("a pull request has a title on one line, of at most %d bytes", mostTitle), "most", fmt.Sprint(mostTitle))
	case len(o.Body) > mostBody || strings.Contains(o.Body, "\x00"):
		return problem.New(problem.PullBody, beckon.Invalid("the description of a pull request has at most %d KB", mostBody>>10), "most", fmt.Sprint(mostBody>>10))
	}
	return nil
}

// push brings the branch to the server, and notes what it pushed.
func (f *Forge) push(ctx context.Context, x *target, o reviewing.PullOrder) error {
	tip, err := x.repo.Tip(ctx, x.Branch)
	if err != nil {
		return err
	}
	kept, err := f.kept(ctx, *x)
	if err != nil {
		return err
	}
	rewritten, err := x.repo.Rewritten(ctx, kept.Commit, tip)
	if err != nil {
		return err
	}
	if rewritten && !o.Replace {
		err := fmt.Errorf("%s has no longer what was pushed before, so pushing it replaces that on %s: %w", x.Branch, x.Remote, beckon.ErrConflict)
		return problem.New(problem.PushReplaces, err, "branch", x.Branch, "remote", x.Remote)
	}
	err = x.repo.Push(ctx, RemoteBranch{Remote: x.Remote, Name: x.Branch, Commit: tip, Ours: kept.Commit, Replace: rewritten && o.Replace})
	if err != nil {
		return err
	}
	if kept.Number > 0 && kept.State.Asked() {
		x.PullRequest = kept
	}
	x.Commit = tip
	if x.Number == 0 {
		x.URL = newPage(x.PullRequest, o)
	}
	return f.putRequest(ctx, x.PullRequest)
}

// request finds the open pull request of a branch that was pushed, or opens one.
func (f *Forge) request(ctx context.Context, x target, o reviewing.PullOrder) (reviewing.PullRequest, error) {
	if x.tool == nil {
		return x.PullRequest, nil
	}
	found, there, err := x.tool.find(ctx, x.PullRequest)
	if err == nil && !there {
		if found, err = x.tool.create(ctx, x.PullRequest, o); err != nil {
			// It may have been made although the program failed, or by another.
			again, there, lookErr := x.tool.find(ctx, x.PullRequest)
			if lookErr == nil && there {
				found, err = again, nil
			}
		}
	}
	if err != nil {
		return x.PullRequest, err
	}
	found.Seen = beckon.Now()
	if err := f.putRequest(ctx, found); err != nil {
		return found, err
	}
	f.askSoon()
	return found, nil
}

// askSoon has the servers be asked without waiting for the next round.
func (f *Forge) askSoon() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// putRequest keeps a request and tells the clients.
func (f *Forge) putRequest(ctx context.Context, r reviewing.PullRequest) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.putHeld(ctx, r)
}

// putHeld is put for who holds the lock.
func (f *Forge) putHeld(ctx context.Context, r reviewing.PullRequest) error {
	if err := f.Rows.Save(ctx, r); err != nil {
		return err
	}
	f.Publish(beckon.Event{Pull: &r})
	return nil
}

// State returns all requests as events, for a client that is new.
func (f *Forge) State(ctx context.Context) ([]beckon.Event, error) {
	all, err := f.Rows.All(ctx)
	events := make([]beckon.Event, len(all))
	for i := range all {
		events[i].Pull = &all[i]
	}
	return events, err
}
