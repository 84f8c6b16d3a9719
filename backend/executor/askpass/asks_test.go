package askpass

import (
	"bytes"
	"encoding/json"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/tests/timeout"
)

var patience = timeout.For(20 * time.Second)

// stage is a machine's questions, and where an ssh asks them.
type stage struct {
	*testing.T
	*Asks
	door   *Door
	socket string
}

func newStage(t *testing.T) *stage {
	t.Parallel()
	s := &stage{T: t, Asks: New(func() {}), socket: filepath.Join(t.TempDir(), "a")}
	s.listen()
	t.Cleanup(func() { s.door.Close() })
	return s
}

// listen is another ssh, after one that went.
func (s *stage) listen() {
	s.Helper()
	s.door.Close()
	door, err := s.Listen(s.socket)
	if err != nil {
		s.Fatal(err)
	}
	s.door = door
}

// said is what ssh hears.
type said struct {
	text string
	exit int
}

// ask has ssh ask, as its process does.
func (s *stage) ask(prompt string) <-chan said {
	heard := make(chan said, 1)
	go func() {
		var out bytes.Buffer
		exit := Main(s.socket, []string{prompt}, &out)
		heard <- said{out.String(), exit}
	}()
	return heard
}

// shown waits until a question is open.
func (s *stage) shown() executing.Ask {
	s.Helper()
	late := time.After(patience)
	for {
		ask, changed := s.Open()
		if ask != nil {
			return *ask
		}
		select {
		case <-changed:
		case <-late:
			s.Fatal("nothing is asked")
		}
	}
}

func (s *stage) hears(heard <-chan said, want said) {
	s.Helper()
	select {
	case got := <-heard:
		if got != want {
			s.Errorf("ssh heard %+v, want %+v", got, want)
		}
	case <-time.After(patience):
		s.Fatal("ssh hears nothing")
	}
}

func (s *stage) says(id string, r executing.Reply) {
	s.Helper()
	if err := s.Answer(id, r); err != nil {
		s.Fatal(err)
	}
}

func yes(text string) executing.Reply { return executing.Reply{Yes: true, Text: text} }

const forKey = "Enter passphrase for key '/k': "

func TestAnAnswerGoesToTheQuestionThatIsOpenAlone(t *testing.T) {
	s := newStage(t)
	heard := s.ask(forKey)
	id := s.shown().ID
	for _, other := range []string{"", "x", beckon.NewID()} {
		if err := s.Answer(other, yes("secret")); !errors.Is(err, beckon.ErrConflict) {
			t.Errorf("an answer to %q: %v", other, err)
		}
	}
	for _, text := range []string{"two\nlines", "a\x00b", strings.Repeat("x", answerMost+1)} {
		if err := s.Answer(id, yes(text)); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	s.says(id, yes("secret"))
	s.hears(heard, said{"secret\n", 0})
	if err := s.Answer(id, yes("secret")); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("the second answer: %v", err)
	}
}

func TestNoEndsAllThatSSHAsks(t *testing.T) {
	s := newStage(t)
	heard, other := s.ask(newKey), s.ask("Another?")
	first := s.shown()
	s.says(first.ID, executing.Reply{})
	s.hears(heard, said{"", 1})
	s.hears(other, said{"", 1})
	if !s.Said().Refused {
		t.Error("nobody knows that it was refused")
	}
	s.hears(s.ask(newKey), said{"", 1})
}

func TestAQuestionOutlivesItsSSHAndTheAnswerIsHandedOverOnce(t *testing.T) {
	s := newStage(t)
	gone := s.ask(forKey)
	ask := s.shown()
	s.door.Close()
	s.hears(gone, said{"", 1})
	if still := s.shown(); still.ID != ask.ID {
		t.Errorf("it became %+v", still)
	}
	s.says(ask.ID, yes("wrong"))
	s.listen()
	s.hears(s.ask(forKey), said{"wrong\n", 0})
	again := s.ask(forKey)
	if ask := s.shown(); !ask.Again || ask.Kind != executing.AskPassphrase {
		t.Errorf("what was wrong is asked as %+v", ask)
	}
	s.says(s.shown().ID, yes("right"))
	s.hears(again, said{"right\n", 0})
	s.Begin()
	s.listen()
	s.ask(forKey)
	if s.shown().Again {
		t.Error("what is over was remembered")
	}
}

func TestOneQuestionIsShownAtATime(t *testing.T) {
	s := newStage(t)
	prompts := map[string]string{"/a": "Enter passphrase for key '/a': ", "/b": "Enter passphrase for key '/b': "}
	heard := map[string]<-chan said{}
	for file, prompt := range prompts {
		heard[file] = s.ask(prompt)
	}
	for range prompts {
		ask := s.shown()
		s.says(ask.ID, yes("for "+ask.File))
		s.hears(heard[ask.File], said{"for " + ask.File + "\n", 0})
	}
}

func TestATouchTakesItsQuestionAway(t *testing.T) {
	s := newStage(t)
	conn, err := net.Dial("unix", s.socket)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewEncoder(conn).Encode(request{"none", "Confirm user presence"}); err != nil {
		t.Fatal(err)
	}
	if ask := s.shown(); ask.Kind != executing.AskTouch {
		t.Errorf("it is shown as %+v", ask)
	}
	conn.Close() // as ssh ends it
	late := time.After(patience)
	for {
		ask, changed := s.Open()
		if ask == nil {
			return
		}
		select {
		case <-changed:
		case <-late:
			t.Fatal("it is asked still")
		}
	}
}

func TestAHostileQuestionIsBounded(t *testing.T) {
	s := newStage(t)
	heard := s.ask(strings.Repeat("\x1b[2Jpay ", 1<<18))
	ask := s.shown()
	if size := len(strings.Join(ask.Words, "")); size > linesMost*lineMost || strings.Contains(ask.Words[0], "\x1b") {
		t.Errorf("%d bytes are shown: %.80q", size, ask.Words[0])
	}
	s.says(ask.ID, executing.Reply{})
	s.hears(heard, said{"", 1})
	conn, err := net.Dial("unix", s.socket)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	go func() { _, _ = conn.Write(bytes.Repeat([]byte("["), 1<<20)) }()
	if n, err := conn.Read(make([]byte, 1)); err == nil {
		t.Errorf("%d bytes answer what is no question", n)
	}
}
