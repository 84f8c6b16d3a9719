package channel

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/secrets"
	"beckon/backend/store"
	"beckon/backend/store/away"
	"beckon/tests/timeout"
)

// service is a strict one that takes what it is sent, or refuses it.
type service struct {
	mu      sync.Mutex
	took    []Letter
	refuses error
	hangs   chan struct{} // not nil: it answers only once that is closed
	again   []time.Duration
	came    chan struct{}
}

func (s *service) Check(a remote.Address) (string, error) {
	if a.URL == "" {
		return "", beckon.ErrInvalid
	}
	return "host", nil
}

func (s *service) Again(failed int) (after time.Duration, again bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if failed >= len(s.again) {
		return 0, false
	}
	return s.again[failed], true
}

// set has it refuse, or take, from now on.
func (s *service) set(refuses error, again []time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuses, s.again = refuses, again
}

func (s *service) Send(ctx context.Context, to Recipient, l Letter) error {
	if url, err := to.Secret(HookURL); err != nil || url == "" {
		return err
	}
	s.mu.Lock()
	hangs, err := s.hangs, s.refuses
	if err == nil {
		s.took = append(s.took, l)
	}
	s.mu.Unlock()
	select {
	case s.came <- struct{}{}:
	default: // nobody counts
	}
	if hangs != nil {
		select {
		case <-hangs:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}

// desk is a hub over a real store, whose hook is set up and on.
type desk struct {
	*Hub
	t       *testing.T
	dir     string
	service *service
	task    beckon.Task
	run     beckon.Run
	shown   chan remote.Channels
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir(), service: &service{came: make(chan struct{}, 100), again: []time.Duration{time.Millisecond, time.Millisecond}}}
	d.open()
	ctx := t.Context()
	p := beckon.Project{Key: "KES", Name: "Kestrel", Dir: t.TempDir(), Color: 1, Mode: beckon.ModeAuto, Policy: beckon.Wait}
	err := d.Store.AddProject(ctx, &p)
	d.task = beckon.Task{ProjectID: p.ID, Title: "Parse", Status: beckon.Running}
	err = errors.Join(err, d.Store.CreateTask(ctx, &d.task))
	d.run = beckon.Run{TaskID: d.task.ID, Kind: beckon.TaskRun}
	err = errors.Join(err, d.Store.AddRun(ctx, &d.run))
	_, set := d.SetHook(ctx, remote.Address{URL: "https://host/x", Shape: remote.JSON})
	if err := errors.Join(err, set, d.Switch(ctx, remote.Hook, true)); err != nil {
		t.Fatal(err)
	}
	return d
}

// retried is how often a service is started that could not be.
const retried = 5 * time.Millisecond

// open opens the data folder, as Beckon does when it starts.
func (d *desk) open() {
	d.t.Helper()
	s, err := store.Open(context.WithoutCancel(d.t.Context()), d.dir)
	if err != nil {
		d.t.Fatal(err)
	}
	d.shown = make(chan remote.Channels, 100)
	shown := d.shown
	h, err := Open(d.t.Context(), Config{
		Store: s, Secrets: secrets.New(d.dir), Messages: os.DirFS("../../frontend/messages"), Hook: d.service, Every: retried,
		Publish: func(e beckon.Event) {
			select {
			case shown <- *e.Channels:
			default: // nobody looks
			}
		},
	})
	if err != nil {
		d.t.Fatal(err)
	}
	d.Hub = h
	d.t.Cleanup(func() {
		h.Close()
		_ = s.Close()
	})
}

// stop closes the data folder.
func (d *desk) stop() {
	d.t.Helper()
	d.Close()
	if err := d.Store.Close(); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) ask(id string) beckon.Question {
	d.t.Helper()
	q := beckon.Question{
		ID: id, TaskID: d.task.ID, RunID: d.run.ID, Kind: beckon.Ask, Policy: beckon.Wait, Asked: beckon.Now(), Settlement: beckon.Open,
		Items: []beckon.QuestionItem{{Text: "Which part? sk-ant-api03-abcdefghijklmnopqrstuvwxyz", Options: []beckon.Option{{Label: "Parser"}, {Label: "Planner"}}}},
	}
	if err := d.Store.AddQuestion(d.t.Context(), q); err != nil {
		d.t.Fatal(err)
	}
	return q
}

func (d *desk) settle(id string) beckon.Question {
	d.t.Helper()
	q, err := d.Store.Settle(d.t.Context(), id, beckon.Answered, &beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Parser"}}}, By: beckon.ByUser, At: 1}, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	return q
}

// hear publishes a question, as the desk does.
func (d *desk) hear(q beckon.Question) { d.OnEvent(beckon.Event{Question: &q}) }

// told waits until the service was sent as many letters, and returns those it took.
func (d *desk) told(sent int) []Letter {
	d.t.Helper()
	for range sent {
		select {
		case <-d.service.came:
		case <-time.After(timeout.For(30 * time.Second)):
			d.t.Fatal("the service was told nothing more")
		}
	}
	return d.took()
}

func (d *desk) took() []Letter {
	d.service.mu.Lock()
	defer d.service.mu.Unlock()
	return slices.Clone(d.service.took)
}

// until waits until the channel is as it shall be.
func (d *desk) until(what string, is func(remote.State) bool) remote.State {
	d.t.Helper()
	for end := time.Now().Add(timeout.For(30 * time.Second)); ; time.Sleep(5 * time.Millisecond) {
		all, err := d.Channels(d.t.Context())
		if err != nil {
			d.t.Fatal(err)
		}
		hook := all.All[slices.IndexFunc(all.All, func(s remote.State) bool { return s.Channel == remote.Hook })]
		if is(hook) {
			return hook
		}
		if time.Now().After(end) {
			d.t.Fatalf("%s: it is %+v", what, hook)
		}
	}
}

func idle(s remote.State) bool { return s.Waiting == 0 }

func noRing(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
}

func TestAQuestionIsToldWhenItIsAskedAndWhenItIsSettled(t *testing.T) {
	noRing(t)
	d := newDesk(t)
	d.hear(d.ask("q1"))
	asked := d.told(1)[0]
	if asked.Event != Asked || asked.Task != "KES-1" || asked.Project != "Kestrel" || asked.Title != "KES-1 asks" || asked.Count != 1 {
		t.Errorf("asked %+v", asked)
	}
	d.until("it was told", idle)
	d.hear(d.settle("q1"))
	settled := d.told(1)[1]
	if settled.Event != Settled || settled.ID != asked.ID || settled.Count != 0 {
		t.Errorf("settled %+v, it was asked as %s", settled, asked.ID)
	}
	s := d.until("it was told", func(s remote.State) bool { return idle(s) && s.Last > 0 })
	if s.Trouble != "" || !s.On || s.To != "host" {
		t.Errorf("%+v", s)
	}
}

// TestOnlyWhatMayLeaveDoes: each part of a letter stays here until the user chose it,
// and secrets never leave.
func TestOnlyWhatMayLeaveDoes(t *testing.T) {
	noRing(t)
	d := newDesk(t)
	d.hear(d.ask("q1"))
	text, _ := json.Marshal(d.told(1)[0])
	for _, never := range []string{"Which part", "Parser", "sk-ant"} {
		if strings.Contains(string(text), never) {
			t.Errorf("%q leaves: %s", never, text)
		}
	}
	elsewhere := d.ask("q2")
	elsewhere.ID, elsewhere.TaskID, elsewhere.Origin = "q3", "", "zsh"
	run := beckon.Run{Kind: beckon.ExternalRun}
	if err := d.Store.AddRun(t.Context(), &run); err != nil {
		t.Fatal(err)
	}
	elsewhere.RunID = run.ID
	if err := d.Store.AddQuestion(t.Context(), elsewhere); err != nil {
		t.Fatal(err)
	}
	ended, err := d.Store.UpdateRun(t.Context(), d.run.ID, func(r *beckon.Run) error {
		r.Ended, r.Outcome = 5, beckon.Succeeded
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	d.hear(elsewhere)
	d.OnEvent(beckon.Event{Run: &ended})
	second, err := d.Store.Question(t.Context(), "q2")
	if err != nil {
		t.Fatal(err)
	}
	d.hear(second)
	if l := d.told(1)[1]; l.Task != "KES-1" || l.Event != Asked {
		t.Errorf("told of %+v", l)
	}

	for _, part := range []remote.Part{remote.Text, remote.Elsewhere, remote.Ended} {
		if err := d.Choose(t.Context(), remote.Hook, part, true); err != nil {
			t.Fatal(err)
		}
	}
	if l := d.told(1)[2]; l.Title != "A session elsewhere asks" || l.Text != "Which part? [masked]" || !slices.Equal(l.Options, []string{"Parser", "Planner"}) {
		t.Errorf("once they were chosen: %+v", l)
	}
	d.OnEvent(beckon.Event{Run: &ended})
	if l := d.told(1)[3]; l.Event != Ended || l.Kind != "succeeded" || l.Title != "KES-1 is done" {
		t.Errorf("of the run: %+v", l)
	}
}

func TestWhatWasSettledWhileTheServiceWasAwayIsNeverTold(t *testing.T) {
	noRing(t)
	d := newDesk(t)
	d.service.set(&Failure{Trouble: remote.Unreachable, Detail: "no route"}, slices.Repeat([]time.Duration{time.Millisecond}, 100_000))
	d.hear(d.ask("q1"))
	d.hear(d.ask("q2"))
	s := d.until("both wait", func(s remote.State) bool { return s.Waiting == 2 && s.Trouble != "" })
	if s.Trouble != remote.Unreachable || s.Detail != "no route" || s.Last != 0 {
		t.Errorf("%+v", s)
	}
	d.hear(d.settle("q1"))
	d.until("the first is forgotten", func(s remote.State) bool { return s.Waiting == 1 })
	second, err := d.Store.Told.Next(t.Context(), remote.Hook)
	if err != nil || second[0].Subject != "question/q2" {
		t.Fatalf("next %+v, %v", second, err)
	}
	d.service.set(nil, nil)
	d.until("nothing waits", func(s remote.State) bool { return idle(s) && s.Trouble == "" })
	if took := d.took(); len(took) != 1 || took[0].ID != second[0].ID {
		t.Errorf("told %+v", took)
	}
}

func TestATryThatFailsIsMadeAgainAndGivenUpInTheEnd(t *testing.T) {
	noRing(t)
	d := newDesk(t)
	d.service.set(&Failure{Trouble: remote.Refused, Detail: "HTTP 500"}, d.service.again)
	d.hear(d.ask("q1"))
	d.told(3) // the first, and again twice
	s := d.until("it is given up", idle)
	if s.Trouble != remote.Refused || s.Detail != "HTTP 500" {
		t.Errorf("%+v", s)
	}
	d.service.set(nil, nil)
	d.hear(d.ask("q2"))
	if l := d.told(1)[0]; l.Count != 2 {
		t.Errorf("%+v", l)
	}
	d.until("the trouble is over", func(s remote.State) bool { return idle(s) && s.Trouble == "" })
}

// TestAMessageThatIsRefusedHoldsUpNoOther, and while nobody answers all wait in their order.
func TestAMessageThatIsRefusedHoldsUpNoOther(t *testing.T) {
	noRing(t)
	d := newDesk(t)
	refused := func(f Failure, id string) {
		t.Helper()
		d.service.set(&f, []time.Duration{time.Hour})
		d.hear(d.ask(id))
		d.told(1)
		d.until(id+" is tried again later, or given up", func(s remote.State) bool {
			rows, err := d.Store.Told.Open(t.Context(), remote.Hook)
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(rows, func(r away.Row) bool { return r.Subject == "question/"+id })
			return at < 0 || rows[at].Tries == 1
		})
	}
	refused(Failure{Trouble: remote.Refused, Detail: "HTTP 413", Final: true}, "q0")
	refused(Failure{Trouble: remote.Refused, Detail: "HTTP 500"}, "q1")
	d.service.set(nil, nil)
	d.hear(d.ask("q2"))
	if l := d.told(1); len(l) != 1 || l[0].Count != 3 {
		t.Errorf("behind one that was refused: %+v", l)
	}
	refused(Failure{Trouble: remote.Unreachable, Detail: "no route"}, "q3")
	d.service.set(nil, nil)
	d.hear(d.ask("q4"))
	d.until("what is behind one that nobody took waits", func(s remote.State) bool { return s.Waiting == 3 })
	select {
	case <-d.service.came:
		t.Errorf("it was sent: %+v", d.took())
	case <-time.After(100 * time.Millisecond):
	}
	d.lines[remote.Hook].reset()
	if l := d.told(1); len(l) != 2 || l[1].Count != 5 {
		t.Errorf("after the address was set again: %+v", l)
	}
}

// TestNothingIsLostWhenBeckonDies in the middle: what was being sent is sent again
// with its ID, and so is what was asked meanwhile.
func TestNothingIsLostWhenBeckonDies(t *testing.T) {
	noRing(t)
	d := newDesk(t)
	d.service.mu.Lock()
	d.service.hangs = make(chan struct{})
	d.service.mu.Unlock()
	d.hear(d.ask("q1"))
	first := d.told(1)[0]
	d.ask("q2") // no event: Beckon dies between the question's row and what follows it
	d.stop()
	d.service.mu.Lock()
	d.service.hangs = nil
	d.service.mu.Unlock()
	d.open()
	ids := map[string]int{}
	d.until("both were told", func(s remote.State) bool {
		clear(ids)
		for _, l := range d.took() {
			ids[l.ID]++
		}
		return idle(s) && len(ids) == 2
	})
	if ids[first.ID] != 2 {
		t.Errorf("told %v, the first is %s", ids, first.ID)
	}
	d.settle("q1") // and again between an answer and what follows it
	before := len(d.took())
	d.stop()
	d.open()
	for end := time.Now().Add(timeout.For(30 * time.Second)); len(d.took()) == before; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the answer is not told")
		}
	}
	if l := d.took()[before]; l.Event != Settled || l.ID != first.ID {
		t.Errorf("%+v", l)
	}
}

// TestALetterLeadsToTheQuestionOnThePhonesPage, while there is one.
func TestALetterLeadsToTheQuestionOnThePhonesPage(t *testing.T) {
	noRing(t)
	d := newDesk(t)
	ctx := t.Context()
	if err := errors.Join(d.Join(ctx, remote.Phone, page{}), d.Name(ctx, remote.Phone, "https://studio-pc.example")); err != nil {
		t.Fatal(err)
	}
	d.hear(d.ask("q1"))
	if l := d.told(1)[0]; l.Link != "" || l.Question != "q1" {
		t.Errorf("while there is no page: %+v", l)
	}
	if err := d.Switch(ctx, remote.Phone, true); err != nil {
		t.Fatal(err)
	}
	d.hear(d.ask("q/2"))
	if l := d.told(1)[1]; l.Link != "https://studio-pc.example/#/q/q%2F2" {
		t.Errorf("it leads to %q", l.Link)
	}
}

// page is that for phones, which is only switched on and off.
type page struct{}

func (page) Start(context.Context) error       { return nil }
func (page) Stop()                             {}
func (page) OnEvent(beckon.Event)              {}
func (page) Trouble() (remote.Trouble, string) { return "", "" }

func (page) Refused() (int, int64) { return 0, 0 }

func TestNothingIsToldThatIsOff(t *testing.T) {
	noRing(t)
	d := newDesk(t)
	if err := d.SwitchOff(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.hear(d.ask("q1"))
	d.until("nothing waits", func(s remote.State) bool { return idle(s) && !s.On })
	d.stop()
	d.open()
	d.hear(d.ask("q2"))
	if rows, err := d.Store.Told.Open(t.Context(), remote.Hook); err != nil || len(rows) > 0 || len(d.took()) > 0 {
		t.Errorf("%+v, %v", rows, err)
	}
}

// TestNothingIsWrittenWhileAllIsOff: each question would cost a transaction.
func TestNothingIsWrittenWhileAllIsOff(t *testing.T) {
	noRing(t)
	d := newDesk(t)
	if err := d.SwitchOff(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := d.Store.Told.Want(t.Context(), remote.Hook, "", "question/q1"); err != nil {
		t.Fatal(err)
	}
	if err := d.onChange(t.Context(), "question/q1"); err != nil {
		t.Fatal(err)
	}
	rows, err := d.Store.Told.Open(t.Context(), remote.Hook)
	if err != nil || len(rows) != 1 || rows[0].Version != 1 {
		t.Errorf("%+v, %v", rows, err)
	}
}

func TestWhatCannotBeSetUpIsRefused(t *testing.T) {
	noRing(t)
	d := newDesk(t)
	ctx := t.Context()
	_, noAddress := d.SetHook(ctx, remote.Address{})
	for what, err := range map[string]error{
		"no address": noAddress, "no channel": d.Switch(ctx, "carrier pigeon", true),
		"no part": d.Choose(ctx, remote.Hook, "diff", true), "what always leaves": d.Choose(ctx, remote.Hook, remote.Key, false),
	} {
		if !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%s: %v", what, err)
		}
	}
	fresh := &desk{t: t, dir: t.TempDir(), service: d.service}
	fresh.open()
	if err := fresh.Switch(ctx, remote.Hook, true); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("switched on without an address: %v", err)
	}
	if s := fresh.until("all is off", func(remote.State) bool { return true }); s.On || s.To != "" || s.Last != 0 || len(s.Chosen) != 0 {
		t.Errorf("at first it is %+v", s)
	}
}

// TestEveryLetterHasATitle in every language, for every kind and end.
func TestEveryLetterHasATitle(t *testing.T) {
	noRing(t)
	d := newDesk(t)
	names := []string{string(Test)}
	for _, kind := range beckon.QuestionKinds {
		for _, e := range []Event{Asked, Settled, Expired} {
			names = append(names, string(e)+"_"+string(kind))
		}
	}
	for _, o := range beckon.Outcomes {
		names = append(names, "ended_"+string(o))
	}
	for l, words := range d.words {
		for _, name := range names {
			if words[name] == "" {
				t.Errorf("%s has no %s", l, name)
			}
		}
		if len(words) != len(names)+1 || words["elsewhere"] == "" {
			t.Errorf("%s has %d messages, %d are used", l, len(words), len(names)+1)
		}
	}
}

func TestALetterNamesAnotherAgent(t *testing.T) {
	noRing(t)
	d := newDesk(t)
	if _, err := d.Store.UpdateTask(t.Context(), d.task.ID, func(t *beckon.Task) error { t.Agent = "codex"; return nil }); err != nil {
		t.Fatal(err)
	}
	d.hear(d.ask("q1"))
	if l := d.told(1)[0]; l.Title != "Codex (KES-1) asks" || l.Task != "KES-1" {
		t.Errorf("told %+v", l)
	}
}
