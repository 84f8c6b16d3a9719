package push_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel"
	"beckon/backend/channel/phone/push"
	"beckon/backend/secrets"
	"beckon/backend/store"
	"beckon/backend/store/away"
	"beckon/tests/pushtest"
	"beckon/tests/timeout"
)

// TestMain has the tests find no key ring.
func TestMain(m *testing.M) {
	if err := os.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// page is the page for phones, which is only switched on and off.
type page struct{}

func (page) Start(context.Context) error       { return nil }
func (page) Stop()                             {}
func (page) OnEvent(beckon.Event)              {}
func (page) Trouble() (remote.Trouble, string) { return "", "" }

func (page) Refused() (int, int64) { return 0, 0 }

// nobody is a hook that nothing is sent to.
type nobody struct{}

func (nobody) Check(remote.Address) (string, error)                          { return "", beckon.ErrInvalid }
func (nobody) Again(int) (time.Duration, bool)                               { return 0, false }
func (nobody) Send(context.Context, channel.Recipient, channel.Letter) error { return nil }

// desk is a hub over a real store, with push switched on.
type desk struct {
	*channel.Hub
	t       *testing.T
	dir     string
	sender  *push.Sender
	service *pushtest.Server
	task    beckon.Task
	run     beckon.Run
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir(), service: pushtest.New(t)}
	d.open()
	ctx := t.Context()
	p := beckon.Project{Key: "KES", Name: "Kestrel", Dir: t.TempDir(), Color: 1, Mode: beckon.ModeAuto, Policy: beckon.Wait}
	err := d.Store.AddProject(ctx, &p)
	d.task = beckon.Task{ProjectID: p.ID, Title: "Parse", Status: beckon.Running}
	err = errors.Join(err, d.Store.CreateTask(ctx, &d.task))
	d.run = beckon.Run{TaskID: d.task.ID, Kind: beckon.TaskRun}
	err = errors.Join(err, d.Store.AddRun(ctx, &d.run), d.Name(ctx, remote.Phone, "https://studio-pc.example"))
	d.do(errors.Join(err, d.Switch(ctx, remote.Phone, true), d.Switch(ctx, remote.Push, true)))
	return d
}

// open opens the data folder, as Beckon does when it starts.
func (d *desk) open() {
	d.t.Helper()
	s, err := store.Open(context.WithoutCancel(d.t.Context()), d.dir)
	d.do(err)
	kept := secrets.New(d.dir)
	d.sender = push.New(push.Config{Devices: s.Devices, Keys: push.NewKeyBook(kept, s.Settings), Client: d.service.Client()})
	d.Hub, err = channel.Open(d.t.Context(), channel.Config{
		Store: s, Secrets: kept, Messages: os.DirFS("../../../../frontend/messages"), Hook: nobody{}, Push: d.sender, Publish: func(beckon.Event) {},
	})
	d.do(err)
	hub := d.Hub
	d.t.Cleanup(func() {
		hub.Close()
		_ = s.Close()
	})
	d.do(d.Join(d.t.Context(), remote.Phone, page{}))
}

// stop closes the data folder.
func (d *desk) stop() {
	d.t.Helper()
	d.Close()
	d.do(d.Store.Close())
}

