// Package executor lets runs execute on other machines than this one: it keeps which
// there are and how they are, takes a task's work there and brings it back, and gives
// the runner an agent there as if it ran here.
//
// The board, the questions and the review stay here. An agent there is kept by a shim,
// so that it outlives the link; what it did is in the worktree here after each of its
// turns. How a machine is reached is a package's of its own below.
package executor

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
	"beckon/backend/executor/shim"
	"beckon/backend/executor/worker"
	"beckon/backend/store"
)

// Config is what Executors works with.
type Config struct {
	Rows    store.Executors
	Publish func(beckon.Event)
	// Connect returns a machine, which is reached when it is first used.
	Connect func(executing.Executor) worker.Machine
	DataDir string
	// Secrets keeps values of variables; *secrets.Secrets implements it.
	Secrets interface {
		Get(name string) (string, error)
		Set(name, secret string) error
	}
	Task    func(ctx context.Context, id string) (beckon.Task, error)
	Project func(ctx context.Context, id string) (beckon.Project, error)
	// Projects returns all that this Beckon has.
	Projects func(ctx context.Context) ([]beckon.Project, error)
	// Copied returns the patterns of the files that git ignores and a project's tasks get along.
	Copied func(beckon.Project) ([]string, error)
	// Environ returns what the setup command of a task has in its environment there.
	Environ func(ctx context.Context, taskID string) ([]string, error)
	// Arrived hears of a task whose work came home after its run was over, or, with words
	// for the user, did not.
	Arrived func(ctx context.Context, taskID string, trouble *reason.Reason) error
	// Start starts an agent; see remote.Start.
	Start func(dial shim.Dial, name string, job shim.Job, life shim.Life) cli.Child
	// Wake has the queue look again: something can begin, or cannot any more.
	Wake func()
	// Working returns the keys of the tasks whose agents work on an executor.
	Working func(ctx context.Context, executorID string) ([]string, error)
	// Changed tells the clients of what Remove changed.
	Changed func(context.Context, store.ChosenExecutors) error
}

// Executors are where runs execute besides this machine. Its methods may be called from
// any goroutine.
type Executors struct {
	Config
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	quit   chan struct{}   // closed by Leave
	left   context.Context // ends leaveIn later, or with Close
	leave  context.CancelCauseFunc
	work   sync.WaitGroup

	// The pauses between two looks at an executor that cannot be used.
	firstPause, lastPause time.Duration
	leaveIn               time.Duration

	saving sync.Mutex // held while a row is written and published
	naming sync.Mutex // held while its name on other machines is made

	mu       sync.Mutex // guards what follows
	machines map[string]*machine
	held     map[string]string     // by id: the names of executors where no agent may start
	running  map[string]running    // by task: the agents that live elsewhere
	moving   map[string]*semaphore // by task, whose work is moved at the moment
	leaving  bool
	closed   bool
}

// running is an agent that lives elsewhere.
type running struct {
	run     string
	machine *machine
}

// semaphore is a lock that is forgotten when nobody wants it.
type semaphore struct {
	sync.Mutex
	wanted int // guarded by the mutex of Executors
}

// machine is an executor that was used since Beckon began.
type machine struct {
	worker.Machine
	is       atomic.Pointer[executing.Executor]
	health   executing.Health
	checking bool
	due      bool          // a look is, after a pause
	pause    time.Duration // before the next look at one that failed
	next     time.Time
	// settling is held while agents there are ended that nobody knows, by as many tasks as
	// do so: none may begin meanwhile, which takes it alone.
	settling sync.RWMutex
}

// checkIn is how long a look may take, the first copying of the helper included.
const checkIn = 5 * time.Minute

// leaveIn is how long Beckon waits, once it ends, for the agents on machines that tasks share
// and for their work: the machine may be slow or away, and the next start does the rest.
const leaveIn = 3 * time.Second

// New returns the executors. None is looked at before it is used or Check is called.
func New(c Config) *Executors {
	e := &Executors{
		Config: c, firstPause: 2 * time.Second, lastPause: time.Minute, leaveIn: leaveIn, quit: make(chan struct{}),
		machines: map[string]*machine{}, running: map[string]running{}, moving: map[string]*semaphore{},
		held: map[string]string{},
	}
	e.ctx, e.cancel = context.WithCancel(context.Background())
	e.left, e.leave = context.WithCancelCause(e.ctx)
	return e
}

// row is the executor as it was kept last.
func (m *machine) row() executing.Executor { return *m.is.Load() }

