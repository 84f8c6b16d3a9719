package question

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
	"beckon/backend/plain"
)

// Answer settles a question; the answer is on disk before the agent hears it.
// It says from where it came, by default from Beckon's page.
// A question that expired, and one that a rule answered, takes one answer of a
// person too: the agent gets that as a message, as it gets what Change says. An answer that does not
// fit is refused with beckon.ErrInvalid and changes nothing. If the question
// is settled already the error is beckon.ErrConflict and says how.
func (d *Desk) Answer(ctx context.Context, id string, a beckon.Answer) error {
	q, err := d.store.Question(ctx, id)
	if err != nil {
		return err
	}
	if err := Fits(q, a); err != nil {
		return err
	}
	given := complete(a)
	err = d.settle(ctx, id, beckon.Answered, given, nil)
	if !errors.Is(err, beckon.ErrConflict) {
		return err
	}
	return d.answerLate(ctx, id, *given)
}

// AnswerInTime is Answer, but refuses a question that expired or that a rule answered, with
// beckon.ErrConflict.
func (d *Desk) AnswerInTime(ctx context.Context, id string, a beckon.Answer) error {
	q, err := d.store.Question(ctx, id)
	if err == nil {
		err = Fits(q, a)
	}
	if err != nil {
		return err
	}
	return d.settle(ctx, id, beckon.Answered, complete(a), nil)
}

// Elsewhere is why the context of an Ask ends whose agent was answered outside
// of Beckon. The agent has that answer by then, whatever it is, so that nothing of it
// is refused.
type Elsewhere struct {
	Answer beckon.Answer
	By     beckon.By
}

// Error says where.
func (e *Elsewhere) Error() string { return "answered in the " + string(e.By) }

// answeredElsewhere settles a question by an answer that the agent has.
func (d *Desk) answeredElsewhere(ctx context.Context, id string, e *Elsewhere) error {
	if err := d.settle(ctx, id, beckon.Answered, e.complete(), nil); err != nil {
		return err
	}
	return d.Delivered(context.WithoutCancel(ctx), id)
}

// Overtake puts the answer that an agent was given elsewhere in the place of one
// from here, which came too late there.
func (d *Desk) Overtake(ctx context.Context, id string, e Elsewhere) error {
	q, err := d.store.Question(ctx, id)
	if err != nil {
		return err
	}
	q, err = d.store.Overtake(context.WithoutCancel(ctx), id, *e.complete(), overtaken(q))
	if err != nil {
		return fmt.Errorf("record an answer from elsewhere: %w", err)
	}
	d.publishNewest(ctx, q)
	return nil
}

// answerLate takes an answer for a question that is settled, where its kind
// makes sense to an agent that went on.
func (d *Desk) answerLate(ctx context.Context, id string, a beckon.Answer) error {
	ctx = context.WithoutCancel(ctx)
	q, err := d.store.Question(ctx, id)
	if err != nil {
		return err
	}
	if !speaksLater(q) {
		return d.conflict(ctx, id)
	}
	if q.RuleID != "" {
		return d.change(ctx, id, 0, a)
	}
	q, err = d.store.AnswerLate(ctx, id, a)
	if errors.Is(err, beckon.ErrConflict) {
		return d.conflict(ctx, id)
	}
	if err != nil {
		return fmt.Errorf("record a late answer: %w", err)
	}
	d.publishNewest(ctx, q)
	d.owner.DeliverAnswer(q, false)
	return nil
}

// speaksLater reports whether an answer makes sense to an agent that went on. What a
// permission let run has run, and a form is sent.
func speaksLater(q beckon.Question) bool {
	return (q.Kind == beckon.Ask || q.Kind == beckon.Plan) && q.TaskID != "" && q.Budget == nil
}

// mostChanges is how often an answer can be changed, since each keeps the one before.
const mostChanges = 20

