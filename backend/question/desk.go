// Package question is the desk where agents' questions wait for the user.
//
// A question is a row before it is shown, and it is settled once: by an
// answer, by its clock, by the agent that stops waiting, or by the death of
// its run. The database is the referee between them, and whoever comes second
// is told beckon.ErrConflict. What is settled is committed first, then
// published, and only then is the agent woken. The desk does not know how an
// agent asked, nor who answers.
package question

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/store"
)

// ErrGone is what Ask returns for a question that was withdrawn by other
// means than its context, or stranded: nobody answers it any more.
var ErrGone = errors.New("the question was closed without an answer")

// Desk holds the questions that somebody waits on.
type Desk struct {
	store   *store.Store
	publish func(beckon.Event)

	mu      sync.Mutex
	waiting map[string]*waiter // by question
	open    map[string]int     // by run
}

// waiter is the one who asked.
type waiter struct {
	runID   string
	settled chan beckon.Question // 1-buffered: only the settler of the row sends

	// showing is held until the question is shown, so that its settlement can
	// not be published before it.
	showing sync.Mutex
}

// New returns an empty desk. publish is called for each change of a question,
// after it is committed; it must not block.
func New(s *store.Store, publish func(beckon.Event)) *Desk {
	return &Desk{store: s, publish: publish, waiting: map[string]*waiter{}, open: map[string]int{}}
}

// Ask records q, shows it, and waits until it is settled. It fills ID, Asked,
// and from Policy (empty: wait) and WaitMs the clock; texts are cleaned and cut.
//
// The question comes back answered or expired, the latter with a Reason that
// the agent is to read. If ctx ends first the question is withdrawn and the
// error is the cause; if it was withdrawn or stranded by others the error is
// ErrGone. A question that can not be shown is refused with beckon.ErrInvalid.
func (d *Desk) Ask(ctx context.Context, q beckon.Question) (beckon.Question, error) {
	q = begin(clean(q), time.Now())
	if err := checkQuestion(q); err != nil {
		return q, err
	}
	w := &waiter{runID: q.RunID, settled: make(chan beckon.Question, 1)}
	if err := d.show(ctx, w, q); err != nil {
		return q, err
	}
	defer d.leave(q.ID)
	return d.wait(ctx, w, q)
}

