package program

import (
	"errors"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/tests/telegramtest"
	"beckon/tests/timeout"
)

func TestABotIsSetUpPairedAndForgottenFromSettings(t *testing.T) {
	s := telegramtest.New(t)
	t.Setenv("BECKON_TELEGRAM_SERVER", s.URL)
	t.Setenv("BECKON_TELEGRAM_TOKEN", "")
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none")) // no key ring
	d := start(t, asking)
	if err := d.SwitchChannel(remote.Telegram, true); err == nil {
		t.Error("a bot without a token is switched on")
	}
	if _, err := d.SetTelegram("7:" + strings.Repeat("x", 30)); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a token that nobody knows: %v", err)
	}
	if name, err := d.SetTelegram(telegramtest.Token); err != nil || name != telegramtest.BotName {
		t.Fatalf("%q, %v", name, err)
	}
	if calls := s.Calls("getUpdates"); len(calls) != 0 {
		t.Error("a bot that is off polls")
	}
	if err := d.SwitchChannel(remote.Telegram, true); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(timeout.For(30 * time.Second)); d.p.devices.Bot.State().Name == "" && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	pairing, err := d.PairDevice(remote.Telegram)
	if err != nil || pairing.Link != "https://t.me/"+telegramtest.BotName+"?start="+pairing.Code || pairing.Size < 21 || !strings.HasPrefix(pairing.QR, "M0 0h7v1h-7z") {
		t.Fatalf("%+v, %v", pairing, err)
	}
	s.Person(mira, "Mira").Type(mira, "/start "+pairing.Code)
	s.WaitMessage(mira, "Paired.")
	all, err := d.Devices()
	if err != nil || len(all) != 1 || all[0].Name != "@mira" || all[0].Rights != (remote.Rights{Questions: true}) {
		t.Fatalf("%+v, %v", all, err)
	}
	if err := d.EditDevice(all[0].ID, remote.Rights{Plans: true}); err != nil {
		t.Error(err)
	}
	if all, err := d.Devices(); err != nil || all[0].Rights != (remote.Rights{Plans: true}) {
		t.Errorf("%+v, %v", all, err)
	}
	for name, show := range map[string]error{
		"a kind that there is not": d.ShowDevice(all[0].ID, nil, []beckon.QuestionKind{"rumour"}),
		"no such project":          d.ShowDevice(all[0].ID, []string{"nobody"}, nil),
		"no such chat":             d.ShowDevice("7", nil, nil),
	} {
		if show == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if err := d.ShowDevice(all[0].ID, []string{d.project.ID}, []beckon.QuestionKind{beckon.Ask}); err != nil {
		t.Error(err)
	}
	if all, err := d.Devices(); err != nil || !slices.Equal(all[0].Projects, []string{d.project.ID}) || !slices.Equal(all[0].Kinds, []string{"ask"}) {
		t.Errorf("%+v, %v", all, err)
	}
	if err := d.RemoveDevice(all[0].ID); err != nil {
		t.Error(err)
	}
	if all, err := d.Devices(); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := d.SetTelegram(""); err != nil || d.p.devices.Bot.State().On {
		t.Errorf("a bot without a token is on: %v", err)
	}
}

// TestSettingsSaysThatAnotherBeckonUsesTheBot, until one of them is switched off.
func TestSettingsSaysThatAnotherBeckonUsesTheBot(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	d := start(t, asking)
	d.p.devices.Bot.Server, d.p.devices.Bot.Token = s.URL, func() (string, error) { return telegramtest.Token, nil }
	trouble := func() remote.Trouble { return stateOf(t, d, remote.Telegram).Trouble }
	s.Fail(telegramtest.Fault{Method: "getUpdates", Status: http.StatusConflict})
	if err := d.SwitchChannel(remote.Telegram, true); err != nil {
		t.Fatal(err)
	}
	d.Until("it is said", func() bool { return trouble() == remote.Taken })
	if err := d.SwitchChannel(remote.Telegram, false); err != nil || trouble() != "" {
		t.Errorf("switched off: %q, %v", trouble(), err)
	}
	if err := d.SwitchChannel(remote.Telegram, true); err != nil {
		t.Fatal(err)
	}
	s.Person(mira, "Mira").Type(mira, "/help")
	s.WaitMessage(mira, "private Beckon")
	if s := stateOf(t, d, remote.Telegram); s.Trouble != "" || s.Refused != 1 {
		t.Errorf("it goes, and says %+v", s)
	}
}
