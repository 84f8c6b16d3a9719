package mirror

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/observe"
	"beckon/backend/runner/view"
	"beckon/backend/transcript"
	"beckon/tests/timeout"
)

var patience = timeout.For(30 * time.Second)

// place is Mirrors with one session, and what was published of it.
type place struct {
	*Mirrors
	t       *testing.T
	session observe.Session
	file    string
	watched atomic.Bool
	entries chan beckon.Entry
}

func newPlace(t *testing.T) *place {
	t.Helper()
	root := t.TempDir()
	p := &place{t: t, entries: make(chan beckon.Entry, 1000)}
	p.session = observe.Session{ID: "one", SessionID: "s", Root: root, File: filepath.Join("projects", "d", "s.jsonl")}
	p.file = filepath.Join(root, p.session.File)
	must(t, os.MkdirAll(filepath.Dir(p.file), 0o700))
	p.Mirrors = New(Config{Dir: t.TempDir(), Clients: view.Clients{
		Publish: func(e beckon.Event) {
			if e.Entry != nil {
				p.entries <- *e.Entry
			}
		},
		Watched: func(string) bool { return p.watched.Load() },
		Count:   func() int { return 1 },
	}})
	t.Cleanup(p.Close)
	return p
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// says appends a line of the assistant's.
func (p *place) says(text string) {
	p.t.Helper()
	f, err := os.OpenFile(p.file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	must(p.t, err)
	defer f.Close()
	_, err = fmt.Fprintf(f, `{"type":"assistant","uuid":"u-%s","timestamp":"2026-01-02T03:04:05Z","sessionId":"s","message":{"id":"m","role":"assistant","content":[{"type":"text","text":%q}]}}`+"\n", text, text)
	must(p.t, err)
}

// reads returns the texts of the transcript.
func (p *place) reads() (texts []string) {
	p.t.Helper()
	log, mirrored := p.Log("run")
	if !mirrored || log == nil {
		return nil
	}
	span, err := transcript.Around(log, -1, 100, 0)
	must(p.t, err)
	for _, e := range span.Entries {
		texts = append(texts, e.Text)
	}
	return texts
}

func TestASessionIsReadAndFollowedWhileSomebodyLooks(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.says("one")
	p.watched.Store(true)
	must(t, p.Follow(p.session, "run"))
	if got := p.reads(); strings.Join(got, " ") != "one" {
		t.Errorf("at first it reads %q", got)
	}
	p.says("two")
	select {
	case e := <-p.entries:
		for e.Text != "two" {
			e = <-p.entries
		}
	case <-time.After(patience):
		t.Fatal("what was said since is not shown")
	}
}

func TestASessionBeforeItsFirstMessageHasAnEmptyTranscript(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	must(t, p.Follow(p.session, "run"))
	if got := p.reads(); len(got) > 0 {
		t.Errorf("it reads %q", got)
	}
	p.says("one")
	must(t, p.Follow(p.session, "run"))
	if got := p.reads(); strings.Join(got, " ") != "one" {
		t.Errorf("then it reads %q", got)
	}
}

func TestNothingIsLeftOfASessionThatIsNoLongerListed(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.says("one")
	must(t, p.Follow(p.session, "run"))
	p.Forget("one")
	p.Close()
	if left, err := os.ReadDir(p.Dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if _, mirrored := p.Log("run"); mirrored {
		t.Error("it is mirrored")
	}
}
