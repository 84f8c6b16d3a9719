package runner

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/claude"
	"beckon/backend/claude/cli"
	"beckon/backend/runner/request"
	"beckon/backend/transcript"
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
	proof     claude.Proof
	questions []string // those that it answers
	row       bool     // it is a message of the user's
	at        time.Time
}

// took notes what claude printed that it took, and watches for its record.
func (l *live) took(what receipt) {
	what.at = time.Now()
	l.mu.Lock()
	l.due = append(l.due, what)
	l.mu.Unlock()
	l.watchRecord()
}

// watchRecord looks for what is due, for a while.
func (l *live) watchRecord() {
	l.mu.Lock()
	begin := !l.watching && len(l.due) > 0
	l.watching = l.watching || begin
	l.mu.Unlock()
	if !begin {
		return
	}
	l.asks.Go(func() {
		for l.look() {
			select {
			case <-l.ctx.Done():
				return // finish does the rest
			case <-time.After(recordLook):
			}
		}
	})
}

// look confirms what the record has, and what is due for so long that the
// record is not waited for. It reports whether to look again soon.
func (l *live) look() bool {
	due := l.dueNow()
	found, err := l.r.heard(l.sessionNow(), proofsOf(due), recordTail)
	l.mu.Lock()
	believed := !l.silent && (err != nil || l.rested)
	l.mu.Unlock()
	l.confirm(slices.DeleteFunc(due, func(d receipt) bool {
		return !found[d.proof.ID] && (!believed || time.Since(d.at) <= recordIn)
	}))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watching = slices.ContainsFunc(l.due, func(d receipt) bool { return time.Since(d.at) <= recordIn+recordLook })
	return l.watching
}

func (l *live) dueNow() []receipt {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.due)
}

func (l *live) sessionNow() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.run.Session
}

func proofsOf(due []receipt) []claude.Proof {
	proofs := make([]claude.Proof, 0, len(due))
	for _, d := range due {
		proofs = append(proofs, d.proof)
	}
	return proofs
}

