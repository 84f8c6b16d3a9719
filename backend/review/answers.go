package review

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
)

// How much of a transcript is read for answers, from its end: a page at a time.
const (
	pageEntries = 500
	pagesMost   = 40
)

// OnEvent looks for answers where a turn or a run is over whose task waits for some.
func (s *Comments) OnEvent(e beckon.Event) {
	if e.Run == nil || e.Run.TaskID == "" {
		return
	}
	seen := turn{e.Run.ID, e.Run.Turns, e.Run.Phase == beckon.Ended}
	s.mu.Lock()
	last, waits := s.waiting[e.Run.TaskID]
	if waits {
		s.waiting[e.Run.TaskID] = seen
	}
	s.mu.Unlock()
	if waits && last != seen {
		s.lookForAnswers(e.Run.TaskID)
	}
}

// wait has the ends of a task's turns looked at.
func (s *Comments) wait(taskID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting[taskID] = turn{}
}

// lookForAnswers looks for a task's answers, in a goroutine that Close waits for.
func (s *Comments) lookForAnswers(taskID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.looks.Go(func() {
		s.looking.Lock() // two who read one transcript would read the same
		defer s.looking.Unlock()
		ctx, cancel := context.WithTimeout(s.ctx, lookIn)
		defer cancel()
		if err := s.find(ctx, taskID); err != nil && s.ctx.Err() == nil {
			slog.Error("look for answers to comments", "err", err, "task", taskID)
		}
	})
}

// find notes what a task's transcript answers to its comments.
func (s *Comments) find(ctx context.Context, taskID string) error {
	list, err := s.Kept.Waiting(ctx, taskID)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		s.mu.Lock()
		delete(s.waiting, taskID)
		s.mu.Unlock()
		return nil
	}
	messages := map[string][]reviewing.Comment{}
	undelivered := map[string]bool{}
	for _, c := range list {
		messages[c.MessageID] = append(messages[c.MessageID], c)
		// Before the transcript is read: a message is in that before its row is gone.
		_, err := s.Message(ctx, c.MessageID)
		if err != nil && !errors.Is(err, beckon.ErrNotFound) {
			return err
		}
		undelivered[c.MessageID] = err == nil
	}
	entries, whole, err := s.since(ctx, taskID, messages)
	if err != nil {
		return err
	}
	changed := false
	for id, asked := range messages {
		at := slices.IndexFunc(entries, func(e beckon.Entry) bool { return isMessage(e, id) })
		var noted bool
		switch {
		case at >= 0:
			noted, err = s.note(ctx, asked, entries[at+1:])
		case whole && !undelivered[id]:
			noted, err = true, s.Kept.GiveBack(ctx, id) // nobody got it, and nobody will
		}
		if err != nil {
			return err
		}
		changed = changed || noted
	}
	if !changed {
		return nil
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.publishCounts(ctx, taskID)
}

// isMessage reports whether an entry is what the agent was sent under that id.
func isMessage(e beckon.Entry, id string) bool {
	return e.Kind == beckon.UserEntry && strings.HasSuffix(e.ID, "/"+id)
}

// since returns the end of a task's transcript from the first of the messages on, and
// whether that is all of it where one of them is not in there.
func (s *Comments) since(ctx context.Context, taskID string, messages map[string][]reviewing.Comment) (entries []beckon.Entry, whole bool, err error) {
	missing := len(messages)
	cursor := ""
	for range pagesMost {
		page, err := s.Transcript(ctx, taskID, cursor, pageEntries)
		if err != nil {
			return nil, false, err
		}
		for _, e := range page.Entries {
			for id := range messages {
				if isMessage(e, id) {
					missing--
				}
			}
		}
		entries = append(slices.Clone(page.Entries), entries...)
		if cursor = page.Before; cursor == "" || missing <= 0 {
			return entries, cursor == "", nil
		}
	}
	return entries, false, nil
}

// note writes down what the agent said to comments after it got them: the newest that
// names one counts. Once a turn ended well, those that it did not name are
// unanswered, until a later one does.
func (s *Comments) note(ctx context.Context, asked []reviewing.Comment, entries []beckon.Entry) (changed bool, err error) {
	numbers := make([]int, 0, len(asked))
	for _, c := range asked {
		numbers = append(numbers, c.Number)
	}
	answers, end := answersIn(entries, numbers)
	for _, c := range asked {
		a, answered := answers[c.Number]
		if end == nil || !answered && c.Answered != 0 {
			continue
		}
		if answered {
			if a.turn, err = s.Turn(ctx, c.TaskID, a.run, a.turn); err != nil {
				return changed, err
			}
		}
		_, err := s.Kept.Update(ctx, c.ID, func(now *reviewing.Comment) error {
			if now.MessageID != c.MessageID || now.Answer != "" {
				return nil
			}
			now.Answered = max(end.At, now.Sent)
			if answered {
				now.Answer, now.Turn, now.Answered = a.text, a.turn, max(a.at, now.Sent)
			}
			return nil
		})
		if err != nil {
			return changed, err
		}
		changed = true
	}
	return changed, nil
}

// answer is what one turn said to a comment.
type answer struct {
	text string
	run  string
	turn int // of the run
	at   int64
}

// answersIn returns what the agent said in entries to the comments of those numbers,
// and the end of the last turn that ended well, nil where none did.
func answersIn(entries []beckon.Entry, numbers []int) (answers map[int]answer, end *beckon.Entry) {
	answers = map[int]answer{}
	said := map[int]answer{} // in the turn that is being read
	for i, e := range entries {
		switch {
		case e.Kind == beckon.TextEntry && e.Parent == "":
			for n, text := range marked(e.Text, numbers) {
				said[n] = answer{text: text, at: e.At}
			}
		case e.Kind == beckon.TurnEntry && e.Turn != nil && !e.Turn.Failed && !e.Turn.Interrupted:
			for n, a := range said {
				a.run, a.turn = e.RunID, e.Turn.Number
				answers[n] = a
			}
			end = &entries[i]
			said = map[int]answer{}
		}
	}
	return answers, end
}
