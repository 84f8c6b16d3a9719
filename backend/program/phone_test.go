package program

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/remote"
	"beckon/tests/timeout"
)

const phoneOrigin = "https://studio-pc.tail1234.ts.net"

// pocket is a phone of a test, and Beckon that serves it.
type pocket struct {
	*desktopOf
	addr, cookie, key string
	http              *http.Client
}

// carry switches phones on, as Settings does, and pairs one.
func carry(t *testing.T, d *desktopOf, name string) pocket {
	t.Helper()
	d.p.devices.Page.Assets = fstest.MapFS{"index.html": {Data: []byte("<title>Phone</title>")}}
	if _, err := d.SetPhone(phoneOrigin + "/"); err != nil {
		t.Fatal(err)
	}
	if err := d.SwitchChannel(remote.Phone, true); err != nil {
		t.Fatal(err)
	}
	setup, err := d.Phone()
	if err != nil || setup.Origin != phoneOrigin || setup.Addr != fmt.Sprintf("127.0.0.1:%d", setup.Port) || setup.Public != "" {
		t.Fatalf("%+v, %v", setup, err)
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	p := pocket{desktopOf: d, addr: setup.Addr, http: &http.Client{Transport: transport, Timeout: timeout.For(30 * time.Second)}}
	pairing, err := d.PairDevice(remote.Phone)
	if err != nil || pairing.Link != phoneOrigin+"/#pair="+pairing.Code || pairing.Size < 21 {
		t.Fatalf("%+v, %v", pairing, err)
	}
	status, text := p.ask(http.MethodPost, "/api/pair", fmt.Sprintf(`{"code":%q,"name":%q,"language":"en"}`, pairing.Code, name))
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, text)
	}
	var given struct{ Key string }
	if err := json.Unmarshal([]byte(text), &given); err != nil {
		t.Fatal(err)
	}
	p.key = given.Key
	return p
}

// request is one as a browser sends it through the tunnel.
func (p *pocket) request(method, path, body string) *http.Request {
	r, err := http.NewRequestWithContext(p.T.Context(), method, "http://"+p.addr+path, strings.NewReader(body))
	if err != nil {
		p.T.Fatal(err)
	}
	r.Host = strings.TrimPrefix(phoneOrigin, "https://")
	r.Header.Set("Origin", phoneOrigin)
	r.Header.Set("Content-Type", "application/json")
	if p.cookie != "" {
		r.Header.Set("Cookie", "__Host-beckon="+p.cookie)
		r.Header.Set("Beckon-Key", p.key)
	}
	return r
}

func (p *pocket) ask(method, path, body string) (status int, text string) {
	p.T.Helper()
	res, err := p.http.Do(p.request(method, path, body))
	if err != nil {
		p.T.Error(err)
		return 0, ""
	}
	defer res.Body.Close()
	all, err := io.ReadAll(res.Body)
	if err != nil {
		p.T.Error(err)
	}
	for _, c := range res.Cookies() {
		p.cookie = c.Value
	}
	return res.StatusCode, string(all)
}

// device is the phone as Settings lists it.
func (p *pocket) device() remote.Device {
	p.T.Helper()
	all, err := p.Devices()
	if err != nil || len(all) == 0 {
		p.T.Fatalf("%+v, %v", all, err)
	}
	return all[len(all)-1]
}

// stateOf is how a channel goes, as Settings shows it.
func stateOf(t *testing.T, d *desktopOf, channel remote.Channel) remote.State {
	t.Helper()
	all, err := d.Channels()
	if err != nil {
		t.Fatal(err)
	}
	return all.All[slices.IndexFunc(all.All, func(c remote.State) bool { return c.Channel == channel })]
}