func (d *desk) do(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// phone pairs a phone that somebody at the desk confirmed, and subscribes it.
func (d *desk) phone(id, language string) *pushtest.Phone {
	d.t.Helper()
	_, err := d.Store.Devices.Add(d.t.Context(), away.Device{ID: id, Name: "Pixel", Language: language, Secret: []byte(id), Key: []byte(id)})
	d.do(errors.Join(err, d.Store.Devices.Confirm(d.t.Context(), id)))
	return d.subscribe(id)
}

func (d *desk) subscribe(id string) *pushtest.Phone {
	d.t.Helper()
	key, err := d.sender.Key(d.t.Context())
	d.do(err)
	p := d.service.Phone(key)
	d.do(d.sender.Subscribe(d.t.Context(), id, p.Subscription()))
	d.SendWaiting(d.t.Context(), remote.Push)
	return p
}

const asked = "Which part? sk-ant-api03-abcdefghijklmnopqrstuvwxyz"

func (d *desk) question(id string) beckon.Question {
	return beckon.Question{
		ID: id, TaskID: d.task.ID, RunID: d.run.ID, Kind: beckon.Ask, Policy: beckon.Wait, Asked: beckon.Now(), Settlement: beckon.Open,
		Items: []beckon.QuestionItem{{Text: asked, Options: []beckon.Option{{Label: "Parser"}, {Label: "Planner"}}}},
	}
}

// ask asks a question, as the desk does.
func (d *desk) ask(q beckon.Question) {
	d.t.Helper()
	d.do(d.Store.AddQuestion(d.t.Context(), q))
	d.OnEvent(beckon.Event{Question: &q})
}

func (d *desk) settle(id string) {
	d.t.Helper()
	q, err := d.Store.Settle(d.t.Context(), id, beckon.Answered, &beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Parser"}}}, By: beckon.ByUser, At: 1}, nil)
	d.do(err)
	d.OnEvent(beckon.Event{Question: &q})
}

// until waits until push is as it shall be.
func (d *desk) until(what string, is func(remote.State) bool) remote.State {
	d.t.Helper()
	for end := time.Now().Add(timeout.For(30 * time.Second)); ; time.Sleep(5 * time.Millisecond) {
		all, err := d.Channels(d.t.Context())
		d.do(err)
		for _, s := range all.All {
			if s.Channel == remote.Push && is(s) {
				return s
			}
		}
		if time.Now().After(end) {
			d.t.Fatalf("%s: it is %+v", what, all.All)
		}
	}
}

// tried waits until a message was tried in vain.
func (d *desk) tried() away.Row {
	d.t.Helper()
	for end := time.Now().Add(timeout.For(30 * time.Second)); ; time.Sleep(5 * time.Millisecond) {
		rows, err := d.Store.Told.Next(d.t.Context(), remote.Push)
		d.do(err)
		if len(rows) > 0 && rows[0].Tries > 0 {
			return rows[0]
		}
		if time.Now().After(end) {
			d.t.Fatalf("nothing was tried: %+v", rows)
		}
	}
}

func idle(s remote.State) bool { return s.Waiting == 0 }

// TestAPhoneIsToldOnceAndThenThatItIsOver, with nothing of the question's words.
func TestAPhoneIsToldOnceAndThenThatItIsOver(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p := d.phone("pixel", "de-DE")
	q := d.question("0b3e1c9a-0000-4000-8000-000000000001")
	q.Deadline = time.Now().Add(time.Hour).UnixMilli()
	d.ask(q)
	m := p.Wait()
	if m.ID != q.ID || m.Key != "KES-1" || m.Kind != "ask" || m.Title != "KES-1 fragt" || m.Text != "" || m.Close {
		t.Errorf("told %+v", m)
	}
	if m.Size >= 500 || m.Urgency != "high" || m.TTL > time.Hour || m.TTL < 50*time.Minute {
		t.Errorf("%d bytes, urgency %s, kept for %s", m.Size, m.Urgency, m.TTL)
	}
	d.OnEvent(beckon.Event{Question: &q}) // as when its clock is held
	d.until("it was told", idle)
	d.settle(q.ID)
	over := p.Wait()
	if over.ID != q.ID || !over.Close || over.Topic != m.Topic || over.Title != "KES-1 hat eine Antwort" || over.Body != m.Body {
		t.Errorf("then %+v", over)
	}
	s := d.until("nothing waits", idle)
	if s.Trouble != "" || s.Last == 0 {
		t.Errorf("%+v", s)
	}
	p.Idle()
}

// TestTheQuestionsTextLeavesOnlyWhereItMay, cut and without what looks like a secret.
func TestTheQuestionsTextLeavesOnlyWhereItMay(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p := d.phone("pixel", "en")
	d.do(d.Choose(t.Context(), remote.Push, remote.Text, true))
	d.ask(d.question("q1"))
	if m := p.Wait(); m.Text != "Which part? [masked]" || m.TTL != 24*time.Hour {
		t.Errorf("told %+v", m)
	}
	long := d.question("q2")
	long.Items[0].Text = strings.Repeat(`"\\<&`+"\u2028ä\n", 2000)
	d.ask(long)
	if m := p.Wait(); len(m.Text) < 400 || m.Size > 2700 || m.ID != "q2" {
		t.Errorf("a long one: %d bytes of %d", len(m.Text), m.Size)
	}
	d.until("both were told", idle)
	d.settle("q1")
	if m := p.Wait(); m.Text != "" {
		t.Errorf("once it is over: %q", m.Text)
	}
}

func TestWhatIsSettledBeforeItIsSentIsNeverSent(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p := d.phone("pixel", "en")
	p.Answers(pushtest.Answer{Status: http.StatusServiceUnavailable, RetryAfter: "3600"})
	d.ask(d.question("q1"))
	p.WaitRefused()
	s := d.until("it waits", func(s remote.State) bool { return s.Waiting == 1 && s.Trouble != "" })
	if s.Trouble != remote.Refused || s.Detail != "HTTP 503" {
		t.Errorf("%+v", s)
	}
	row := d.tried()
	if wait := time.Until(time.UnixMilli(row.Due)); wait < 55*time.Minute || wait > time.Hour {
		t.Errorf("it is tried again in %s, the service said an hour", wait)
	}
	d.settle("q1")
	d.do(d.Store.Told.Later(t.Context(), row.ID, 0)) // an hour passes
	d.stop()
	d.open()
	d.until("it is forgotten", idle)
	p.Idle()
}

// TestAServiceIsAskedAgainLaterAndLater, for as long as the question waits.
func TestAServiceIsAskedAgainLaterAndLater(t *testing.T) {
	t.Parallel()
	s := push.New(push.Config{})
	for failed, want := range map[int]time.Duration{0: 5 * time.Second, 1: 10 * time.Second, 5: 160 * time.Second, 6: 5 * time.Minute, 1 << 40: 5 * time.Minute} {
		if after, again := s.Again(failed); after != want || !again {
			t.Errorf("after %d failures in %s, %v", failed, after, again)
		}
	}
}

// TestASubscriptionThatIsGoneIsRemoved, and others go on.
func TestASubscriptionThatIsGoneIsRemoved(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusNotFound, http.StatusGone} {
		d := newDesk(t)
		gone, stays := d.phone("pixel", "en"), d.phone("fairphone", "en")
		gone.Answers(pushtest.Answer{Status: status}, pushtest.Answer{Status: http.StatusTeapot})
		d.ask(d.question("q1"))
		gone.WaitRefused()
		stays.Wait()
		s := d.until("nothing waits", idle)
		if s.Trouble != "" {
			t.Errorf("%d: %+v", status, s)
		}
		if was, err := d.Store.Devices.Device(t.Context(), "pixel"); err != nil || was.Push != "" {
			t.Errorf("%d: %q, %v", status, was.Push, err)
		}
		d.ask(d.question("q2"))
		stays.Wait()
		d.until("nothing waits", idle)
		gone.Idle()
		again := d.subscribe("pixel")
		again.Wait() // of both
		again.Wait()
	}
}

// TestAMessageThatNoServiceTakesIsGivenUp at once, and those behind it go on.
func TestAMessageThatNoServiceTakesIsGivenUp(t *testing.T) {
	t.Parallel()
	for _, a := range []pushtest.Answer{
		{Status: http.StatusBadRequest},
		{Status: http.StatusRequestEntityTooLarge},
		{Status: http.StatusForbidden},
		{Status: http.StatusTemporaryRedirect, Location: "https://push.example.com/send/elsewhere"},
	} {
		d := newDesk(t)
		p := d.phone("pixel", "en")
		p.Answers(a)
		d.ask(d.question("q1"))
		p.WaitRefused()
		d.until("it is given up", func(s remote.State) bool { return idle(s) && s.Trouble == remote.Refused })
		d.ask(d.question("q2"))
		if m := p.Wait(); m.ID != "q2" {
			t.Errorf("%d: %+v", a.Status, m)
		}
		d.until("the trouble is over", func(s remote.State) bool { return idle(s) && s.Trouble == "" })
		d.settle("q1") // nobody was told of it
		d.until("nothing waits", idle)
		p.Idle()
	}
}

// TestOnePhonesTroubleStaysSaidWhileAnothersIsNone, and ends with the phone.
func TestOnePhonesTroubleStaysSaidWhileAnothersIsNone(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	bad, good := d.phone("a", "en"), d.phone("b", "en")
	bad.Answers(pushtest.Answer{Status: http.StatusTooManyRequests, RetryAfter: "60"})
	d.ask(d.question("q1"))
	bad.WaitRefused()
	good.Wait()
	d.ask(d.question("q2"))
	good.Wait()
	s := d.until("one phone waits", func(s remote.State) bool { return s.Waiting == 2 })
	if s.Trouble != remote.Refused || s.Detail != "HTTP 429" {
		t.Errorf("%+v", s)
	}
	d.do(d.sender.Unsubscribe(t.Context(), "a"))
	d.do(d.Forget(t.Context(), remote.Push, "a"))
	if s := d.until("nothing waits", idle); s.Trouble != "" {
		t.Errorf("%+v", s)
	}
	bad.Idle()
}

// TestAPhoneHearsOnlyWhatItMaySee: nothing before it was confirmed, and of sessions
// elsewhere nothing without the right to see them.
func TestAPhoneHearsOnlyWhatItMaySee(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ctx := t.Context()
	stranger, err := d.Store.Devices.Add(ctx, away.Device{ID: "stranger", Name: "?", Language: "en", Secret: []byte("stranger"), Key: []byte("stranger")})
	d.do(err)
	unconfirmed := d.subscribe(stranger.ID)
	plain, seeing := d.phone("plain", "en"), d.phone("seeing", "en")
	d.do(d.Store.Devices.Allow(ctx, "seeing", remote.Rights{Elsewhere: true}))
	elsewhere := d.question("q1")
	run := beckon.Run{Kind: beckon.ExternalRun}
	d.do(d.Store.AddRun(ctx, &run))
	elsewhere.TaskID, elsewhere.RunID, elsewhere.Origin = "", run.ID, "zsh"
	d.ask(elsewhere)
	d.ask(d.question("q2"))
	if m := plain.Wait(); m.ID != "q2" {
		t.Errorf("a phone without the right was told %+v", m)
	}
	for _, id := range []string{"q1", "q2"} {
		if m := seeing.Wait(); m.ID != id {
			t.Errorf("a phone with the right was told %+v", m)
		}
	}
	d.until("all was told", idle)
	d.do(d.Store.Devices.Remove(ctx, "plain"))
	d.settle("q2")
	seeing.Wait()
	d.until("all was told", idle)
	plain.Idle()
	unconfirmed.Idle()
	if rows, err := d.Store.Told.OpenAt(ctx, remote.Push, "plain"); err != nil || len(rows) > 0 {
		t.Errorf("of a phone that is gone %+v are kept, %v", rows, err)
	}
}

// TestNothingIsPushedWhileItIsOff, and it is only on while the page for phones is.
func TestNothingIsPushedWhileItIsOff(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ctx := t.Context()
	p := d.phone("pixel", "en")
	d.ask(d.question("q1"))
	p.Wait()
	d.do(d.Switch(ctx, remote.Phone, false))
	if d.On(remote.Push) {
		t.Error("it is on without the page")
	}
	d.do(errors.Join(d.Switch(ctx, remote.Phone, true), d.Switch(ctx, remote.Push, true)))
	p.Wait()
	d.do(d.Name(ctx, remote.Phone, ""))
	if d.On(remote.Push) {
		t.Error("it is on while the page has no address")
	}
	d.do(d.Name(ctx, remote.Phone, "https://studio-pc.example"))
	err := d.Switch(ctx, remote.Push, true)
	if kind, _ := problem.From(err); kind != problem.PhoneAway || !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("switched on without the page: %v", err)
	}
	d.ask(d.question("q2"))
	d.settle("q1")
	d.until("nothing waits", idle)
	d.stop()
	d.open()
	p.Idle()
	d.do(errors.Join(d.Switch(ctx, remote.Phone, true), d.Switch(ctx, remote.Push, true)))
	if m := p.Wait(); m.ID != "q2" {
		t.Errorf("once it is on again: %+v", m)
	}
}

