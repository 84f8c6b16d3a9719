package real

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// phoneOrigin is where a tunnel of the user's would have it.
const phoneOrigin = "https://studio-pc.tail1234.ts.net"

// phone is one that is paired, as its browser asks through the tunnel.
type phone struct {
	t                 *testing.T
	addr, cookie, key string
}

func (p *phone) ask(method, path string, body, reply any) (status int) {
	p.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		p.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, "http://"+p.addr+path, bytes.NewReader(text))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Host = strings.TrimPrefix(phoneOrigin, "https://")
	r.Header.Set("Origin", phoneOrigin)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Cookie", "__Host-beckon="+p.cookie)
	r.Header.Set("Beckon-Key", p.key)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	for _, c := range res.Cookies() {
		p.cookie = c.Value
	}
	if text, err = io.ReadAll(res.Body); err == nil && reply != nil {
		err = json.Unmarshal(text, reply)
	}
	if err != nil {
		p.t.Fatalf("%s %s: %d %s: %v", method, path, res.StatusCode, text, err)
	}
	return res.StatusCode
}

// pairedPhone switches phones on, and pairs one that may do all.
func pairedPhone(t *testing.T, s *fixture.Fixture, name string) *phone {
	t.Helper()
	client.Must[remote.PhoneSetup](s.Program, "SetPhone", phoneOrigin)
	client.Must[any](s.Program, "SwitchChannel", remote.Phone, true)
	p := &phone{t: t, addr: client.Must[remote.PhoneSetup](s.Program, "Phone").Addr}
	pairing := client.Must[remote.Pairing](s.Program, "PairDevice", remote.Phone)
	var me struct{ Key string }
	if status := p.ask(http.MethodPost, "/api/pair", map[string]string{"code": pairing.Code, "name": name, "language": "en"}, &me); status != http.StatusOK {
		t.Fatalf("pairing: %d", status)
	}
	p.key = me.Key
	asking := client.Must[remote.Channels](s.Program, "Channels").Asking
	if len(asking) != 1 {
		t.Fatalf("%+v asks to be let in", asking)
	}
	client.Must[any](s.Program, "ConfirmDevice", asking[0].ID)
	client.Must[any](s.Program, "EditDevice", asking[0].ID, remote.Rights{Questions: true, Commands: true, Steer: true})
	return p
}

// pace is how often the inbox is read while a question is waited for: a phone may ask so
// often for ever (20 requests a second), and has all it may ask at once left for the answer.
const pace = 100 * time.Millisecond

// waits waits until the phone's inbox holds words, and returns the question's id.
func (p *phone) waits(s *fixture.Fixture, words string) (id string) {
	p.t.Helper()
	s.Until("the phone shows "+words, patience, func() bool {
		var inbox struct {
			Waiting []struct{ Question json.RawMessage }
		}
		time.Sleep(pace)
		if status := p.ask(http.MethodGet, "/api/inbox", nil, &inbox); status != http.StatusOK {
			p.t.Fatalf("the inbox: %d", status)
		}
		for _, w := range inbox.Waiting {
			if strings.Contains(string(w.Question), words) {
				var q struct{ ID string }
				_ = json.Unmarshal(w.Question, &q) // it was JSON a line ago
				id = q.ID
				return true
			}
		}
		return false
	})
	return id
}

func (p *phone) answer(id string, a beckon.Answer) (status int) {
	p.t.Helper()
	return p.ask(http.MethodPost, "/api/question/"+id+"/answer", map[string]any{"answer": a}, nil)
}

// TestAPhoneAnswersTheRunningTurn: a question, then a command; who answers twice hears
// how it was settled, and the model hears each answer once, in one turn.
func TestAPhoneAnswersTheRunningTurn(t *testing.T) {
	t.Parallel()
	s := fixture.New(
		t,
		fixture.Turn{"tool": "AskUserQuestion", "input": fixture.Questions(fixture.Question("Which database?", "Store", "SQLite", "Postgres"))},
		fixture.Turn{"tool": "Bash", "input": map[string]any{"command": "touch allowed.txt", "description": "Make a file"}},
		fixture.Turn{"text": "Done."},
	)
	p := pairedPhone(t, s, "Pixel 9")
	task := s.Create(beckon.NewTask{Title: "Choose", Mode: beckon.ModeDefault})
	postgres := beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Postgres"}}}}
	id := p.waits(s, "Which database?")
	if status := p.answer(id, postgres); status != http.StatusNoContent {
		t.Fatalf("the answer: %d", status)
	}
	if status := p.answer(id, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"SQLite"}}}}); status != http.StatusConflict {
		t.Errorf("a second answer: %d", status)
	}
	command := p.waits(s, "touch allowed.txt")
	if status := p.answer(command, beckon.Answer{Items: []beckon.ItemAnswer{}, Verdict: beckon.AllowOnce}); status != http.StatusNoContent {
		t.Fatalf("the command: %d", status)
	}
	s.InReview(task.ID)
	s.Heard(`"Which database?"="Postgres"`)
	for _, q := range client.Must[[]beckon.Question](s.Program, "Questions", task.ID) {
		if q.Answer == nil || q.Answer.By != beckon.ByPhone || q.Answer.ByName != "Pixel 9" || q.Delivered == 0 {
			t.Errorf("%+v: want the phone's answer, delivered", q)
		}
	}
	if runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID); len(runs) != 1 || runs[0].Turns != 1 {
		t.Errorf("%+v, want one run of one turn", runs)
	}
}

// TestAPhoneAnswersAfterBeckonWasKilled: the phone stays paired, and its answer resumes
// the session that asked.
func TestAPhoneAnswersAfterBeckonWasKilled(t *testing.T) {
	t.Parallel()
	s := fixture.New(
		t,
		fixture.Turn{"tool": "AskUserQuestion", "input": fixture.Questions(fixture.Question("Which database?", "Store", "SQLite", "Postgres"))},
		fixture.Turn{"text": "Done."},
	)
	p := pairedPhone(t, s, "Pixel 9")
	task := s.Create(beckon.NewTask{Title: "Choose", Policy: beckon.Wait})
	id := p.waits(s, "Which database?")
	s.WrittenDown("Which database?")
	s.Slay()
	p.addr = client.Must[remote.PhoneSetup](s.Program, "Phone").Addr
	if again := p.waits(s, "Which database?"); again != id {
		t.Errorf("it is another question: %s, %s", id, again)
	}
	if status := p.answer(id, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Postgres"}}}}); status != http.StatusNoContent {
		t.Fatalf("the answer: %d", status)
	}
	s.Until("a run goes on with the answer", patience, func() bool {
		runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)
		return len(runs) == 2 && runs[1].Outcome == beckon.Succeeded
	})
	s.Heard(`"Which database?" → "Postgres"`)
	if n := strings.Count(s.Told(), `Which database?\" → \"Postgres`); n != 1 {
		t.Errorf("the model read the answer %d times", n)
	}
}
