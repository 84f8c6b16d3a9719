// Package review keeps what a person says of lines of a task's changes, brings it to
// the task's agent, and finds the agent's answers.
//
// Comments are drafts, which outlive Beckon, until they are sent all at once: as one
// message, which is added in the transaction that marks them, so that a death between
// the two loses nothing and sends nothing twice. Their answers are read from the
// transcript whenever a turn ends; so it does not matter whether Beckon saw that. The
// package knows no git and no process: program joins it to the board and the runner.
package review

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/store/reviewed"
)

// lookIn is how long a look for answers may take.
const lookIn = time.Minute

// Config is what comments are joined to.
type Config struct {
	Kept reviewed.Comments
	// Lines returns the lines of files on one side of a task's changes.
	Lines func(ctx context.Context, taskID string, side reviewing.CommentSide, paths []string) (map[string][]string, error)
	// Content returns a file of a task's changes whole, if it is there and has no more
	// bytes than most, and its size, -1 where it is not.
	Content func(ctx context.Context, taskID string, of reviewing.Side, most int64) ([]byte, int64, error)
	// Shown returns the lines of the file of a stretch as they are after what it is shown
	// in.
	Shown func(ctx context.Context, taskID string, of reviewing.Stretch) (map[string][]string, error)
	// Transcript returns the page of a task's transcript that ends before a cursor.
	Transcript func(ctx context.Context, taskID, before string, limit int) (beckon.TranscriptPage, error)
	// Turn returns which of a task's turns a run's nth is, 0 where that is unknown.
	Turn func(ctx context.Context, taskID, runID string, nth int) (int, error)
	// Message returns one that its agent has not taken, else beckon.ErrNotFound.
	Message func(ctx context.Context, id string) (beckon.Message, error)
	Agents  Agents
	Request Request
	Publish func(beckon.Event)
}

// Agents is what comments need of whatever runs the agents; *runner.Runner
// implements it.
type Agents interface {
	// Live reports whether an agent lives on a task, and which.
	Live(taskID string) (kind beckon.RunKind, live bool)
	// AwaitEnd waits for a run that is ending.
	AwaitEnd(ctx context.Context, taskID string) error
	SendBack(ctx context.Context, taskID string, comment beckon.NewMessage) (beckon.Task, error)
	SendMessage(ctx context.Context, taskID string, n beckon.NewMessage) (beckon.Message, error)
	RemoveMessage(ctx context.Context, id string) error
}

// Request is what comments need of the pull requests of tasks; *forge.Forge implements it.
// The errors of all wrap beckon.ErrNotFound where a task has none.
type Request interface {
	// Threads returns the open discussions, with the lines as the request counts them.
	Threads(ctx context.Context, taskID string) ([]reviewing.Thread, error)
	ResolveThread(ctx context.Context, taskID, threadID string) error
	// Head returns the newest commit of the request, and the lines of a file in it.
	Head(ctx context.Context, taskID string, side reviewing.CommentSide, path string) (commit string, lines []string, err error)
	// Post posts a comment, if it is not there, and returns the page of its discussion.
	Post(ctx context.Context, taskID string, at reviewing.Placed, text string) (page string, err error)
	FailedChecks(ctx context.Context, taskID string) ([]reviewing.FailedCheck, error)
	CheckLog(ctx context.Context, taskID string, check reviewing.FailedCheck) (string, error)
}

// Comments are those of all tasks. Their methods may be called from any goroutine.
type Comments struct {
	Config
	ctx    context.Context
	cancel context.CancelFunc
	looks  sync.WaitGroup

	writing sync.Mutex // held while comments change, are sent and published
	posting sync.Mutex // held while a comment is posted
	looking sync.Mutex // held while answers are looked for

	mu      sync.Mutex
	waiting map[string]turn // tasks whose comments wait for an answer, and the last turn seen
	changed int64           // the last Count.Changed
	closed  bool
}

// turn is one that ended, or the end of a run.
type turn struct {
	run    string
	number int
	over   bool
}

// New returns the comments that are kept. Close ends what they do.
func New(c Config) *Comments {
	ctx, cancel := context.WithCancel(context.Background())
	return &Comments{Config: c, ctx: ctx, cancel: cancel, waiting: map[string]turn{}}
}

// Open looks for the answers that came while Beckon was away.
func (s *Comments) Open(ctx context.Context) error {
	tasks, err := s.Kept.WaitingTasks(ctx)
	for _, id := range tasks {
		s.wait(id)
		s.lookForAnswers(id)
	}
	return err
}

// Close ends what is under way, and waits for that.
func (s *Comments) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	s.looks.Wait()
}

// State returns how the comments of all tasks stand, as events.
func (s *Comments) State(ctx context.Context) ([]beckon.Event, error) {
	counts, err := s.Kept.Counts(ctx, "")
	var events []beckon.Event
	for _, n := range counts {
		n.Changed = s.now()
		events = append(events, beckon.Event{Comments: &n})
	}
	return events, err
}

// List returns a task's comments, each where its lines are by now.
func (s *Comments) List(ctx context.Context, taskID string) ([]reviewing.Comment, error) {
	list, err := s.Kept.Of(ctx, taskID)
	if err != nil || len(list) == 0 {
		return list, err
	}
	if err := s.place(ctx, taskID, list); err != nil {
		slog.Warn("find the lines of comments", "err", err, "task", taskID) // the work may be gone
	}
	return list, nil
}