// confirm settles what the agent has beyond its own death.
func (l *live) confirm(due []receipt) {
	if len(due) == 0 {
		return
	}
	var rows []string
	for _, d := range due {
		for _, id := range d.questions {
			l.r.disk.Insist("note a delivery", l.run.ID, func(ctx context.Context) error { return l.r.Desk.Delivered(ctx, id) }, func() {})
		}
		if d.row {
			rows = append(rows, d.proof.ID)
		}
	}
	if len(rows) > 0 {
		l.r.disk.Insist("drop messages that were heard", l.run.ID, func(ctx context.Context) error { return l.r.dropMessages(ctx, l.task.ID, rows) }, func() {})
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.due = slices.DeleteFunc(l.due, func(d receipt) bool {
		return slices.ContainsFunc(due, func(c receipt) bool { return c.proof.ID == d.proof.ID })
	})
}

// settleTaken settles what claude printed that it took, once it is gone: one
// that ended by itself has written all of it down.
func (l *live) settleTaken(exit cli.Exit) {
	due := l.dueNow()
	l.mu.Lock()
	wrote := exit.Signal == "" && (exit.Code == 0 || l.rested)
	l.mu.Unlock()
	if !wrote {
		found, _ := l.r.heard(l.run.Session, proofsOf(due), claude.RecordMost)
		due = slices.DeleteFunc(due, func(d receipt) bool { return !found[d.proof.ID] })
	}
	l.confirm(due)
}

// heard returns which of the proofs a session's record has. An error says that
// it may have the others too.
func (r *Runner) heard(session string, proofs []claude.Proof, most int64) (map[string]bool, error) {
	if len(proofs) == 0 || session == "" {
		return nil, nil
	}
	o, _ := r.Claude() // where there is no claude now, the environment is the same
	record, err := claude.FindRecord(cli.Environ(os.Environ(), o.Env), session)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return record.Has(proofs, most)
}

// owed is an answer that no agent has heard, as far as is known.
type owed struct {
	beckon.Question
	doubtful bool // an agent that died may have heard it
}

// owing returns the answers that a task's agents of that kind were not told,
// the oldest question first, after it has settled those that they were.
func (r *Runner) owing(ctx context.Context, taskID string, kind beckon.RunKind) ([]owed, error) {
	all, err := r.Store.Undelivered(ctx, taskID, kind)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	found, doubt, err := r.heardBefore(ctx, taskID, kind, all)
	if err != nil {
		return nil, err
	}
	var list []owed
	for _, q := range all {
		if !found[q.Proof] {
			list = append(list, owed{q, doubt && q.Proof != ""})
			continue
		}
		if err := r.Desk.Delivered(ctx, q.ID); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// heardBefore looks for answers in the records of all conversations that the
// task had of that kind. doubt says that one could not be read.
func (r *Runner) heardBefore(ctx context.Context, taskID string, kind beckon.RunKind, all []beckon.Question) (found map[string]bool, doubt bool, err error) {
	runs, err := r.Store.Runs(ctx, taskID)
	if err != nil {
		return nil, false, err
	}
	var proofs []claude.Proof
	for _, q := range all {
		if q.Proof != "" {
			proofs = append(proofs, proofOf(q))
		}
	}
	found = map[string]bool{}
	var seen []string
	for _, run := range slices.Backward(runs) {
		if run.Kind != kind || slices.Contains(seen, run.Session) {
			continue
		}
		seen = append(seen, run.Session)
		in, err := r.heard(run.Session, proofs, claude.RecordMost)
		doubt = doubt || err != nil
		for id := range in {
			found[id] = true
		}
	}
	return found, doubt, nil
}

// proofOf returns what shows that an agent heard the answer.
func proofOf(q beckon.Question) claude.Proof {
	p := claude.Proof{ID: q.Proof}
	if q.Answer != nil && (q.Answer.Verdict == beckon.Deny || q.Answer.Verdict == beckon.Skip) {
		p.Words = request.Denial(q)
	}
	return p
}

// settleSent settles what was handed to the agent of a run that is over, as
// its record says. What it has not is first in the queue again; where that
// cannot be known, what the transcript shows is sent once more as doubtful.
func (r *Runner) settleSent(ctx context.Context, run beckon.Run) error {
	list, err := r.Store.Messages(ctx, run.TaskID)
	list = slices.DeleteFunc(list, func(m beckon.Message) bool { return m.Sent == 0 })
	if err != nil || len(list) == 0 {
		return err
	}
	ids, proofs := make([]string, 0, len(list)), make([]claude.Proof, 0, len(list))
	for _, m := range list {
		ids, proofs = append(ids, m.ID), append(proofs, claude.Proof{ID: m.ID})
	}
	found, unknown := r.heard(run.Session, proofs, claude.RecordMost)
	shown, err := transcript.Delivered(r.transcriptDir(), run.ID, ids)
	if err != nil {
		return errors.Join(errUnreadable, err)
	}
	for _, m := range list {
		switch {
		case found[m.ID] || isCommand(m.Text) && shown[m.ID]: // of commands the record has no word
			err = r.settleHeard(ctx, run, m, shown[m.ID])
		case unknown != nil && shown[m.ID]:
			err = r.doubt(ctx, m)
		}
		if err != nil {
			return err
		}
	}
	if err := r.Store.Unsend(ctx, run.TaskID); err != nil {
		return err
	}
	return r.tellQueue(ctx, run.TaskID)
}

// errUnreadable says that a run's transcript cannot be read.
var errUnreadable = errors.New("the transcript cannot be read")

// settleHeard drops a message that the agent had, and shows it where its run
// died before it could.
func (r *Runner) settleHeard(ctx context.Context, run beckon.Run, m beckon.Message, shown bool) error {
	if !shown {
		if err := r.noteIn(run, transcript.MessageLine(m.ID, m.Text, r.blocksOf(m)...)); err != nil {
			return err
		}
	}
	return r.dropMessages(ctx, run.TaskID, []string{m.ID})
}

// noteIn adds a line to the transcript of a run that is over.
func (r *Runner) noteIn(run beckon.Run, line []byte) error {
	log, err := transcript.Open(r.transcriptDir(), run.ID)
	if err != nil {
		return err
	}
	_, err = log.Append(beckon.Now(), [][]byte{line})
	r.Publish(beckon.Event{Reload: run.TaskID, TaskID: run.TaskID})
	return errors.Join(err, log.Close())
}

// doubt has a message sent again under another ID: claude would take the old
// one for a repetition and not answer it.
func (r *Runner) doubt(ctx context.Context, m beckon.Message) error {
	id := m.ID
	m.ID, m.Doubtful = claude.NewUUID(), true
	_, err := r.Store.ReplaceMessage(ctx, id, m)
	return err
}

// bringOwed resumes a task whose agent died before it heard an answer that its
// user had just given, as the answer to a question of a dead agent does. ended
// is closed when the task's place is free.
func (r *Runner) bringOwed(run beckon.Run, ended <-chan struct{}) {
	if run.Outcome != beckon.Failed && run.Outcome != beckon.Lost {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	r.wg.Go(func() {
		select {
		case <-ended:
		case <-r.ctx.Done():
			return
		}
		list, err := r.owing(r.ctx, run.TaskID, run.Kind)
		logged("look for answers that were not heard", err, "run", run.ID)
		// Those of earlier runs wait: else an agent that dies at once would be
		// resumed for ever.
		if slices.ContainsFunc(list, func(q owed) bool { return q.RunID == run.ID }) {
			logged("resume for an answer", r.resume(r.ctx, run.TaskID, run.Kind), "run", run.ID)
		}
	})
}
