package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/claude"
	"beckon/backend/runner/attachment"
)

// SendMessage tells a task's agent something and returns the message as it
// then stands: Sent is 0 where it waits.
//
// To an agent that is idle it goes at once. In an open turn, Redirect and an empty
// manner end the turn, withdraw what it asked, and go at once; where claude
// does not heed the interrupt the message waits. Steer
// goes at once too, and the agent hears it within the turn, at its next tool
// boundary. Queue waits: at each turn's end the first
// of the queue goes out, in a turn of its own, and a task run is not over
// before its queue is empty. Interrupting a turn lets the next one go, as
// Escape does in the terminal; a turn that failed does not, since all the
// others would fail with it, and so the queue stays until a message went well.
//
// Where no agent lives, or it is not ready, the message waits too. It goes out
// when one starts or resumes, behind the answers that are owed to it; a
// conversation that is resumed for nothing else begins with it.
func (r *Runner) SendMessage(ctx context.Context, taskID string, n beckon.NewMessage) (beckon.Message, error) {
	n.Manner = cmp.Or(n.Manner, beckon.Redirect)
	if !slices.Contains(beckon.Manners, n.Manner) {
		return beckon.Message{}, beckon.Invalid("there is no manner %q of sending a message", n.Manner)
	}
	m, err := r.write(ctx, taskID, n)
	if err != nil {
		return m, err
	}
	if l := r.liveRun(taskID); l != nil {
		m = l.offer(ctx, m, n.Manner)
	}
	return m, r.tellQueue(ctx, taskID)
}

// write makes a row of a message.
func (r *Runner) write(ctx context.Context, taskID string, n beckon.NewMessage) (beckon.Message, error) {
	images, err := r.checkMessage(n)
	if err != nil {
		return beckon.Message{}, err
	}
	m := beckon.Message{ID: claude.NewUUID(), TaskID: taskID, Text: n.Text, Images: images}
	err = r.Store.AddMessage(ctx, &m)
	return m, err
}

// checkMessage refuses what cannot be sent and returns the images as they
// are kept.
func (r *Runner) checkMessage(n beckon.NewMessage) ([]beckon.Image, error) {
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
		kept, _, err := r.images.Read(named.ID)
		if err != nil {
			return nil, err
		}
		kept.Name = attachment.Name(named.Name)
		images = append(images, kept)
	}
	return images, nil
}

// EditMessage replaces the text and images of a message that the agent has
// not taken. One that was handed to it is taken back and handed over again,
// under another ID: claude would take the old one for a repetition.
func (r *Runner) EditMessage(ctx context.Context, id string, n beckon.NewMessage) (beckon.Message, error) {
	images, err := r.checkMessage(n)
	if err != nil {
		return beckon.Message{}, err
	}
	var edited beckon.Message
	err = r.change(ctx, id, func(m beckon.Message, l *live) error {
		edited = beckon.Message{ID: m.ID, Text: n.Text, Images: images}
		if l != nil {
			edited.ID = claude.NewUUID()
		}
		edited, err = r.Store.ReplaceMessage(ctx, m.ID, edited)
		if err != nil || l == nil {
			return err
		}
		edited, err = l.handOver(ctx, edited)
		return err
	})
	return edited, err
}

// RemoveMessage takes back a message that the agent has not taken.
func (r *Runner) RemoveMessage(ctx context.Context, id string) error {
	return r.change(ctx, id, func(beckon.Message, *live) error { return r.Store.RemoveMessage(ctx, id) })
}

// MoveMessage puts a queued message at a place of its queue, 0 for the first.
func (r *Runner) MoveMessage(ctx context.Context, id string, to int) error {
	m, err := r.Store.Message(ctx, id)
	if err != nil {
		return readAlready(err)
	}
	if l := r.liveRun(m.TaskID); l != nil && l.hasTaken(id) {
		return errRead
	}
	if err := r.Store.MoveMessage(ctx, id, to); err != nil {
		return readAlready(err)
	}
	return r.tellQueue(ctx, m.TaskID)
}

// change has do change a message while none goes out. One that was handed to
// an agent is taken back first, and do is given the agent.
func (r *Runner) change(ctx context.Context, id string, do func(m beckon.Message, from *live) error) error {
	m, err := r.Store.Message(ctx, id)
	if err != nil {
		return readAlready(err)
	}
	l := r.liveRun(m.TaskID)
	if l != nil {
		l.carrying.Lock()
		defer l.carrying.Unlock()
		if m, err = r.Store.Message(ctx, id); err != nil {
			return readAlready(err)
		}
	}
	if l != nil && m.Sent != 0 {
		if err := l.takeBackMessage(ctx, id); err != nil {
			return err
		}
	} else {
		l = nil
	}
	if err := do(m, l); err != nil {
		return readAlready(err)
	}
	return r.tellQueue(ctx, m.TaskID)
}

// takeBackMessage has claude give back a message that it was handed. The
// caller holds carrying.
func (l *live) takeBackMessage(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, interruptIn)
	defer cancel()
	switch cancelled, err := l.process().CancelMessage(ctx, id); {
	case err != nil:
		err = fmt.Errorf("the agent did not give the message back; try again, or interrupt it: %w", errors.Join(beckon.ErrConflict, err))
		return beckon.Problem(beckon.ProblemMessageStuck, err)
	case !cancelled:
		return errRead
	}
	l.forget(id)
	return nil
}

// errRead is what who is too late with a message hears.
var errRead = beckon.Problem(beckon.ProblemMessageRead, fmt.Errorf("the agent has already read this message; send another to correct it: %w", beckon.ErrConflict))

// readAlready says of a message that is gone that it was read.
func readAlready(err error) error {
	if errors.Is(err, beckon.ErrNotFound) {
		return errRead
	}
	return err
}

// tellQueue tells the clients what a task's agent has not taken yet.
func (r *Runner) tellQueue(ctx context.Context, taskID string) error {
	r.telling.Lock() // of two who tell it, the later one has the newer list
	defer r.telling.Unlock()
	list, err := r.Store.Messages(ctx, taskID)
	if err != nil {
		return err
	}
	list = r.untold(taskID, list)
	r.Publish(beckon.Event{Queue: &beckon.MessageQueue{TaskID: taskID, Messages: list}})
	return nil
}

// untold leaves out of a task's queue what its agent is busy with already.
func (r *Runner) untold(taskID string, list []beckon.Message) []beckon.Message {
	if l := r.liveRun(taskID); l != nil {
		return l.hideShown(list)
	}
	return list
}

// queues returns the queues of all tasks that have one, as events.
func (r *Runner) queues(ctx context.Context) ([]beckon.Event, error) {
	all, err := r.Store.AllMessages(ctx)
	if err != nil {
		return nil, err
	}
	var events []beckon.Event
	for len(all) > 0 {
		id, n := all[0].TaskID, 1
		for n < len(all) && all[n].TaskID == id {
			n++
		}
		if list := r.untold(id, all[:n:n]); len(list) > 0 {
			events = append(events, beckon.Event{Queue: &beckon.MessageQueue{TaskID: id, Messages: list}})
		}
		all = all[n:]
	}
	return events, nil
}

// dropMessages removes the rows of messages that were taken.
func (r *Runner) dropMessages(ctx context.Context, taskID string, ids []string) error {
	for _, id := range ids {
		if err := r.Store.RemoveMessage(ctx, id); err != nil && !errors.Is(err, beckon.ErrNotFound) {
			return err
		}
	}
	return r.tellQueue(ctx, taskID)
}
