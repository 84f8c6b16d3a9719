package outbox

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"beckon/backend/agent"
	"beckon/backend/beckon"
)

// What claude prints that it took goes with claude if it is killed before it
// has written it into its record of the conversation: the next process, and so
// the model, does not know of it. An answer is delivered and a message gone
// from the queue only when the record has it; what it lacks when the run died
// is sent again.

// recordIn is how long claude may take from printing to writing: it takes a
// tenth of a second. After that a record that cannot be read is not waited
// for, and one that lacks something is believed no more once the turn is over.
const (
	recordIn   = 2 * time.Second
	recordLook = 50 * time.Millisecond
	recordTail = 4 << 20 // where what was just said must be
)

// receipt is something that claude printed that it took, until its record has
// it.
type receipt struct {
	proof     agent.Proof
	questions []string // those that it answers
	row       bool     // it is a message of the user's
	at        time.Time
}

// took notes what claude printed that it took, and watches for its record.
func (o *Outbox) took(what receipt) {
	what.at = time.Now()
	o.mu.Lock()
	o.due = append(o.due, what)
	o.mu.Unlock()
	o.WatchRecord()
}

// WatchRecord looks for what is due in claude's record, for a while.
func (o *Outbox) WatchRecord() {
	o.mu.Lock()
	begin := !o.watching && len(o.due) > 0
	o.watching = o.watching || begin
	o.mu.Unlock()
	if !begin {
		return
	}
	o.agent.Go(func(ctx context.Context) {
		for o.confirmDue() {
			select {
			case <-ctx.Done():
				return // SettleTaken does the rest
			case <-time.After(recordLook):
			}
		}
	})
}

// confirmDue confirms what the record has, and what is due for so long that the
// record is not waited for. It reports whether to look again soon.
func (o *Outbox) confirmDue() bool {
	due := o.dueNow()
	state := o.agent.State()
	run := o.run
	run.Session = state.Session
	found, err := o.record.heard(o.queues, run, proofsOf(due))
	believed := !o.isSilent() && (err != nil || state.Rested)
	o.confirm(slices.DeleteFunc(due, func(d receipt) bool {
		return !found[d.proof.ID] && (!believed || time.Since(d.at) <= recordIn)
	}))
	o.mu.Lock()
	defer o.mu.Unlock()
	o.watching = slices.ContainsFunc(o.due, func(d receipt) bool { return time.Since(d.at) <= recordIn+recordLook })
	return o.watching
}

func (o *Outbox) dueNow() []receipt {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.due)
}

func (o *Outbox) isSilent() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.silent
}

func proofsOf(due []receipt) []agent.Proof {
	proofs := make([]agent.Proof, 0, len(due))
	for _, d := range due {
		proofs = append(proofs, d.proof)
	}
	return proofs
}

// confirm settles what the agent has beyond its own death.
func (o *Outbox) confirm(due []receipt) {
	if len(due) == 0 {
		return
	}
	var rows []string
	for _, d := range due {
		for _, id := range d.questions {
			o.queues.Insist("note a delivery", o.run.ID, func(ctx context.Context) error { return o.queues.Heard(ctx, id, d.proof.ID) })
		}
		if d.row {
			rows = append(rows, d.proof.ID)
		}
	}
	if len(rows) > 0 {
		o.queues.Insist("drop messages that were heard", o.run.ID, func(ctx context.Context) error { return o.queues.drop(ctx, o.run.TaskID, rows) })
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.due = slices.DeleteFunc(o.due, func(d receipt) bool {
		return slices.ContainsFunc(due, func(c receipt) bool { return c.proof.ID == d.proof.ID })
	})
}

// SettleTaken settles what claude printed that it took, once it is gone: one
// that ended on its own has written all of it down.
func (o *Outbox) SettleTaken(byItself bool) {
	due := o.dueNow()
	if !byItself {
		run := o.run
		run.Session = o.agent.State().Session
		found, _ := o.queues.heard(run, proofsOf(due), agent.RecordMost)
		due = slices.DeleteFunc(due, func(d receipt) bool { return !found[d.proof.ID] })
	}
	o.confirm(due)
}

// tail is the end of a session's record, which is read on from where it was
// read before. Its zero value has read nothing.
type tail struct {
	session string
	record  agent.Record
}

// heard returns which of the proofs the session's record has. An error says
// that it may have the others too.
func (t *tail) heard(q *Queues, run beckon.Run, proofs []agent.Proof) (map[string]bool, error) {
	if len(proofs) == 0 || run.Session == "" {
		return nil, nil
	}
	if t.record == nil || t.session != run.Session {
		record, err := q.Record(run)
		if err != nil {
			return nil, unlessNone(err)
		}
		t.session, t.record = run.Session, record
	}
	found, err := t.record.Has(proofs, recordTail)
	if errors.Is(err, fs.ErrNotExist) {
		t.record = nil // it was removed
	}
	return found, unlessNone(err)
}

// heard is that of a tail, for a record that is read once.
func (q *Queues) heard(run beckon.Run, proofs []agent.Proof, most int64) (map[string]bool, error) {
	if len(proofs) == 0 || run.Session == "" {
		return nil, nil
	}
	record, err := q.Record(run)
	if err != nil {
		return nil, unlessNone(err)
	}
	return record.Has(proofs, most)
}

// unlessNone returns err, unless it says that claude has written no record: so
// it has heard nothing.
func unlessNone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