// TestNothingIsLostWhenBeckonDies between a question's row and its message.
func TestNothingIsLostWhenBeckonDies(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p := d.phone("pixel", "en")
	d.do(d.Store.AddQuestion(t.Context(), d.question("q1")))
	d.stop()
	d.open()
	if m := p.Wait(); m.ID != "q1" {
		t.Errorf("%+v", m)
	}
	d.until("it was told", idle)
	d.stop()
	d.open()
	d.until("it was told", idle)
	p.Idle()
}

// TestABrowserThatIsPairedTwiceIsToldOnce.
func TestABrowserThatIsPairedTwiceIsToldOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ctx := t.Context()
	p := d.phone("before", "en")
	_, err := d.Store.Devices.Add(ctx, away.Device{ID: "again", Name: "Pixel", Language: "en", Secret: []byte("again"), Key: []byte("again")})
	d.do(errors.Join(err, d.Store.Devices.Confirm(ctx, "again"), d.sender.Subscribe(ctx, "again", p.Subscription())))
	d.ask(d.question("q1"))
	p.Wait()
	d.until("it was told", idle)
	p.Idle()
}

// TestOnlyWhatABrowserSaysIsASubscription: it comes from a phone, and is a stranger's
// word.
func TestOnlyWhatABrowserSaysIsASubscription(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ctx := t.Context()
	p := d.phone("pixel", "en")
	good := string(p.Subscription())
	at := func(endpoint string) string { return strings.Replace(good, p.Endpoint(), endpoint, 1) }
	for _, bad := range []string{
		"", "null", "[]", "{}", `{"endpoint":7}`, good[:len(good)-1], good + strings.Repeat(" ", 4<<10),
		at("http://push.example.com/x"), at("https://"), at("https:///x"), at("//push.example.com/x"), at("file:///etc/passwd"),
		at("https://me:secret@push.example.com/x"), at("https://push.example.com/x#y"), at("https://push.example.com/" + strings.Repeat("x", 2<<10)),
		at("https://127.0.0.1/x"), at("https://[::1]/x"), at("https://10.0.0.1/x"), at("https://169.254.169.254/x"), at("https://[::ffff:192.168.0.1]/x"), at("https://100.64.0.1/x"), at("https://0.0.0.0/x"),
		strings.Replace(good, `"auth":"`, `"auth":"AAAA`, 1), strings.Replace(good, `"p256dh":"B`, `"p256dh":"C`, 1), strings.Replace(good, `"p256dh":"`, `"p256dh":"AAAA`, 1),
	} {
		if err := d.sender.Subscribe(ctx, "pixel", []byte(bad)); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%.80s: %v", bad, err)
		}
	}
	if err := d.sender.Subscribe(ctx, "nobody", []byte(good)); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("a phone that is not paired: %v", err)
	}
	if kept, err := d.Store.Devices.Device(ctx, "pixel"); err != nil || !strings.Contains(kept.Push, p.Endpoint()) {
		t.Errorf("the phone has %q, %v", kept.Push, err)
	}
}