// place moves comments to where their lines are.
func (s *Comments) place(ctx context.Context, taskID string, list []reviewing.Comment) error {
	type where struct {
		repository string
		side       reviewing.CommentSide
	}
	paths := map[where][]string{}
	for _, c := range list {
		if at := (where{c.Repository, c.Side}); !slices.Contains(paths[at], c.Path) {
			paths[at] = append(paths[at], c.Path)
		}
	}
	var errs []error
	for at, names := range paths {
		files, err := s.Lines(ctx, reviewing.PartID(taskID, at.repository), at.side, names)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for i := range list {
			if list[i].Repository == at.repository && list[i].Side == at.side {
				anchor(&list[i], files[list[i].Path])
			}
		}
	}
	return errors.Join(errs...)
}

// Save keeps a new comment as a draft, or the text of a draft.
func (s *Comments) Save(ctx context.Context, n reviewing.CommentEdit) (reviewing.Comment, error) {
	if err := check(n); err != nil {
		return reviewing.Comment{}, err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if n.ID != "" {
		c, err := s.Kept.Update(ctx, n.ID, func(c *reviewing.Comment) error {
			if c.State != reviewing.CommentDraft {
				return reviewed.ErrSent
			}
			c.Text = n.Text
			return nil
		})
		if err != nil {
			return c, err
		}
		return c, s.publishCounts(ctx, c.TaskID)
	}
	c := reviewing.Comment{ID: beckon.NewID(), TaskID: n.TaskID, CommentLines: n.Lines, Text: n.Text, Thread: n.Thread, Created: beckon.Now()}
	c.Quote = quoteOf(strings.Split(n.Lines.Quote, "\n"))
	if err := s.Kept.Add(ctx, &c); err != nil {
		return c, err
	}
	return c, s.publishCounts(ctx, c.TaskID)
}

// check refuses what no comment can be.
func check(n reviewing.CommentEdit) error {
	l := n.Lines
	switch {
	case strings.TrimSpace(n.Text) == "" || len(n.Text) > reviewing.CommentMaxText || !utf8.ValidString(n.Text):
		return problem.New(problem.CommentText, beckon.Invalid("a comment has 1 to %d bytes", reviewing.CommentMaxText), "most", "8")
	case n.ID != "":
		return nil
	case l.Path == "" || len(l.Path) > reviewing.CommentMaxPath || strings.ContainsAny(l.Path, "\x00\n\r") || !utf8.ValidString(l.Path):
		return beckon.Invalid("%.100q is no file that can be commented on", l.Path)
	case l.Repository != "" && !reviewing.SoundRepositoryName(l.Repository):
		return beckon.Invalid("%.60q is no name of a repository", l.Repository)
	case !slices.Contains(reviewing.CommentSides, l.Side):
		return beckon.Invalid("there is no side %.40q of a change", string(l.Side))
	case l.First < 1 || l.Last < l.First || l.Last-l.First >= reviewing.CommentMaxLines || l.Last > 1<<30:
		return beckon.Invalid("a comment is about 1 to %d lines, not %d to %d", reviewing.CommentMaxLines, l.First, l.Last)
	case len(l.Quote) > 1<<20 || !utf8.ValidString(l.Quote) || strings.Count(l.Quote, "\n") > l.Last-l.First:
		return beckon.Invalid("a comment quotes the lines that it is about, and no more")
	case len(n.Thread) > reviewing.CommentMaxPath:
		return beckon.Invalid("%.100q… is no page of a discussion", n.Thread)
	case len(l.Content) > 100:
		return beckon.Invalid("%.40q… names no content", l.Content)
	}
	return nil
}

// Delete removes a draft.
func (s *Comments) Delete(ctx context.Context, id string) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	c, err := s.Kept.One(ctx, id)
	if err != nil {
		return err
	}
	if err := s.Kept.Delete(ctx, id); err != nil {
		return err
	}
	return s.publishCounts(ctx, c.TaskID)
}

// Resolve closes a comment that was sent, or opens it again.
func (s *Comments) Resolve(ctx context.Context, id string, resolved bool) (reviewing.Comment, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	c, err := s.Kept.Update(ctx, id, func(c *reviewing.Comment) error {
		switch {
		case c.State == reviewing.CommentDraft:
			return beckon.Invalid("a draft is deleted, not resolved")
		case !resolved:
			c.Resolved = 0
		case c.Resolved == 0:
			c.Resolved = beckon.Now()
		}
		return nil
	})
	if err != nil {
		return c, err
	}
	if !resolved && c.Answer == "" {
		s.wait(c.TaskID)
		s.lookForAnswers(c.TaskID)
	}
	return c, s.publishCounts(ctx, c.TaskID)
}

// publishCounts publishes how a task's comments stand. The caller holds writing.
func (s *Comments) publishCounts(ctx context.Context, taskID string) error {
	counts, err := s.Kept.Counts(ctx, taskID)
	if err != nil {
		return err
	}
	n := reviewing.CommentCount{TaskID: taskID}
	if len(counts) > 0 {
		n = counts[0]
	}
	n.Changed = s.now()
	s.Publish(beckon.Event{Comments: &n})
	return nil
}

// now is later than ever before, in a clock that may stand.
func (s *Comments) now() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed = max(s.changed+1, beckon.Now())
	return s.changed
}
