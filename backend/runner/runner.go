// Package runner gives tasks their agents: it keeps the queue, starts the
// process, takes its questions to the desk and messages to it, and says how the
// run ended.
//
// One goroutine owns each live run and reads its stream; it never waits for a
// person, for git, or for the page. It promises that a task has at most one
// live run, that every run that began ends with an outcome, and that what the
// agent wrote stays in its folder. It knows nothing of cards and git, which are
// the board's, nor of windows, HTTP or MCP: all reach it through Config.
package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/question"
	"beckon/backend/runner/diskspace"
	"beckon/backend/runner/outbox"
	"beckon/backend/store"
)

// Config is what a Runner works with.
type Config struct {
	Store   *store.Store
	Desk    *question.Desk
	Cards   Cards
	Publish func(beckon.Event)
	// Watched reports whether any client shows the task's transcript, so that
	// only what is shown is decoded.
	Watched func(taskID string) bool
	// Written is called whenever a run's transcript has grown. It must not block.
	Written func(runID string)
	// DataDir holds the transcripts.
	DataDir string
	// Agents starts the agents.
	Agents agent.Driver
	// Executors are where runs execute besides this machine.
	Executors Executors
	// GrantTools gives a run Beckon's own MCP tools, until revoke is called.
	GrantTools func(ToolGrant) (t Tools, revoke func())
	// Elsewhere returns why a run may not go on with its session, if so: it is open
	// in a process that Beckon did not start, and two would write into one file.
	Elsewhere func(beckon.Run) error
	// SystemPrompt returns what is added to that of agents of a kind that work alone.
	SystemPrompt func(agent string) string
	// QuietAfter returns how long an agent may say nothing before its run is quiet; 0 for ever.
	QuietAfter func() time.Duration
	// Afford returns why no run and no turn of a task may begin, nil where its budgets last.
	// OnQuota takes what a run's agent says of its plan's quota. They come together, or not.
	Afford  func(ctx context.Context, taskID string) *reason.Reason
	OnQuota func(run beckon.Run, q agent.QuotaIs)
	// BackgroundLimit replaces the constant of its name where it is not 0.
	BackgroundLimit time.Duration
}

// Cards is what the runner needs of whatever keeps the cards; *board.Board
// implements it.
type Cards interface {
	CreateTask(ctx context.Context, n beckon.NewTask) (beckon.Task, error)
	// Update changes a task and tells the clients.
	Update(ctx context.Context, taskID string, change func(*beckon.Task) error) (beckon.Task, error)
	// Allow gives a project permission rules.
	Allow(ctx context.Context, projectID string, rules []string) error
	// Place records a run and puts its card into Running as put does, or neither.
	Place(ctx context.Context, run *beckon.Run, put func(*beckon.Task) error) (beckon.Task, error)
	// PutBack takes a task that cannot start out of the queue, and says why.
	PutBack(ctx context.Context, taskID string, why error) error
	// Folder returns where a task run works, made where it is missing.
	Folder(ctx context.Context, t beckon.Task, p beckon.Project) (beckon.WorkFolder, error)
	// Follow returns a task as its card is by now, with the branch that its worktree is on.
	Follow(ctx context.Context, t beckon.Task, p beckon.Project) beckon.Task
	// Save commits what the agent of a run changed and sums it up. strays are the folders
	// outside its worktree that the agent is known to have written into.
	Save(ctx context.Context, t beckon.Task, p beckon.Project, run beckon.Run, strays []string) beckon.Work
	// Settle puts the card of a run that is over where it goes.
	Settle(ctx context.Context, taskID string, run beckon.Run, work beckon.Work) error
	// SettleLeft does the same for cards whose runs an earlier Beckon left.
	SettleLeft(ctx context.Context) error
	// Recount counts again what a task's branch has against its base.
	Recount(ctx context.Context, taskID string) error
}

// Executors are where runs execute besides this machine; *executor.Executors
// implements it.
type Executors interface {
	// Slots returns how many task runs work at once on each.
	Slots(ctx context.Context) (map[string]int, error)
	// Ready returns why no run can begin on one at the moment, as beckon.ErrUnavailable,
	// if so. It does not wait; one that nobody has looked at is ready unless it must be seen.
	Ready(ctx context.Context, executorID string, seen bool) error
}

// ToolGrant names the run that gets the tools, and what its questions inherit.
type ToolGrant struct {
	RunID, TaskID string
	Policy        beckon.Policy
	WaitMs        int64
}