// Change replaces the answer that a question has after so many changes, by one that
// its agent gets as a correction, at once or resumed for it. Who did not see the
// newest answer gets beckon.ErrConflict, and what it is. A permission and a form
// cannot be changed, nor what belongs to a card that is over.
func (d *Desk) Change(ctx context.Context, id string, changes int, a beckon.Answer) error {
	q, err := d.store.Question(ctx, id)
	if err != nil {
		return err
	}
	if !speaksLater(q) || q.Answer == nil {
		return fmt.Errorf("this answer cannot be changed; tell the agent instead: %w", beckon.ErrConflict)
	}
	if changes >= mostChanges {
		err := beckon.Invalid("this answer was changed %d times and stays as it is; tell the agent instead", mostChanges)
		return problem.New(problem.ChangedOften, err, "n", strconv.Itoa(mostChanges))
	}
	if err := Fits(q, a); err != nil {
		return err
	}
	return d.change(context.WithoutCancel(ctx), id, changes, *complete(a))
}

func (d *Desk) change(ctx context.Context, id string, changes int, a beckon.Answer) error {
	q, err := d.store.ChangeAnswer(ctx, id, changes, a)
	if errors.Is(err, beckon.ErrConflict) {
		now, _ := d.store.Question(ctx, id)
		if len(now.Earlier) == changes {
			return fmt.Errorf("its task is over, so nobody is there to hear a change: %w", beckon.ErrConflict)
		}
		return d.conflict(ctx, id)
	}
	if err != nil {
		return fmt.Errorf("record a change of an answer: %w", err)
	}
	d.publishNewest(ctx, q)
	d.owner.DeliverAnswer(q, true)
	return nil
}

// Check returns an open question with the answer in place, and the error that
// Answer would have for it. It settles nothing.
func (d *Desk) Check(ctx context.Context, id string, a beckon.Answer) (beckon.Question, error) {
	q, err := d.store.Question(ctx, id)
	if err == nil && q.Settlement != beckon.Open {
		err = d.conflict(ctx, id)
	}
	if err == nil {
		err = Fits(q, a)
	}
	q.Answer = complete(a)
	return q, err
}

// complete is the answer of a person as it is kept.
func complete(a beckon.Answer) *beckon.Answer {
	if !a.By.Person() {
		a.By, a.ByName = beckon.ByUser, ""
	}
	a.ByName = plain.Line(a.ByName, beckon.MaxDeviceName)
	return dated(a)
}

// complete is the answer as it is kept, of which nothing is refused.
func (e *Elsewhere) complete() *beckon.Answer {
	a := cleanAnswer(e.Answer)
	a.By, a.ByName = e.By, ""
	return dated(a)
}

// dated is an answer of this moment, without fields that are nil.
func dated(a beckon.Answer) *beckon.Answer {
	items := make([]beckon.ItemAnswer, 0, len(a.Items))
	for _, i := range a.Items {
		i.Labels = append([]string{}, i.Labels...)
		items = append(items, i)
	}
	a.Items, a.At = items, beckon.Now()
	return &a
}

// Withdraw settles a question that the agent does not wait on any more.
// why is for people to read.
func (d *Desk) Withdraw(ctx context.Context, id string, why *reason.Reason) error {
	return d.settle(ctx, id, beckon.Withdrawn, nil, why)
}

// WithdrawAll closes what a run waits on, because a person ended that wait.
// One that cannot be closed does not keep the others open.
func (d *Desk) WithdrawAll(ctx context.Context, runID string, why *reason.Reason) error {
	d.mu.Lock()
	waiting := maps.Clone(d.waiting)
	d.mu.Unlock()
	var errs []error
	for id, w := range waiting {
		if w.runID != runID {
			continue
		}
		w.shown()
		if d.waiterOf(id) == nil {
			continue // it was settled meanwhile, or could not be recorded
		}
		errs = append(errs, unlessConflict(d.Withdraw(ctx, id, why)))
	}
	return errors.Join(errs...)
}

// WithdrawTask closes the questions of a task that nobody waits on: its card is
// over. why is for people to read.
func (d *Desk) WithdrawTask(ctx context.Context, taskID string, why *reason.Reason) error {
	withdrawn, err := d.store.WithdrawOrphaned(context.WithoutCancel(ctx), taskID, why)
	if err != nil {
		return fmt.Errorf("withdraw questions: %w", err)
	}
	for _, q := range withdrawn {
		d.announce(q)
	}
	return nil
}