// asksIn returns the phones that a page which is opened asks to let in.
func asksIn(t *testing.T, d *desktopOf, page string) (asks []remote.Device) {
	t.Helper()
	f, err := d.Attach(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range f.Events {
		if e.Channels != nil {
			asks = e.Channels.Asking
		}
	}
	return asks
}

func TestAnAnswerFromAPhoneReachesTheRunningTurn(t *testing.T) {
	t.Parallel()
	d := start(t, asking)
	p := carry(t, d, "Pixel 9")
	task := d.run(beckon.NewTask{Title: "Paint", Brief: "In a colour."})
	q := d.Question("Which colour?")
	if status, text := p.ask(http.MethodGet, "/api/inbox", ""); status != http.StatusForbidden || strings.Contains(text, "colour") {
		t.Errorf("before it is confirmed: %d %s", status, text)
	}
	channels, err := d.Channels()
	if err != nil || len(channels.Asking) != 1 || channels.Asking[0].Name != "Pixel 9" {
		t.Fatalf("%+v, %v", channels, err)
	}
	if got := asksIn(t, d, "before"); len(got) != 1 || got[0].Name != "Pixel 9" {
		t.Errorf("a page that is opened then sees %+v", got)
	}
	if err := d.ConfirmDevice(channels.Asking[0].ID); err != nil {
		t.Fatal(err)
	}
	if got := asksIn(t, d, "after"); len(got) != 0 {
		t.Errorf("a page that is opened afterwards sees %+v", got)
	}
	if _, text := p.ask(http.MethodGet, "/api/inbox", ""); !strings.Contains(text, "Which colour?") || !strings.Contains(text, task.Key) || !strings.Contains(text, `"name":"sample"`) && !strings.Contains(text, d.project.Name) {
		t.Errorf("%s", text)
	}
	if _, text := p.ask(http.MethodGet, "/api/question/"+q.ID, ""); !strings.Contains(text, "I look around.") {
		t.Errorf("the card does not say what was said before: %s", text)
	}
	status, text := p.ask(http.MethodPost, "/api/question/"+q.ID+"/answer", `{"answer":{"items":[{"labels":["Blue"]}],"by":"rule","byName":"x"}}`)
	if status != http.StatusNoContent {
		t.Fatalf("%d %s", status, text)
	}
	task, run := d.Ended(task.ID)
	if run.Outcome != beckon.Succeeded || run.Turns != 1 {
		t.Fatalf("run %+v, want success in one turn", run)
	}
	written, err := os.ReadFile(filepath.Join(task.Worktree, "colour.txt"))
	if err != nil || !strings.Contains(string(written), "Blue") {
		t.Errorf("the agent wrote %q, %v; want what was answered", written, err)
	}
	questions, err := d.AnsweredSince(0)
	if err != nil || len(questions) != 1 || questions[0].Answer.By != beckon.ByPhone || questions[0].Answer.ByName != "Pixel 9" {
		t.Errorf("%+v, %v", questions, err)
	}
	if got := p.device(); got.Last == 0 || !got.Confirmed || got.Channel != remote.Phone {
		t.Errorf("%+v", got)
	}
	if status, text := p.ask(http.MethodPost, "/api/question/"+q.ID+"/answer", `{"answer":{"items":[{"labels":["Red"]}]}}`); status != http.StatusConflict || !strings.Contains(text, `"mine":true`) {
		t.Errorf("the same once more: %d %s", status, text)
	}
}

func TestTheDeskAndTwoPhonesAnswerAtOnceAndOneWins(t *testing.T) {
	t.Parallel()
	d := start(t, asking)
	phones := []pocket{carry(t, d, "Pixel 9"), carry(t, d, "iPhone")}
	for n := range phones {
		if err := d.ConfirmDevice(phones[n].device().ID); err != nil {
			t.Fatal(err)
		}
		all, _ := d.Devices()
		for _, one := range all {
			_ = d.ConfirmDevice(one.ID)
		}
	}
	task := d.run(beckon.NewTask{Title: "Paint", Brief: "In a colour."})
	q := d.Question("Which colour?")
	won := make(chan string, 3)
	var wait sync.WaitGroup
	wait.Go(func() {
		if d.AnswerQuestion(q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Blue"}}}}) == nil {
			won <- "desk"
		}
	})
	for n := range phones {
		wait.Go(func() {
			if status, _ := phones[n].ask(http.MethodPost, "/api/question/"+q.ID+"/answer", `{"answer":{"items":[{"labels":["Red"]}]}}`); status == http.StatusNoContent {
				won <- "phone"
			}
		})
	}
	wait.Wait()
	if len(won) != 1 {
		t.Errorf("%d answers won", len(won))
	}
	d.Ended(task.ID)
}

func TestARevokedPhoneIsOutAtOnce(t *testing.T) {
	t.Parallel()
	d := start(t, asking)
	p := carry(t, d, "Pixel 9")
	id := p.device().ID
	if err := d.ConfirmDevice(id); err != nil {
		t.Fatal(err)
	}
	res, err := p.http.Do(p.request(http.MethodGet, "/api/events", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	page := bufio.NewReader(res.Body)
	if line, err := page.ReadString('\n'); err != nil || line != "event: me\n" {
		t.Errorf("%q, %v", line, err)
	}
	if err := d.EditDevice(id, remote.Rights{Plans: true}); err != nil || d.RemoveDevice(id) != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(page)
	if err != nil || !strings.HasSuffix(string(rest), "event: gone\ndata: {}\n\n") {
		t.Errorf("%q, %v", rest, err)
	}
	if status, _ := p.ask(http.MethodGet, "/api/me", ""); status != http.StatusUnauthorized {
		t.Errorf("%d", status)
	}
	if err := d.RemoveDevice(id); beckon.Code(err) != "not_found" {
		t.Errorf("twice: %v", err)
	}
}

func TestPhonesAreServedOnlyOnceTheyAreSwitchedOn(t *testing.T) {
	t.Parallel()
	d := start(t, asking)
	d.p.devices.Page.Assets = fstest.MapFS{"index.html": {Data: []byte("<title>Phone</title>")}}
	kindOf := func(err error) problem.Kind {
		kind, _ := problem.From(err)
		return kind
	}
	setup, err := d.Phone()
	if err != nil || setup.Addr != "" || setup.Port == 0 || setup.Origin != "" {
		t.Errorf("at first: %+v, %v", setup, err)
	}
	if kind := kindOf(d.SwitchChannel(remote.Phone, true)); kind != problem.PhoneOrigin {
		t.Errorf("without an address: %q", kind)
	}
	if _, err := d.SetPhone("http://studio-pc"); kindOf(err) != problem.BadOrigin {
		t.Errorf("%v", err)
	}
	if _, err := d.PairDevice(remote.Phone); kindOf(err) != problem.PhoneAway {
		t.Errorf("%v", err)
	}
	if _, err := d.PairDevice(remote.Hook); beckon.Code(err) != "invalid" {
		t.Errorf("%v", err)
	}
	p, began := carry(t, d, "Pixel 9"), time.Now().UnixMilli()
	if s := stateOf(t, d, remote.Phone); s.Refused != 0 || s.RefusedAt != 0 {
		t.Errorf("before anything is refused: %+v", s)
	}
	moved, err := d.SetPhone("https://phone.test:8443")
	if err != nil || moved.Origin != "https://phone.test:8443" || moved.Addr != p.addr {
		t.Errorf("%+v, %v", moved, err)
	}
	if status, _ := p.ask(http.MethodGet, "/api/me", ""); status != http.StatusMisdirectedRequest {
		t.Errorf("by the address of before: %d", status)
	}
	if err := d.SwitchChannelsOff(); err != nil {
		t.Fatal(err)
	}
	if s := stateOf(t, d, remote.Phone); s.Refused != 1 || s.RefusedAt < began || s.RefusedAt > time.Now().UnixMilli() {
		t.Errorf("what was refused is shown as %+v", s)
	}
	if setup, err := d.Phone(); err != nil || setup.Addr != "" || setup.Port != moved.Port {
		t.Errorf("switched off: %+v, %v", setup, err)
	}
	if err := d.SwitchChannel(remote.Phone, true); err != nil {
		t.Fatal(err)
	}
	if setup, err := d.SetPhone(""); err != nil || setup.Addr != "" || setup.Origin != "" {
		t.Errorf("forgotten: %+v, %v", setup, err)
	}
	all, err := d.Channels()
	for _, c := range all.All {
		if text, _ := json.Marshal(c); c.Channel == remote.Phone && (c.On || c.To != "" || len(c.Always) == 0 || len(c.ByRight) == 0) {
			t.Errorf("%s, %v", text, err)
		}
	}
}
