package program

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/remote"
	"beckon/tests/pushtest"
)

// TestAPhoneIsNotifiedAndAnswers: from the switch in Settings to the running turn, and
// the notification goes when it is answered.
func TestAPhoneIsNotifiedAndAnswers(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none")) // no key ring
	d := start(t, asking)
	service := pushtest.New(t)
	d.p.pushes.Sender.Client = service.Client()
	if kind, _ := problem.From(d.SwitchChannel(remote.Push, true)); kind != problem.PhoneAway {
		t.Errorf("without the page for phones: %q", kind)
	}
	p := carry(t, d, "Pixel 9")
	if err := d.ConfirmDevice(p.device().ID); err != nil {
		t.Fatal(err)
	}
	if status, text := p.ask(http.MethodGet, "/api/push", ""); status != http.StatusNotFound {
		t.Errorf("while it is off: %d %s", status, text)
	}
	if status, _ := p.ask(http.MethodPost, "/api/push", string(service.Phone("").Subscription())); status != http.StatusNotFound || p.device().Push {
		t.Errorf("subscribed while it is off: %d", status)
	}
	if err := d.SwitchChannel(remote.Push, true); err != nil {
		t.Fatal(err)
	}
	browser := p.subscribe(service)
	task := d.run(beckon.NewTask{Title: "Paint", Brief: "In a colour."})
	m := browser.Wait()
	if q := d.Question("Which colour?"); m.ID != q.ID || m.Key != task.Key || m.Title != task.Key+" asks" || m.Text != "" || m.Close {
		t.Errorf("notified of %+v", m)
	}
	if status, text := p.ask(http.MethodPost, "/api/question/"+m.ID+"/answer", `{"answer":{"items":[{"labels":["Blue"]}]}}`); status != http.StatusNoContent {
		t.Fatalf("%d %s", status, text)
	}
	d.Ended(task.ID)
	if over := browser.Wait(); !over.Close || over.ID != m.ID || over.Topic != m.Topic {
		t.Errorf("once it is answered: %+v", over)
	}
	if status, _ := p.ask(http.MethodDelete, "/api/push", ""); status != http.StatusNoContent || p.device().Push {
		t.Errorf("unsubscribed: %d, %+v", status, p.device())
	}
	d.run(beckon.NewTask{Title: "Paint", Brief: "Once more."})
	d.Question("Which colour?")
	if err := d.RemoveDevice(p.device().ID); err != nil {
		t.Fatal(err)
	}
	browser.Idle()
}

// subscribe has the phone's browser subscribe, as its page does.
func (p *pocket) subscribe(service *pushtest.Server) *pushtest.Phone {
	p.T.Helper()
	status, text := p.ask(http.MethodGet, "/api/push", "")
	var is struct {
		Key string
		On  bool
	}
	if err := json.Unmarshal([]byte(text), &is); err != nil || status != http.StatusOK || is.On {
		p.T.Fatalf("%d %s, %v", status, text, err)
	}
	browser := service.Phone(is.Key)
	bad := strings.Replace(string(browser.Subscription()), "https:", "http:", 1)
	if status, _ := p.ask(http.MethodPost, "/api/push", bad); status != http.StatusBadRequest {
		p.T.Errorf("an address without TLS: %d", status)
	}
	if status, text := p.ask(http.MethodPost, "/api/push", string(browser.Subscription())); status != http.StatusNoContent || !p.device().Push {
		p.T.Fatalf("%d %s", status, text)
	}
	return browser
}