// Tools is how a run reaches Beckon's MCP server.
type Tools struct {
	// Receive takes what its agent says to the server, in the order in which it
	// does, without blocking. What it returns answers, and may wait for a person.
	Receive func(ctx context.Context, message json.RawMessage) (answer func(write func(reply json.RawMessage) error) error)
	// URL and Token are for other programs that the agent starts.
	URL, Token string
}

// Runner runs agents. Its methods may be called from any goroutine.
type Runner struct {
	Config
	ctx    context.Context // ends when Close gives up waiting
	cancel context.CancelFunc
	kick   chan struct{} // 1-buffered; the queue looks again
	wg     sync.WaitGroup
	quit   chan struct{} // closed when Beckon begins to close
	disk   *diskspace.Disk
	images outbox.Images
	queues *outbox.Queues

	mu     sync.Mutex
	live   map[string]*agentRun // by task
	held   map[string]bool      // by task: see Hold
	closed bool
}

// New returns a runner that does nothing before Open.
func New(c Config) *Runner {
	ctx, cancel := context.WithCancel(context.Background())
	if c.Afford == nil {
		c.Afford, c.OnQuota = func(context.Context, string) *reason.Reason { return nil }, func(beckon.Run, agent.QuotaIs) {}
	}
	r := &Runner{
		Config: c, ctx: ctx, cancel: cancel,
		kick: make(chan struct{}, 1), quit: make(chan struct{}), images: outbox.Images{Store: c.Store},
		live: make(map[string]*agentRun), held: make(map[string]bool),
	}
	r.disk = diskspace.New(diskspace.Config{Store: c.Store, Publish: c.Publish, Dir: c.DataDir, Wake: r.Wake, Quit: r.quit})
	r.queues = r.newQueues()
	c.Desk.Serve(question.Owner{Park: r.Park, DeliverAnswer: r.DeliverAnswer})
	return r
}

// Open settles what an earlier Beckon left behind, and begins the queue.
func (r *Runner) Open(ctx context.Context) error {
	if err := r.endLostExternalRuns(ctx); err != nil {
		return fmt.Errorf("end earlier external runs: %w", err)
	}
	lost, err := r.recoverLost(ctx)
	if err != nil {
		return fmt.Errorf("settle earlier runs: %w", err)
	}
	if err := r.Store.WithdrawOver(ctx, reason.Of(reason.CardOver)); err != nil {
		return fmt.Errorf("withdraw the questions of cards that are over: %w", err)
	}
	// What only takes room keeps no Beckon from starting.
	logged("remove images that nothing needs", r.Store.SweepImages(ctx, outbox.ImageKept))
	logged("remove earlier runs' configuration", os.RemoveAll(r.configDir()))
	if err := r.bringLost(ctx, lost); err != nil {
		return fmt.Errorf("resume for answers that were not heard: %w", err)
	}
	r.Agents.Asked(r.ctx, r.Wake) // so that the first run need not wait for it
	r.wg.Go(r.queue)
	r.wg.Go(r.disk.Watch)
	r.Wake()
	return nil
}

// Close parks every live run and waits until no process is left, or until ctx
// is done; then it kills what remains and waits for that.
func (r *Runner) Close(ctx context.Context) error {
	for _, run := range r.shut() {
		run.parkAtQuit()
	}
	done := make(chan struct{})
	go func() { r.wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
	}
	r.cancel()
	<-done
	r.Agents.Close()
	return nil
}

// OnEvent takes an event that others published, so that the phase of the run
// that asked follows its questions. It must be called before the one who asked is
// woken.
func (r *Runner) OnEvent(e beckon.Event) {
	if e.Question == nil {
		return
	}
	if run := r.runOf(e.Question.TaskID, e.Question.RunID); run != nil {
		run.out.Expect(*e.Question)
		run.nameLate(*e.Question)
		run.noteQuestions()
	}
}

// OnAnswerWritten notes that an answer was written to the agent that asked over
// MCP. Where its stream will show the tool's result, only that says that
// the agent has it: it may die with the answer in its socket.
func (r *Runner) OnAnswerWritten(ctx context.Context, questionID string) error {
	q, err := r.Store.Question(ctx, questionID)
	if err != nil {
		return err
	}
	if q.Proof != "" && q.TaskID != "" {
		return nil
	}
	return r.Desk.Delivered(ctx, questionID)
}