// Dismiss closes one question that nobody waits on, because its reader does
// not want to answer it.
func (d *Desk) Dismiss(ctx context.Context, id string) error {
	return d.Retract(ctx, id, reason.Of(reason.YouDismissed))
}

// Retract closes one question that nobody waits on. why is for people to read.
func (d *Desk) Retract(ctx context.Context, id string, why *reason.Reason) error {
	q, err := d.store.Dismiss(context.WithoutCancel(ctx), id, why)
	if errors.Is(err, beckon.ErrConflict) {
		return d.conflict(ctx, id)
	}
	if err != nil {
		return fmt.Errorf("dismiss question: %w", err)
	}
	d.announce(q)
	return nil
}

// Delivered notes that the agent was handed what settled the question. It says
// nothing of an answer that was changed since.
func (d *Desk) Delivered(ctx context.Context, id string) error { return d.Heard(ctx, id, "") }

// Heard notes that the agent has the answer that has this proof.
func (d *Desk) Heard(ctx context.Context, id, proof string) error {
	q, err := d.store.MarkDelivered(ctx, id, proof)
	if err != nil {
		return err
	}
	d.publishNewest(ctx, q)
	return nil
}

// SetHeard notes when an agent heard an answer, in Unix milliseconds; 0: one is owed it.
func (d *Desk) SetHeard(ctx context.Context, id string, at int64) error {
	if err := d.store.Checkpoints.SetHeard(ctx, id, at); err != nil {
		return err
	}
	q, err := d.store.Question(ctx, id)
	if err == nil {
		d.publishNewest(ctx, q)
	}
	return err
}

// Name tells which sub-agent asked in a tool call of a run, where that came out
// after the question.
func (d *Desk) Name(ctx context.Context, runID, toolUseID, agent string) error {
	named, err := d.store.NameAgent(ctx, runID, toolUseID, plain.Line(agent, beckon.MaxOptionLabel))
	if err != nil {
		return fmt.Errorf("name a sub-agent: %w", err)
	}
	for _, q := range named {
		d.publishNewest(ctx, q)
	}
	return nil
}

// mostUnasked is how many decisions a run's agent may record that it asked nobody about.
const mostUnasked = 100

// Assume writes what the agent says that it assumed, which is in q, into the newest
// question of its run that nobody answered, since then neither; where q has a text, into
// the newest that asks so.
//
// Where none does and q is a task's, the agent decided by itself what it could have asked:
// q is kept, expired from the start, so that it can be read and answered like any that
// nobody answered. ErrFlood: there are too many of these, or of questions. What has no task
// is kept with its run's only question, put in other words. beckon.ErrNotFound: there is
// nothing that it can be about.
func (d *Desk) Assume(ctx context.Context, q beckon.Question) (beckon.Question, error) {
	d.assuming.Lock() // the same decision, said twice at once, is kept once
	defer d.assuming.Unlock()
	all, err := d.store.Unanswered(ctx, q.RunID)
	if err != nil {
		return q, err
	}
	assumption := cleanText(q.Assumption, beckon.MaxQuestionText)
	switch meant := meantBy(q, all); {
	case meant != "":
		q, err = d.store.Assume(context.WithoutCancel(ctx), meant, assumption)
	case q.TaskID != "" && q.Items[0].Text != "":
		if n := unasked(all); n >= mostUnasked {
			return q, fmt.Errorf("%w: %d decisions are recorded already, the most for a run. Name the others in your final message", ErrFlood, n)
		}
		q, err = d.keepUnasked(ctx, q, assumption)
	default:
		return q, fmt.Errorf("a question of yours that nobody answered and that reads so: %w", beckon.ErrNotFound)
	}
	if err != nil {
		return q, fmt.Errorf("record an assumption: %w", err)
	}
	d.publishNewest(ctx, q)
	return q, nil
}