// Leave says that Beckon ends. No machine is looked at any more, and where tasks share one,
// agents and their work are waited for only a moment longer. It returns at once.
func (e *Executors) Leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.leaving {
		return
	}
	e.leaving = true
	close(e.quit)
	late := time.AfterFunc(e.leaveIn, func() { e.leave(errClosing) })
	context.AfterFunc(e.left, func() { late.Stop() })
}

// Close ends every link, of all machines side by side. Agents that still live there go on
// until their lease ends.
func (e *Executors) Close() {
	e.Leave()
	e.cancel()
	e.mu.Lock()
	e.closed = true
	all := e.machines
	e.machines = map[string]*machine{}
	e.mu.Unlock()
	e.work.Wait()
	var ending sync.WaitGroup
	for _, m := range all {
		ending.Go(m.Close)
	}
	ending.Wait()
}

// untilLeft returns a context that ends, too, when a task's machine is left because Beckon
// ends. What a task has to itself is ended with it, as long as the caller waits.
func (e *Executors) untilLeft(ctx context.Context, m *machine, taskID string) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	if _, own := m.Worker(taskID).(worker.Own); own {
		return ctx, func() { cancel(nil) }
	}
	stop := context.AfterFunc(e.left, func() { cancel(context.Cause(e.left)) })
	return ctx, func() { stop(); cancel(nil) }
}

// All returns every executor with its health, the oldest first.
func (e *Executors) All(ctx context.Context) (executing.List, error) {
	rows, err := e.Rows.All(ctx)
	list := executing.List{All: make([]executing.Status, 0, len(rows))}
	for _, row := range rows {
		list.All = append(list.All, executing.Status{Executor: row, Health: e.health(row.ID)})
	}
	return list, err
}

// State returns the same as an event, for a client that is new.
func (e *Executors) State(ctx context.Context) ([]beckon.Event, error) {
	list, err := e.All(ctx)
	return []beckon.Event{{Executors: &list}}, err
}

func (e *Executors) publishAll(ctx context.Context) {
	list, err := e.All(ctx)
	if err != nil {
		slog.Error("list the executors", "err", err)
		return
	}
	e.Publish(beckon.Event{Executors: &list})
}

// Save keeps an executor: a new one where it has no id, else the one that has it. It is
// looked at at once. The error is for the user.
func (e *Executors) Save(ctx context.Context, row executing.Executor) (executing.Executor, error) {
	tidy(&row)
	if err := check(row); err != nil {
		return row, err
	}
	e.saving.Lock()
	defer e.saving.Unlock()
	if row.ID == "" {
		row.ID, row.Created, row.Kept = beckon.NewID(), beckon.Now(), []string{}
		if err := e.Rows.Add(ctx, row); err != nil {
			return row, err
		}
	} else if err := e.replace(ctx, &row); err != nil {
		return row, err
	}
	e.publishAll(ctx)
	e.Wake()
	return row, e.Check(ctx, row.ID)
}

// replace changes an executor that is there. One where agents work stays the same
// machine: their links lead to it.
func (e *Executors) replace(ctx context.Context, row *executing.Executor) error {
	old, err := e.Rows.One(ctx, row.ID)
	if err != nil {
		return err
	}
	row.Created = old.Created
	row.Kept = stillKept(old, row.Variables)
	moved := !row.Reaches(old)
	if moved {
		if err := e.hold(ctx, old); err != nil {
			return err
		}
		defer e.release(old.ID)
	}
	if err := e.Rows.Replace(ctx, *row); err != nil {
		return err
	}
	e.forgetValues(old, row.Kept)
	if moved {
		e.drop(row.ID)
	}
	e.renew(row)
	return nil
}

// renew has a machine be what its row says by now.
func (e *Executors) renew(row *executing.Executor) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if m := e.machines[row.ID]; m != nil {
		m.is.Store(row)
	}
}

// hold keeps agents from starting on an executor until release. It is refused where agents
// work, or while somebody else holds the executor.
func (e *Executors) hold(ctx context.Context, row executing.Executor) error {
	if err := e.setHeld(row); err != nil {
		return err
	}
	err := e.mustBeFree(ctx, row)
	if err != nil {
		e.release(row.ID)
	}
	return err
}

func (e *Executors) setHeld(row executing.Executor) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if name, is := e.held[row.ID]; is {
		return heldError(name, beckon.ErrConflict)
	}
	e.held[row.ID] = row.Name
	return nil
}

// release lets agents start again on an executor.
func (e *Executors) release(id string) {
	e.mu.Lock()
	delete(e.held, id)
	e.mu.Unlock()
	e.Wake()
}

// mayStart refuses while an executor is held.
func (e *Executors) mayStart(id string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if name, is := e.held[id]; is {
		return heldError(name, beckon.ErrUnavailable)
	}
	return nil
}