// TestASubscriptionLeadsNowhereInside: a name may lead anywhere, and what leads to
// this computer or its network is not connected to.
func TestASubscriptionLeadsNowhereInside(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p := d.phone("pixel", "en")
	inside := strings.Replace(string(p.Subscription()), p.Endpoint(), "https://localhost:443/x", 1)
	d.do(d.sender.Subscribe(t.Context(), "pixel", []byte(inside)))
	real := push.New(push.Config{Devices: d.Store.Devices, Keys: d.sender.Keys})
	err := real.Send(t.Context(), channel.Recipient{ID: "pixel"}, channel.Letter{Event: channel.Asked, Question: "q1"})
	var f *channel.Failure
	if !errors.As(err, &f) || f.Trouble != remote.Forbidden || !f.Final {
		t.Errorf("%v", err)
	}
}

// TestWhereAPhoneIsReachedIsInNoError: who knows it can write to the phone.
func TestWhereAPhoneIsReachedIsInNoError(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p := d.phone("pixel", "en")
	nowhere := strings.Replace(string(p.Subscription()), "push.example.com", "nobody.example.com", 1)
	d.do(d.sender.Subscribe(t.Context(), "pixel", []byte(nowhere)))
	err := d.sender.Send(t.Context(), channel.Recipient{ID: "pixel"}, channel.Letter{Event: channel.Asked, Question: "q1"})
	var f *channel.Failure
	path := strings.TrimPrefix(p.Endpoint(), "https://push.example.com")
	if !errors.As(err, &f) || f.Trouble != remote.Unreachable || f.Final || strings.Contains(f.Error(), path) {
		t.Errorf("%v", err)
	}
}
