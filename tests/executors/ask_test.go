//go:build linux

package executors

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// asked waits until ssh asks something of a kind.
func asked(t *testing.T, s *fixture.Fixture, executorID string, kind executing.AskKind) executing.Ask {
	t.Helper()
	var ask *executing.Ask
	s.Until("ssh asks", patience, func() bool {
		ask = s.Health(executorID).Ask
		return ask != nil
	})
	if ask.Kind != kind {
		t.Fatalf("ssh asks %+v, want a %s", ask, kind)
	}
	return *ask
}

// replied answers what ssh asks.
func replied(s *fixture.Fixture, executorID string, ask executing.Ask, text string) {
	client.Must[any](s.Program, "AnswerExecutor", executorID, ask.ID, executing.Reply{Yes: true, Text: text})
}

// refused waits until an executor cannot be used, and returns why.
func refused(s *fixture.Fixture, executorID string) (why string) {
	s.Until("it cannot be used", patience, func() bool {
		found := s.Health(executorID)
		why = found.Problem.String()
		return found.State == executing.Failed && found.Ask == nil
	})
	return why
}

// locked is a machine that is an executor once it is as it is made, and has one run.
func locked(t *testing.T, made func(*fixture.Host)) (*fixture.Fixture, *fixture.Host) {
	t.Helper()
	return fixture.ElsewhereAs(t, made, fixture.Turn{"text": "Done."})
}

// queuedTask is a task that begins by itself.
func queuedTask(s *fixture.Fixture) beckon.Task {
	return client.Must[beckon.Task](s.Program, "CreateTask", beckon.NewTask{ProjectID: s.Project.ID, Title: "Work there", Status: beckon.Queued})
}

// done waits until a task's only run has done its work there.
func done(t *testing.T, s *fixture.Fixture, task beckon.Task) {
	t.Helper()
	s.InReview(task.ID)
	if run := s.Run(task.ID); run.Outcome != beckon.Succeeded || run.Executor != s.Project.Executor || run.Number != 1 {
		t.Errorf("the run %+v", run)
	}
}

// TestAnUnknownKeyIsAccepted: the task waits meanwhile and begins by itself; ssh has
// written the key down, and asks never again.
func TestAnUnknownKeyIsAccepted(t *testing.T) {
	t.Parallel()
	s, h := locked(t, (*fixture.Host).Forget)
	ask := asked(t, s, s.Project.Executor, executing.AskHostKey)
	if ask.Fingerprint != h.KeyPrint() || ask.Key != "ED25519" || !strings.Contains(ask.Host, "127.0.0.1") {
		t.Errorf("it shows %+v, and its owner says %s", ask, h.KeyPrint())
	}
	task := queuedTask(s)
	if _, err := client.Call[any](s.Program, "AnswerExecutor", s.Project.Executor, beckon.NewID(), executing.Reply{Yes: true}); err == nil || !strings.Contains(err.Error(), "conflict") {
		t.Errorf("an answer to another question: %v", err)
	}
	if h.Known() != "\n" || len(h.Working()) > 0 {
		t.Errorf("before the answer %d programs work there, and known is %q", len(h.Working()), h.Known())
	}
	replied(s, s.Project.Executor, ask, "")
	done(t, s, task)
	if !strings.Contains(h.Known(), "ssh-ed25519") {
		t.Errorf("ssh knows %q", h.Known())
	}
}

// TestAnUnknownKeyIsRefused: nothing is sent there, and it is not asked again before the
// user wants to be.
func TestAnUnknownKeyIsRefused(t *testing.T) {
	t.Parallel()
	s, h := locked(t, (*fixture.Host).Forget)
	ask := asked(t, s, s.Project.Executor, executing.AskHostKey)
	task := queuedTask(s)
	client.Must[any](s.Program, "AnswerExecutor", s.Project.Executor, ask.ID, executing.Reply{})
	if why := refused(s, s.Project.Executor); !strings.Contains(why, "You said no") {
		t.Errorf("it says %q", why)
	}
	if h.Known() != "\n" || !h.Cleared() || len(h.Asking()) > 0 {
		t.Errorf("known is %q, there is something: %v, processes %v", h.Known(), !h.Cleared(), h.Asking())
	}
	if status := s.Task(task.ID).Status; status != beckon.Queued {
		t.Errorf("the card is in %s", status)
	}
	client.Must[any](s.Program, "CheckExecutor", s.Project.Executor)
	replied(s, s.Project.Executor, asked(t, s, s.Project.Executor, executing.AskHostKey), "")
	done(t, s, task)
}

// TestAStartAsksAgain what was refused: the user starts something there.
func TestAStartAsksAgain(t *testing.T) {
	t.Parallel()
	s, _ := locked(t, (*fixture.Host).Forget)
	client.Must[any](s.Program, "AnswerExecutor", s.Project.Executor, asked(t, s, s.Project.Executor, executing.AskHostKey).ID, executing.Reply{})
	refused(s, s.Project.Executor)
	task := s.Create(beckon.NewTask{Title: "Work there"})
	replied(s, s.Project.Executor, asked(t, s, s.Project.Executor, executing.AskHostKey), "")
	done(t, s, task)
}

const phrase = "correct horse battery staple"