func heldError(name string, kind error) error {
	err := fmt.Errorf("%s is being moved or removed: %w", name, kind)
	return problem.New(problem.ExecutorHeld, err, "name", name)
}

// mustBeFree refuses where agents work on an executor.
func (e *Executors) mustBeFree(ctx context.Context, row executing.Executor) error {
	keys, err := e.Working(ctx, row.ID)
	if err != nil || len(keys) == 0 {
		return err
	}
	err = fmt.Errorf("agents work on %s (%s): stop them first: %w", row.Name, strings.Join(keys, ", "), beckon.ErrConflict)
	return problem.New(problem.ExecutorBusy, err, "name", row.Name, "keys", strings.Join(keys, ", "))
}

// tidy takes away what was typed in vain.
func tidy(row *executing.Executor) {
	row.Name = strings.Join(strings.Fields(row.Name), " ")
	for _, text := range []*string{&row.Host, &row.Image, &row.Options, &row.Context, &row.Namespace, &row.Template, &row.Queue, &row.Secret} {
		*text = strings.TrimSpace(*text)
	}
	row.Variables = append([]string{}, row.Variables...)
	row.Engine = cmp.Or(row.Engine, executing.Podman)
	row.Network = cmp.Or(row.Network, executing.EngineNetwork)
}

// check refuses what no executor can be.
func check(row executing.Executor) error {
	switch {
	case row.Name == "" || len(row.Name) > executing.MaxName:
		return problem.New(problem.ExecutorName, beckon.Invalid("an executor needs a name of at most %d bytes", executing.MaxName), "most", strconv.Itoa(executing.MaxName))
	case !slices.Contains(executing.Kinds, row.Kind):
		return beckon.Invalid("there is no kind of executor %.40q", row.Kind)
	case row.Slots < 1 || row.Slots > executing.MaxSlots:
		return problem.New(problem.ExecutorSlots, beckon.Invalid("an executor has 1 to %d slots, not %d", executing.MaxSlots, row.Slots), "most", strconv.Itoa(executing.MaxSlots))
	}
	field, value := row.Wrong()
	switch field {
	case "":
		return nil
	case "host":
		return problem.New(problem.ExecutorHost, beckon.Invalid("%.80q is no host: give a name of your ssh configuration, or user@host", value), "host", value)
	}
	return problem.New(problem.ExecutorField, beckon.Invalid("an executor can have no %s %.80q", field, value), "field", field, "value", value)
}

// drop forgets a machine, whose links end.
func (e *Executors) drop(id string) {
	e.mu.Lock()
	m := e.machines[id]
	delete(e.machines, id)
	e.mu.Unlock()
	if m != nil {
		m.Close()
	}
}

// Remove removes an executor, and from there all that this Beckon has, unless it is to be
// forgotten only. What another Beckon has there stays. It is refused while agents work there.
func (e *Executors) Remove(ctx context.Context, id string, forget bool) error {
	row, err := e.Rows.One(ctx, id)
	if err != nil {
		return err
	}
	if err := e.hold(ctx, row); err != nil {
		return err
	}
	defer e.release(id)
	if !forget {
		m, err := e.machine(ctx, id)
		if err == nil {
			err = e.clear(ctx, m)
		}
		if err != nil {
			return reason.Of(reason.RemoveThere, "name", row.Name).Because(beckon.ReasonOf(err)).Err(err)
		}
	}
	e.saving.Lock()
	defer e.saving.Unlock()
	chosen, err := e.Rows.Remove(ctx, id)
	if err != nil {
		return err
	}
	e.forgetValues(row, nil)
	e.drop(id)
	e.publishAll(ctx)
	return e.Changed(ctx, chosen)
}

func (e *Executors) clear(ctx context.Context, m *machine) error {
	of, err := e.scope(ctx)
	if err != nil {
		return err
	}
	return m.Clear(ctx, of)
}

// Left tells what this Beckon has on an executor.
func (e *Executors) Left(ctx context.Context, id string) (executing.Left, error) {
	m, err := e.machine(ctx, id)
	if err != nil {
		return executing.Left{}, err
	}
	of, err := e.scope(ctx)
	if err != nil {
		return executing.Left{}, err
	}
	left, err := m.Left(ctx, of)
	if err != nil {
		return left, err
	}
	left.Keys, err = e.Working(ctx, id)
	return left, err
}

// Slots returns how many task runs work at once on each executor.
func (e *Executors) Slots(ctx context.Context) (map[string]int, error) {
	rows, err := e.Rows.All(ctx)
	slots := map[string]int{}
	for _, row := range rows {
		slots[row.ID] = row.Slots
	}
	return slots, err
}
