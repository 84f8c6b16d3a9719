// Package question is the desk where agents' questions wait for the user.
//
// A question is a row before it is shown, and it is settled once: by an
// answer, by its clock, by a person who closes it, or by the death of its run,
// which leaves it to be answered all the same. The database is the referee
// between them, and the second caller gets beckon.ErrConflict. What is
// settled is committed first, then published, and only then is the agent
// woken. The desk does not know how an agent asked, or who answers.
package question

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/store"
)

// ErrGone is what Ask returns for a question that was withdrawn by other
// means than its context, or orphaned: the one who asked is not answered any
// more.
var ErrGone = errors.New("the question was closed without an answer")

// Desk holds the questions that somebody waits on.
type Desk struct {
	store   *store.Store
	publish func(beckon.Event)
	owner   Owner
	moments func(beckon.Question) (heard func())
	now     func() time.Time
	ledger  *ledger

	pausing  sync.Mutex // one PauseAll at a time, so that the last one decides
	telling  sync.Mutex // held while a question is read and published
	looking  sync.Mutex // held until the clocks have back what a sleep took
	assuming sync.Mutex // held while an assumption finds its question

	mu      sync.Mutex
	waiting map[string]*waiter // by question
	open    map[string]int     // by run
	paused  bool               // clocks begin held
	running int                // those that wait and have a clock
	seen    int64              // when the clocks were last seen to run, Unix milliseconds
	wake    chan struct{}      // closed to end the watch over the clocks
}

// Owner acts on what no waiting agent does. Its functions must not block.
type Owner struct {
	// Park ends the run of a question that nobody answered in time, and keeps
	// its session.
	Park func(beckon.Question)
	// DeliverAnswer brings an answer that nobody waits for to the task's agent, and
	// resumes that for an orphaned question, or a change; a late answer can wait.
	DeliverAnswer func(q beckon.Question, resume bool)
}

// waiter is the one who asked.
type waiter struct {
	runID   string
	settled chan beckon.Question // 1-buffered: only the settler of the row sends
	clock   clock

	// showing is held until the question is shown, so that its settlement
	// cannot be published before it.
	showing sync.Mutex
}

// New returns an empty desk. publish is called for each change of a question,
// after it is committed; it must not block.
func New(s *store.Store, publish func(beckon.Event)) *Desk {
	nobody := Owner{func(beckon.Question) {}, func(beckon.Question, bool) {}}
	return &Desk{
		store: s, publish: publish, owner: nobody, moments: func(beckon.Question) func() { return func() {} }, now: time.Now, ledger: newLedger(publish, time.Now),
		waiting: map[string]*waiter{}, open: map[string]int{},
	}
}

// Serve names who acts for the agents that do not wait. It is called before
// anything is asked.
func (d *Desk) Serve(o Owner) { d.owner = o }

// Record names who records the moment in which a question is asked. asked must not block; what it
// returns is called before the agent has what settled the question, and may wait a little. It is
// called before anything is asked.
func (d *Desk) Record(asked func(beckon.Question) (heard func())) { d.moments = asked }

// Ask records q, shows it, and waits until it is settled. It fills ID, unless
// that is chosen, Asked, and from Policy (empty: wait) and WaitMs the clock; texts are cleaned and cut.
//
// The question comes back answered or expired, the latter with a Reason that
// the agent is to read. One that a standing answer fits comes back at once. If
// ctx ends first the error is its cause, unless that is an *Elsewhere, which is
// the answer. What only makes sense while the agent waits is then withdrawn; the ask or plan of a task is orphaned, for the
// user may still answer it. If it was withdrawn or orphaned by others the
// error is ErrGone; one that was parked keeps its asker until ctx ends. A
// question that cannot be shown is refused with beckon.ErrInvalid, and one
// beyond the budgets with ErrFlood.
func (d *Desk) Ask(ctx context.Context, q beckon.Question) (beckon.Question, error) {
	q, leave, err := d.admit(q)
	if err != nil {
		return q, err
	}
	defer leave()
	if ruled, err := d.byRule(ctx, q); err != nil || ruled.RuleID != "" {
		return ruled, err
	}
	w := &waiter{runID: q.RunID, settled: make(chan beckon.Question, 1)}
	w.clock.set(q)
	if err := d.show(ctx, w, q); err != nil {
		return q, err
	}
	defer d.leave(q.ID)
	return d.wait(ctx, w, q)
}

// admit cleans q and begins it, unless it cannot be shown or is beyond the budgets. leave
// waits for what is kept of its moment, and gives its place back.
func (d *Desk) admit(q beckon.Question) (admitted beckon.Question, leave func(), err error) {
	q = d.begin(cleanQuestion(q))
	if err := checkQuestion(q); err != nil {
		return q, nil, err
	}
	free, err := d.ledger.admit(q)
	if err != nil {
		return q, nil, err
	}
	kept := d.moments(q)
	return q, func() { kept(); free() }, nil
}

