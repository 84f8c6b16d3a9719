package outbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/store"
)

// Config is what Queues work with.
type Config struct {
	Store   *store.Store
	Publish func(beckon.Event)
	// Of returns the outbox of a task's live run, nil where none lives.
	Of     func(taskID string) *Outbox
	Images Images
	// Heard notes that an agent is known to have the answer of that proof.
	Heard func(ctx context.Context, questionID, proof string) error
	// Insist does a step of a run's until it is done.
	Insist func(what, runID string, step func(context.Context) error)
	// Record returns what the agent of a run has written down of its conversation.
	Record func(beckon.Run) (agent.Record, error)
	// Dir is where the transcripts are.
	Dir string
}

// Queues are the messages of all tasks that no agent has taken yet. They may be
// used from any goroutine.
type Queues struct {
	Config
	queueMu sync.Mutex // held while a queue is published
}

// NewQueues returns the queues, which are rows of the store.
func NewQueues(c Config) *Queues { return &Queues{Config: c} }

// Send tells a task's agent something and returns the message as it then
// stands: Sent is 0 where it waits.
//
// To an agent that is idle it goes at once. In an open turn, Redirect and an
// empty manner end the turn, withdraw what it asked, and go at once; where
// claude does not heed the interrupt the message waits. Steer goes at once too,
// and the agent hears it within the turn, at its next tool boundary. Queue
// waits: at each turn's end the first of the queue goes out, in a turn of its
// own, and a task run is not over before its queue is empty. Interrupting a
// turn lets the next one go, as Escape does in the terminal; a turn that failed
// does not, since all the others would fail with it, and so the queue stays
// until a message went well.
//
// Where no agent lives, or it is not ready, the message waits too. It goes out
// when one starts or resumes, behind the answers that are owed to it; a
// conversation that is resumed for nothing else begins with it.
func (q *Queues) Send(ctx context.Context, taskID string, n beckon.NewMessage) (beckon.Message, error) {
	n.Manner = cmp.Or(n.Manner, beckon.Redirect)
	if !slices.Contains(beckon.Manners, n.Manner) {
		return beckon.Message{}, beckon.Invalid("there is no manner %q of sending a message", n.Manner)
	}
	m, err := q.Write(ctx, taskID, n)
	if err != nil {
		return m, err
	}
	if o := q.Of(taskID); o != nil {
		m = o.trySend(ctx, m, n.Manner)
	}
	return m, q.PublishQueue(ctx, taskID)
}

// Write puts a message into the queue. Nobody hears of it yet.
func (q *Queues) Write(ctx context.Context, taskID string, n beckon.NewMessage) (beckon.Message, error) {
	images, err := q.check(n)
	if err != nil {
		return beckon.Message{}, err
	}
	m := beckon.Message{ID: cmp.Or(n.ID, beckon.NewUUID()), TaskID: taskID, Text: n.Text, Images: images}
	err = q.Store.AddMessage(ctx, &m)
	return m, err
}

// check refuses what cannot be sent and returns the images as they are kept.
func (q *Queues) check(n beckon.NewMessage) ([]beckon.Image, error) {
	switch {
	case strings.TrimSpace(n.Text) == "" && len(n.Images) == 0:
		return nil, beckon.Invalid("a message needs words or an image")
	case len(n.Text) > beckon.MaxBrief:
		return nil, beckon.Invalid("a message has at most %d bytes, this one %d", beckon.MaxBrief, len(n.Text))
	case len(n.Images) > beckon.MaxImages:
		return nil, beckon.Invalid("a message has at most %d images, this one %d", beckon.MaxImages, len(n.Images))
	}
	images := make([]beckon.Image, 0, len(n.Images))
	for _, named := range n.Images {
		kept, _, err := q.Images.Read(named.ID)
		if err != nil {
			return nil, err
		}
		kept.Name = ImageName(named.Name)
		images = append(images, kept)
	}
	return images, nil
}

// Edit replaces the text and images of a message that the agent has not taken.
// One that was handed to it is taken back and sent again, under another ID:
// claude would take the old one for a repetition.
func (q *Queues) Edit(ctx context.Context, id string, n beckon.NewMessage) (beckon.Message, error) {
	images, err := q.check(n)
	if err != nil {
		return beckon.Message{}, err
	}
	var edited beckon.Message
	err = q.change(ctx, id, func(m beckon.Message, from *Outbox) error {
		edited = beckon.Message{ID: m.ID, Text: n.Text, Images: images}
		if from != nil {
			edited.ID = beckon.NewUUID()
		}
		edited, err = q.Store.ReplaceMessage(ctx, m.ID, edited)
		if err != nil || from == nil {
			return err
		}
		edited, err = from.sendQueued(ctx, edited)
		return err
	})
	return edited, err
}