// TestAPassphraseIsAskedUntilItIsRight, and is nowhere but in the memory of ssh.
func TestAPassphraseIsAskedUntilItIsRight(t *testing.T) {
	t.Parallel()
	var key string
	s, _ := locked(t, func(h *fixture.Host) { key = h.Lock(phrase) })
	ask := asked(t, s, s.Project.Executor, executing.AskPassphrase)
	if ask.File != key || ask.Again {
		t.Errorf("it asks %+v, want %s", ask, key)
	}
	replied(s, s.Project.Executor, ask, "wrong "+phrase)
	s.Until("it asks again", patience, func() bool {
		now := s.Health(s.Project.Executor).Ask
		return now != nil && now.ID != ask.ID
	})
	if ask = asked(t, s, s.Project.Executor, executing.AskPassphrase); !ask.Again || ask.File != key {
		t.Errorf("what was wrong is asked as %+v", ask)
	}
	task := s.Create(beckon.NewTask{Title: "Work there"})
	replied(s, s.Project.Executor, ask, phrase)
	done(t, s, task)
	keptNowhere(t, s, phrase)
}

// keptNowhere fails where a secret lies in Beckon's files, or was logged.
func keptNowhere(t *testing.T, s *fixture.Fixture, secret string) {
	t.Helper()
	if strings.Contains(s.Logs(), secret) {
		t.Error("the log has it")
	}
	err := filepath.WalkDir(s.Data(), func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil // it went meanwhile
		}
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), secret) {
			t.Errorf("%s has it", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestAPassphraseThatIsWrongThreeTimes is not asked a fourth time by itself.
func TestAPassphraseThatIsWrongThreeTimes(t *testing.T) {
	t.Parallel()
	s, _ := locked(t, func(h *fixture.Host) { h.Lock(phrase) })
	last := ""
	for range 3 {
		var ask *executing.Ask
		s.Until("ssh asks", patience, func() bool {
			ask = s.Health(s.Project.Executor).Ask
			return ask != nil && ask.ID != last
		})
		last = ask.ID
		replied(s, s.Project.Executor, *ask, "wrong")
	}
	if why := refused(s, s.Project.Executor); !strings.Contains(why, "does not let you in with what you entered") {
		t.Errorf("it says %q", why)
	}
}

// TestAnAnswerComesAfterTheHostHungUp: ssh is started again, and the user is asked once.
func TestAnAnswerComesAfterTheHostHungUp(t *testing.T) {
	t.Parallel()
	s, h := locked(t, func(h *fixture.Host) { h.Forget(); h.Lock(phrase) })
	task := s.Create(beckon.NewTask{Title: "Work there"})
	for _, kind := range []executing.AskKind{executing.AskHostKey, executing.AskPassphrase} {
		ask := asked(t, s, s.Project.Executor, kind)
		h.Cut() // by sshd's own LoginGraceTime it would hang up on ssh's next try, too, where all is slow
		s.Until("the host hung up", patience, h.HungUp)
		if still := s.Health(s.Project.Executor).Ask; still == nil || still.ID != ask.ID {
			t.Fatalf("the card became %+v", still)
		}
		replied(s, s.Project.Executor, ask, phrase)
		s.Until("it is taken", patience, func() bool {
			now := s.Health(s.Project.Executor).Ask
			return now == nil || now.ID != ask.ID
		})
	}
	done(t, s, task)
}

// TestBeckonIsKilledWhileSSHAsks: neither ssh nor what asks for it is left.
func TestBeckonIsKilledWhileSSHAsks(t *testing.T) {
	t.Parallel()
	s, h := locked(t, (*fixture.Host).Forget)
	asked(t, s, s.Project.Executor, executing.AskHostKey)
	if n := len(h.Asking()); n < 2 {
		t.Errorf("%d processes ask", n)
	}
	s.Slay()
	s.Until("they are gone", patience, func() bool { return len(h.Asking()) == 0 })
	if h.Known() != "\n" {
		t.Errorf("ssh knows %q", h.Known())
	}
}

// TestMoreAgentsThanAConnectionCarries: an sshd lets ten sessions share one. Who comes after
// them gets in by another, for which ssh asks once again, and waits as long as the user takes.
func TestMoreAgentsThanAConnectionCarries(t *testing.T) {
	t.Parallel()
	const agents = 11
	s, _ := fixture.ElsewhereAs(t, func(h *fixture.Host) { h.Lock(phrase) },
		fixture.Turn{"tool": "AskUserQuestion", "input": fixture.Questions(fixture.Question("Which side?", "Side", "Left", "Right")), "times": agents})
	client.Must[executing.Executor](s.Program, "SaveExecutor", executing.Executor{
		ID: s.Project.Executor, Name: "Farm", Kind: executing.SSH, Host: fixture.HostName, Slots: agents,
	})
	for range agents {
		queuedTask(s)
	}
	const thinks = 20 * time.Second // longer than a run insists on a link that breaks
	phrases, last, since, answered := 0, "", time.Time{}, ""
	s.Until("all of them ask", 2*patience, func() bool {
		ask := s.Health(s.Project.Executor).Ask
		if ask != nil && ask.ID != last {
			phrases, last, since = phrases+1, ask.ID, time.Now()
		}
		if ask != nil && ask.ID != answered && (phrases == 1 || time.Since(since) > thinks) {
			answered = ask.ID
			replied(s, s.Project.Executor, *ask, phrase)
		}
		open := 0
		for _, e := range s.State() {
			if e.Question != nil && e.Question.Settlement == beckon.Open {
				open++
			}
		}
		return open == agents
	})
	if phrases < 2 || phrases > 3 { // what begins them may need one for a moment
		t.Errorf("ssh asked for the passphrase %d times, want 2", phrases)
	}
}
