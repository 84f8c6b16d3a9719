package outbox

import (
	"context"
	"errors"
	"slices"

	"beckon/backend/agent"
	"beckon/backend/answer"
	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// Owed is an answer that no agent has heard, as far as is known.
type Owed struct {
	beckon.Question
	Doubtful bool // an agent that died may have heard it
}

// Owing returns the answers that a task's agents of that kind were not told,
// the oldest question first, after it has settled those that they were.
func (q *Queues) Owing(ctx context.Context, taskID string, kind beckon.RunKind) ([]Owed, error) {
	all, err := q.Store.Undelivered(ctx, taskID, kind)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	found, doubt, err := q.heardBefore(ctx, taskID, kind, all)
	if err != nil {
		return nil, err
	}
	var list []Owed
	for _, a := range all {
		if !found[a.Proof] {
			list = append(list, Owed{a, doubt && a.Proof != ""})
			continue
		}
		if err := q.Heard(ctx, a.ID, a.Proof); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// heardBefore looks for answers in the records of all conversations that the
// task had of that kind. doubt says that one could not be read.
func (q *Queues) heardBefore(ctx context.Context, taskID string, kind beckon.RunKind, all []beckon.Question) (found map[string]bool, doubt bool, err error) {
	runs, err := q.Store.Runs(ctx, taskID)
	if err != nil {
		return nil, false, err
	}
	var proofs []agent.Proof
	for _, a := range all {
		if a.Proof != "" {
			proofs = append(proofs, proofOf(a))
		}
	}
	found = map[string]bool{}
	var seen []string
	for _, run := range slices.Backward(runs) {
		if run.Kind != kind || slices.Contains(seen, run.Session) {
			continue
		}
		seen = append(seen, run.Session)
		in, err := q.heard(run, proofs, agent.RecordMost)
		doubt = doubt || err != nil
		for id := range in {
			found[id] = true
		}
	}
	return found, doubt, nil
}

// proofOf returns what shows that an agent heard the answer.
func proofOf(q beckon.Question) agent.Proof {
	p := agent.Proof{ID: q.Proof}
	if q.Answer != nil && (q.Answer.Verdict == beckon.Deny || q.Answer.Verdict == beckon.Skip) {
		p.Words = answer.Denial(q)
	}
	return p
}

// SettleSent settles what was handed to the agent of a run that is over, as
// its record says. What it has not is first in the queue again; where that
// cannot be known, what the transcript shows is sent once more as doubtful.
func (q *Queues) SettleSent(ctx context.Context, run beckon.Run) error {
	list, err := q.Store.Messages(ctx, run.TaskID)
	list = slices.DeleteFunc(list, func(m beckon.Message) bool { return m.Sent == 0 })
	if err != nil || len(list) == 0 {
		return err
	}
	ids, proofs := make([]string, 0, len(list)), make([]agent.Proof, 0, len(list))
	for _, m := range list {
		ids, proofs = append(ids, m.ID), append(proofs, agent.Proof{ID: m.ID})
	}
	found, unknown := q.heard(run, proofs, agent.RecordMost)
	shown, err := transcript.Delivered(q.Dir, run.ID, ids)
	if err != nil {
		return errors.Join(ErrUnreadable, err)
	}
	for _, m := range list {
		switch {
		case found[m.ID] || commandOf(m.Text) != "" && shown[m.ID]: // of commands the record has no word
			err = q.settleHeard(ctx, run, m, shown[m.ID])
		case unknown != nil && (shown[m.ID] || run.Agent != ""):
			// Of one that is no Claude's the transcript shows nothing before its turn.
			err = q.doubt(ctx, m)
		}
		if err != nil {
			return err
		}
	}
	if err := q.Store.Unsend(ctx, run.TaskID); err != nil {
		return err
	}
	return q.PublishQueue(ctx, run.TaskID)
}

// ErrUnreadable says that a run's transcript cannot be read.
var ErrUnreadable = errors.New("the transcript cannot be read")

// settleHeard drops a message that the agent had, and shows it where its run
// died before it could.
func (q *Queues) settleHeard(ctx context.Context, run beckon.Run, m beckon.Message, shown bool) error {
	if !shown {
		if err := q.NoteIn(run, transcript.MessageLine(m.ID, m.Text, q.blocks(m)...)); err != nil {
			return err
		}
	}
	return q.drop(ctx, run.TaskID, []string{m.ID})
}

// NoteIn adds a line to the transcript of a run that is over.
func (q *Queues) NoteIn(run beckon.Run, line []byte) error {
	log, err := transcript.Open(q.Dir, run.ID)
	if err != nil {
		return err
	}
	_, err = log.Append(beckon.Now(), [][]byte{line})
	q.Publish(beckon.Event{Reload: run.TaskID, TaskID: run.TaskID})
	return errors.Join(err, log.Close())
}

// doubt has a message sent again under another ID: claude would take the old
// one for a repetition and not answer it.
func (q *Queues) doubt(ctx context.Context, m beckon.Message) error {
	id := m.ID
	m.ID, m.Doubtful = beckon.NewUUID(), true
	_, err := q.Store.ReplaceMessage(ctx, id, m)
	return err
}