// Remove takes back a message that the agent has not taken.
func (q *Queues) Remove(ctx context.Context, id string) error {
	return q.change(ctx, id, func(beckon.Message, *Outbox) error { return q.Store.RemoveMessage(ctx, id) })
}

// Move puts a queued message at a place of its queue, 0 for the first.
func (q *Queues) Move(ctx context.Context, id string, to int) error {
	m, err := q.Store.Message(ctx, id)
	if err != nil {
		return readAlready(err)
	}
	if o := q.Of(m.TaskID); o != nil && o.hasTaken(id) {
		return errRead
	}
	if err := q.Store.MoveMessage(ctx, id, to); err != nil {
		return readAlready(err)
	}
	return q.PublishQueue(ctx, m.TaskID)
}

// change has do change a message while none goes out. One that was handed to
// an agent is taken back first, and do gets its outbox.
func (q *Queues) change(ctx context.Context, id string, do func(m beckon.Message, from *Outbox) error) error {
	m, err := q.Store.Message(ctx, id)
	if err != nil {
		return readAlready(err)
	}
	o := q.Of(m.TaskID)
	if o != nil {
		o.deliveryMu.Lock()
		defer o.deliveryMu.Unlock()
		if m, err = q.Store.Message(ctx, id); err != nil {
			return readAlready(err)
		}
	}
	if o != nil && m.Sent != 0 {
		if err := o.takeBack(ctx, id); err != nil {
			return err
		}
	} else {
		o = nil
	}
	if err := do(m, o); err != nil {
		return readAlready(err)
	}
	return q.PublishQueue(ctx, m.TaskID)
}

// takeBack has claude give back a message that it was handed. The caller holds
// deliveryMu.
func (o *Outbox) takeBack(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, obeyIn)
	defer cancel()
	switch inTime, err := o.agent.Session().TakeBack(ctx, id); {
	case err != nil:
		err = fmt.Errorf("the agent did not give the message back; try again, or interrupt it: %w", errors.Join(beckon.ErrConflict, err))
		return problem.New(problem.MessageStuck, err)
	case !inTime:
		return errRead
	}
	o.forget(id)
	return nil
}

// errRead is the error of a change that comes too late.
var errRead = problem.New(problem.MessageRead, fmt.Errorf("the agent has already read this message; send another to correct it: %w", beckon.ErrConflict))

// readAlready says of a message that is gone that it was read.
func readAlready(err error) error {
	if errors.Is(err, beckon.ErrNotFound) {
		return errRead
	}
	return err
}

// PublishQueue tells the clients what a task's agent has not taken yet.
func (q *Queues) PublishQueue(ctx context.Context, taskID string) error {
	q.queueMu.Lock() // of two who publish it, the later one has the newer list
	defer q.queueMu.Unlock()
	list, err := q.Store.Messages(ctx, taskID)
	if err != nil {
		return err
	}
	list = q.visibleQueue(taskID, list)
	q.Publish(beckon.Event{Queue: &beckon.MessageQueue{TaskID: taskID, Messages: list}})
	return nil
}

// visibleQueue leaves out of a task's queue what its agent is busy with already.
func (q *Queues) visibleQueue(taskID string, list []beckon.Message) []beckon.Message {
	if o := q.Of(taskID); o != nil {
		return o.visible(list)
	}
	return list
}

// Events returns the queues of all tasks that have one, as events.
func (q *Queues) Events(ctx context.Context) ([]beckon.Event, error) {
	all, err := q.Store.AllMessages(ctx)
	if err != nil {
		return nil, err
	}
	var events []beckon.Event
	for len(all) > 0 {
		id, n := all[0].TaskID, 1
		for n < len(all) && all[n].TaskID == id {
			n++
		}
		if list := q.visibleQueue(id, all[:n:n]); len(list) > 0 {
			events = append(events, beckon.Event{Queue: &beckon.MessageQueue{TaskID: id, Messages: list}})
		}
		all = all[n:]
	}
	return events, nil
}

// drop removes the rows of messages that were taken.
func (q *Queues) drop(ctx context.Context, taskID string, ids []string) error {
	for _, id := range ids {
		if err := q.Store.RemoveMessage(ctx, id); err != nil && !errors.Is(err, beckon.ErrNotFound) {
			return err
		}
	}
	return q.PublishQueue(ctx, taskID)
}