// meantBy returns the ID of the one of a run's unanswered questions, the newest first, that
// an assumption is about; "" for none.
func meantBy(q beckon.Question, all []beckon.Question) string {
	all = slices.DeleteFunc(slices.Clone(all), func(one beckon.Question) bool {
		return one.Settlement == beckon.Expired && one.Answer != nil // late, and holds
	})
	text := q.Items[0].Text
	for _, one := range all {
		if asks(one, text) && (text != "" || !isUnasked(one)) {
			return one.ID
		}
	}
	if q.TaskID == "" && len(all) == 1 {
		return all[0].ID
	}
	return ""
}

// isUnasked reports whether q is what an agent decided without asking.
func isUnasked(q beckon.Question) bool { return q.Reason.Is(reason.NotAsked) }

func unasked(all []beckon.Question) (n int) {
	for _, q := range all {
		if isUnasked(q) {
			n++
		}
	}
	return n
}

// keepUnasked keeps what an agent decided without asking.
func (d *Desk) keepUnasked(ctx context.Context, q beckon.Question, assumption string) (beckon.Question, error) {
	q, leave, err := d.admit(q)
	if err != nil {
		return q, err
	}
	defer leave()
	q.Policy, q.WaitMs, q.Deadline = beckon.Proceed, 0, 0
	q.Settlement, q.Settled, q.Reason, q.Assumption = beckon.Expired, q.Asked, reason.Of(reason.NotAsked), assumption
	return q, d.store.AddQuestion(context.WithoutCancel(ctx), q)
}

// asks reports whether q asks so in one of its items; anything asks "".
func asks(q beckon.Question, questionText string) bool {
	wanted := plain.Normal(cleanText(questionText, beckon.MaxQuestionText))
	return wanted == "" || slices.ContainsFunc(q.Items, func(i beckon.QuestionItem) bool {
		return strings.EqualFold(plain.Normal(i.Text), wanted)
	})
}

// Orphan settles what a dead run left open, whether somebody still waits on
// it or, after a crash, nobody does.
func (d *Desk) Orphan(ctx context.Context, runID string, why *reason.Reason) error {
	orphaned, err := d.store.OrphanOpen(ctx, runID, why)
	if err != nil {
		return fmt.Errorf("orphan questions: %w", err)
	}
	for _, q := range orphaned {
		d.announce(q)
	}
	return nil
}

// orphan leaves one question to be answered without its asker.
func (d *Desk) orphan(ctx context.Context, id string, why *reason.Reason) error {
	q, err := d.store.Orphan(context.WithoutCancel(ctx), id, why)
	if err != nil {
		return err
	}
	d.announce(q)
	return nil
}

// settle commits whatever becomes of ctx meanwhile: who decided to settle has
// decided.
func (d *Desk) settle(ctx context.Context, id string, to beckon.Settlement, a *beckon.Answer, why *reason.Reason) error {
	ctx = context.WithoutCancel(ctx)
	q, err := d.store.Settle(ctx, id, to, a, why)
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

func unlessConflict(err error) error {
	if errors.Is(err, beckon.ErrConflict) {
		return nil
	}
	return err
}

// announce publishes a settled question and wakes the one who asked it. An
// answer that nobody waits for is carried.
func (d *Desk) announce(q beckon.Question) {
	w := d.leave(q.ID)
	if w == nil {
		d.publishNewest(context.Background(), q)
		if q.Settlement == beckon.Answered {
			d.owner.DeliverAnswer(q, true)
		}
		return
	}
	w.showing.Lock()
	defer w.showing.Unlock()
	d.publishNewest(context.Background(), q)
	w.settled <- q
}

// publishNewest publishes a question that was changed. Between a commit and its
// publication another writer may commit and publish: so what is published is
// the row as it then is, and the clients keep the newest. A row that cannot be
// read is published as it was committed.
func (d *Desk) publishNewest(ctx context.Context, q beckon.Question) {
	d.telling.Lock()
	defer d.telling.Unlock()
	newest, err := d.store.Question(context.WithoutCancel(ctx), q.ID)
	if errors.Is(err, beckon.ErrNotFound) {
		return // its card was removed meanwhile
	}
	if err == nil {
		q = newest
	}
	d.publish(beckon.Event{Question: &q})
}