// begin gives q its identity and starts its clock.
func begin(q beckon.Question, now time.Time) beckon.Question {
	q.ID, q.Asked = beckon.NewID(), now.UnixMilli()
	q.Settlement, q.Answer, q.Settled, q.Reason, q.Delivered = beckon.Open, nil, 0, "", 0
	q.Deadline, q.HeldMs = 0, 0
	if q.Policy == "" {
		q.Policy = beckon.Wait
	}
	if q.Policy != beckon.Proceed {
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
	d.enter(q.ID, w)
	if err := d.store.AddQuestion(ctx, q); err != nil {
		d.leave(q.ID)
		return fmt.Errorf("record question: %w", err)
	}
	d.publish(beckon.Event{Question: &q})
	return nil
}

func (d *Desk) wait(ctx context.Context, w *waiter, q beckon.Question) (beckon.Question, error) {
	var expired <-chan time.Time
	if q.Deadline > 0 {
		clock := time.NewTimer(time.Duration(q.WaitMs) * time.Millisecond)
		defer clock.Stop()
		expired = clock.C
	}
	var err error
	select {
	case settled := <-w.settled:
		return heard(settled)
	case <-expired:
		err = d.settle(ctx, q.ID, beckon.Expired, nil, expiry(q))
	case <-ctx.Done():
		err = d.settle(ctx, q.ID, beckon.Withdrawn, nil, context.Cause(ctx).Error())
	}
	if err != nil && !errors.Is(err, beckon.ErrConflict) {
		return q, err
	}
	// Whoever won has committed, and sends.
	settled := <-w.settled
	if settled.Settlement == beckon.Withdrawn && ctx.Err() != nil {
		return settled, context.Cause(ctx)
	}
	return heard(settled)
}

// heard is what a settlement means to the one who asked.
func heard(q beckon.Question) (beckon.Question, error) {
	if q.Settlement == beckon.Answered || q.Settlement == beckon.Expired {
		return q, nil
	}
	return q, fmt.Errorf("%w: %s", ErrGone, q.Reason)
}

// Answer settles a question; the answer is on disk before the agent hears it.
// An answer that does not fit is refused with beckon.ErrInvalid and changes
// nothing. If the question is settled already the error is beckon.ErrConflict
// and says how.
func (d *Desk) Answer(ctx context.Context, id string, a beckon.Answer) error {
	q, err := d.store.Question(ctx, id)
	if err != nil {
		return err
	}
	if err := checkAnswer(q, a); err != nil {
		return err
	}
	return d.settle(ctx, id, beckon.Answered, complete(a), "")
}

func complete(a beckon.Answer) *beckon.Answer {
	items := make([]beckon.ItemAnswer, 0, len(a.Items))
	for _, i := range a.Items {
		items = append(items, beckon.ItemAnswer{Labels: append([]string{}, i.Labels...), Other: i.Other})
	}
	a.Items, a.At = items, beckon.Now()
	if a.By == "" {
		a.By = "user"
	}
	return &a
}

// Withdraw settles a question that the agent does not wait on any more.
// reason is for people to read.
func (d *Desk) Withdraw(ctx context.Context, id, reason string) error {
	return d.settle(ctx, id, beckon.Withdrawn, nil, reason)
}

// Delivered notes that the agent was handed the answer.
func (d *Desk) Delivered(ctx context.Context, id string) error {
	if err := d.store.MarkDelivered(ctx, id); err != nil {
		return err
	}
	q, err := d.store.Question(ctx, id)
	if err != nil {
		return err
	}
	d.publish(beckon.Event{Question: &q})
	return nil
}

// Open counts the questions that a run waits on at this moment.
func (d *Desk) Open(runID string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open[runID]
}

// Strand settles what a dead run left open, whether somebody still waits on
// it or, after a crash, nobody does.
func (d *Desk) Strand(ctx context.Context, runID, reason string) error {
	stranded, err := d.store.StrandOpen(ctx, runID, reason)
	if err != nil {
		return fmt.Errorf("strand questions: %w", err)
	}
	for _, q := range stranded {
		d.announce(q)
	}
	return nil
}

// settle commits whatever becomes of ctx meanwhile: who decided to settle has
// decided.
func (d *Desk) settle(ctx context.Context, id string, to beckon.Settlement, a *beckon.Answer, reason string) error {
	ctx = context.WithoutCancel(ctx)
	q, err := d.store.Settle(ctx, id, to, a, reason)
	if errors.Is(err, beckon.ErrConflict) {
		return d.conflict(ctx, id)
	}
	if err != nil {
		return fmt.Errorf("settle question: %w", err)
	}
	d.announce(q)
	return nil
}

// conflict tells the one who came second how the question was settled.
func (d *Desk) conflict(ctx context.Context, id string) error {
	q, err := d.store.Question(ctx, id)
	if err != nil {
		return err
	}
	return fmt.Errorf("%s: %w", settledWords(q), beckon.ErrConflict)
}

// announce publishes a settled question and wakes the one who asked it.
func (d *Desk) announce(q beckon.Question) {
	w := d.leave(q.ID)
	if w == nil {
		d.publish(beckon.Event{Question: &q})
		return
	}
	w.showing.Lock()
	defer w.showing.Unlock()
	d.publish(beckon.Event{Question: &q})
	w.settled <- q
}

func (d *Desk) enter(id string, w *waiter) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting[id] = w
	d.open[w.runID]++
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
	if d.open[w.runID]--; d.open[w.runID] == 0 {
		delete(d.open, w.runID)
	}
	return w
}