// begin gives q its identity and its clock.
func (d *Desk) begin(q beckon.Question) beckon.Question {
	q.ID, q.Asked = cmp.Or(q.ID, beckon.NewID()), d.now().UnixMilli()
	q.Settlement, q.Answer, q.Earlier, q.Settled, q.Reason, q.Delivered = beckon.Open, nil, nil, 0, nil, 0
	q.Assumption, q.RuleID, q.Proof = "", "", ""
	q.Deadline, q.HeldMs = 0, 0
	if q.Policy == "" {
		q.Policy = beckon.Wait
	}
	if q.Policy == beckon.Wait {
		q.WaitMs = 0
		return q
	}
	if q.WaitMs <= 0 {
		q.WaitMs = beckon.DefaultWaitMs
	}
	q.Deadline = q.Asked + q.WaitMs
	return q
}

func (d *Desk) show(ctx context.Context, w *waiter, q beckon.Question) error {
	w.showing.Lock()
	defer w.showing.Unlock()
	d.enter(&q, w)
	if err := d.store.AddQuestion(ctx, q); err != nil {
		d.leave(q.ID)
		return fmt.Errorf("record question: %w", err)
	}
	d.publishNewest(ctx, q)
	return nil
}

func (d *Desk) wait(ctx context.Context, w *waiter, q beckon.Question) (beckon.Question, error) {
	for {
		rings, stop := w.clock.alarm(d.now())
		select {
		case settled := <-w.settled:
			stop()
			return d.heard(ctx, settled)
		case <-w.clock.changed:
			stop()
		case <-ctx.Done():
			stop()
			return d.lost(ctx, w, q)
		case <-rings:
			if err := d.expire(ctx, w, q); err != nil {
				return q, err
			}
		}
	}
}

// lost settles a question whose asker went away.
func (d *Desk) lost(ctx context.Context, w *waiter, q beckon.Question) (beckon.Question, error) {
	why := context.Cause(ctx)
	var err error
	elsewhere := new(Elsewhere)
	switch {
	case errors.As(why, &elsewhere):
		err = d.answeredElsewhere(ctx, q.ID, elsewhere)
	case q.TaskID != "" && (q.Kind == beckon.Ask || q.Kind == beckon.Plan):
		err = d.orphan(ctx, q.ID, beckon.ReasonOf(why))
	default:
		err = d.Withdraw(ctx, q.ID, beckon.ReasonOf(why))
	}
	if unlessConflict(err) != nil {
		return q, err
	}
	settled := <-w.settled // the winner has committed, and sends
	if settled.Settlement == beckon.Answered || settled.Settlement == beckon.Expired {
		return settled, nil
	}
	return settled, why
}

// heard is what a settlement means to the one who asked.
func (d *Desk) heard(ctx context.Context, q beckon.Question) (beckon.Question, error) {
	switch {
	case q.Settlement == beckon.Answered || q.Settlement == beckon.Expired:
		return q, nil
	case q.Settlement == beckon.Orphaned && q.Reason.Is(reason.Parked):
		// An error would let the agent go on, in the moment before its run is
		// interrupted.
		<-ctx.Done()
		return q, context.Cause(ctx)
	default:
		return q, fmt.Errorf("%w: %s", ErrGone, q.Reason)
	}
}

// Open counts the questions that a run waits on at this moment.
func (d *Desk) Open(runID string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open[runID]
}

// Floods returns whose questions are refused at this moment.
func (d *Desk) Floods() *beckon.Floods { return d.ledger.present() }

// enter puts the waiter on the desk. While all are paused the clock of q,
// which is not recorded yet, begins held.
func (d *Desk) enter(q *beckon.Question, w *waiter) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting[q.ID] = w
	d.open[w.runID]++
	if q.WaitMs == 0 {
		return
	}
	d.watched(1)
	if d.paused {
		q.Deadline, q.HeldMs = 0, q.WaitMs
		w.clock.set(*q)
		w.clock.byPause = true
	}
}

// leave takes the waiter off the desk and returns it, or nil if it left before.
func (d *Desk) leave(id string) *waiter {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := d.waiting[id]
	if w == nil {
		return nil
	}
	delete(d.waiting, id)
	if w.clock.span > 0 {
		d.watched(-1)
	}
	if d.open[w.runID]--; d.open[w.runID] == 0 {
		delete(d.open, w.runID)
	}
	return w
}

// waiterOf returns the waiter of the question, or nil.
func (d *Desk) waiterOf(id string) *waiter {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.waiting[id]
}
