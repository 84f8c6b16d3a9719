package runnertest

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/timeout"
)

// Patience is how long a test waits for anything.
var Patience = timeout.For(time.Minute)

// Seen is what a client knows by the events that were published: each thing as
// it was published last. Its maps are read between Lock and Unlock, or in what
// Until is given.
type Seen struct {
	T *testing.T

	mu      sync.Mutex
	Tasks   map[string]beckon.Task
	Runs    map[string]beckon.Run // the newest, by task
	Asked   []beckon.Question
	Shown   []beckon.Entry
	Writing map[string]string // what is being written, by run
	Queued  map[string][]beckon.Message
	Gone    []string
	// Told has each version of every task, and Events all that was published.
	Told   []beckon.Task
	Events []beckon.Event

	arriving sync.Mutex
	arrived  []beckon.Event // and not yet taken over
	more     chan struct{}  // 1-buffered: something has arrived
}

// NewSeen returns what a client knows that was told nothing yet.
func NewSeen(t *testing.T) *Seen {
	return &Seen{
		T: t, more: make(chan struct{}, 1), Tasks: map[string]beckon.Task{}, Runs: map[string]beckon.Run{},
		Writing: map[string]string{}, Queued: map[string][]beckon.Message{},
	}
}

// Take takes events as they are published. It never waits for a test that looks
// at what came before.
func (s *Seen) Take(events ...beckon.Event) {
	s.arriving.Lock()
	s.arrived = append(s.arrived, events...)
	s.arriving.Unlock()
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// Lock gives a test what was published until now to look at.
func (s *Seen) Lock() {
	s.mu.Lock()
	s.catchUp(never)
}

// Unlock ends the look.
func (s *Seen) Unlock() { s.mu.Unlock() }

// catchUp applies the events that have arrived, in their order, until enough.
func (s *Seen) catchUp(enough func() bool) bool {
	for {
		s.arriving.Lock()
		if len(s.arrived) == 0 {
			s.arriving.Unlock()
			return false
		}
		e := s.arrived[0]
		s.arrived = s.arrived[1:]
		s.arriving.Unlock()
		s.apply(e)
		if enough() {
			return true
		}
	}
}

func (s *Seen) apply(e beckon.Event) {
	s.Events = append(s.Events, e)
	switch {
	case e.Task != nil:
		s.Tasks[e.Task.ID] = *e.Task
		s.Told = append(s.Told, *e.Task)
	case e.Run != nil:
		s.Runs[e.Run.TaskID] = *e.Run
	case e.Question != nil:
		s.Asked = append(slices.DeleteFunc(s.Asked, func(q beckon.Question) bool { return q.ID == e.Question.ID }), *e.Question)
	case e.Entry != nil:
		s.Shown = append(s.Shown, *e.Entry)
	case e.Live != nil:
		s.Writing[e.Live.RunID] = e.Live.Text
	case e.Queue != nil:
		s.Queued[e.Queue.TaskID] = e.Queue.Messages
	case e.Gone != "":
		s.Gone = append(s.Gone, e.Gone)
	}
}

// Until waits until look, called under the lock, is true: as things are, or
// after any event from here on, so that no state in between is missed.
func (s *Seen) Until(what string, look func() bool) {
	s.T.Helper()
	deadline := time.After(Patience)
	again := time.NewTicker(50 * time.Millisecond) // for what is no event
	defer again.Stop()
	s.present()
	for !s.holds(look) {
		select {
		case <-s.more:
		case <-again.C:
		case <-deadline:
			s.Lock()
			defer s.Unlock()
			s.T.Fatalf("%s: not in %s\ntasks %+v\nruns %+v\nquestions %+v", what, Patience, s.Tasks, s.Runs, s.Asked)
		}
	}
}

// present applies what came so far, which counts only for how things are.
func (s *Seen) present() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp(never)
}

func never() bool { return false }

// holds reports whether look is true now, or was after an event that came since
// the last call.
func (s *Seen) holds(look func() bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.catchUp(look) || look()
}

// Question waits for the open question whose text, command, path or plan has
// text.
func (s *Seen) Question(text string) beckon.Question {
	s.T.Helper()
	var found beckon.Question
	s.Until("question "+text, func() bool {
		i := slices.IndexFunc(s.Asked, func(q beckon.Question) bool { return q.Settlement == beckon.Open && strings.Contains(words(q), text) })
		if i >= 0 {
			found = s.Asked[i]
		}
		return i >= 0
	})
	return found
}

// words is what a question says.
func words(q beckon.Question) string {
	said := q.Plan + q.Message
	if q.Permission != nil {
		said += q.Permission.Command + q.Permission.Path
	}
	for _, item := range q.Items {
		said += item.Text
	}
	return said
}

// Became waits until a question of the task is settled so, and returns it.
func (s *Seen) Became(taskID string, want beckon.Settlement) beckon.Question {
	s.T.Helper()
	var found beckon.Question
	s.Until("a question "+string(want), func() bool {
		i := slices.IndexFunc(s.Asked, func(q beckon.Question) bool { return q.TaskID == taskID && q.Settlement == want })
		if i >= 0 {
			found = s.Asked[i]
		}
		return i >= 0
	})
	return found
}

// Ended waits until the task is in review with its run over.
func (s *Seen) Ended(taskID string) (beckon.Task, beckon.Run) {
	s.T.Helper()
	s.Until("end of the run", func() bool {
		return s.Tasks[taskID].Status == beckon.Review && s.Runs[taskID].Phase == beckon.Ended
	})
	s.Lock()
	defer s.Unlock()
	return s.Tasks[taskID], s.Runs[taskID]
}
