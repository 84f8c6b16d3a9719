//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/secrets"
	"beckon/backend/store"
	phones "beckon/backend/store/away"
	"beckon/tests/client"
	"beckon/tests/missing"
	"beckon/tests/timeout"
)

// programs are netjail and Beckon, as they were built for the tests.
var programs string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "beckon-netjail-")
	if err != nil {
		panic(err)
	}
	programs = dir
	for _, pkg := range []string{"beckon", "beckon/tests/netjail"} {
		build := exec.Command("go", "build", "-ldflags", "-w -X main.repository=someone/beckon", "-o", filepath.Join(dir, filepath.Base(pkg)), pkg)
		build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath -buildvcs=false") // as it ships: it is compiled already
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build %s: %v\n%s", pkg, err, out)
			os.Exit(1)
		}
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// Where the channels of the tests lead to. Nobody ever answers there.
const (
	hookHost = "hook.beckon.example"
	pushHost = "push.beckon.example"
	token    = "123456:ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghi"
)

// TestOnlyTheHostsOfTheChannelsThatAreOnAreTried: everything is set up, a question
// waits, and nothing but what is on tries to leave.
func TestOnlyTheHostsOfTheChannelsThatAreOnAreTried(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none")) // no key ring
	if out, err := exec.Command(filepath.Join(programs, "netjail"), "true").CombinedOutput(); err != nil || bytes.Contains(out, []byte("LOUDLY")) {
		missing.Test(t, fmt.Sprintf("this machine gives no network namespace: %v\n%s", err, out))
	}
	for _, c := range []struct {
		name    string
		on      []remote.Channel
		updates bool
		want    []string
	}{
		{"all is off", nil, false, nil},
		{"new versions", nil, true, []string{"the name api.github.com"}},
		{"the page for phones", []remote.Channel{remote.Phone}, false, nil},
		{"the hook", []remote.Channel{remote.Hook}, false, []string{"the name " + hookHost}},
		{"Telegram", []remote.Channel{remote.Telegram}, false, []string{"the name api.telegram.org"}},
		{"notifications", []remote.Channel{remote.Phone, remote.Push}, false, []string{"the name " + pushHost}},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := client.NewHome(t, filepath.Join(programs, "beckon"), "")
			setUp(t, home.Data(), c.on, c.updates)
			if tried := jailed(t, home, len(c.want)); !slices.Equal(tried, c.want) {
				t.Errorf("tried %q, want %q", tried, c.want)
			}
		})
	}
}

// jailed runs Beckon until it started, and something tried to leave as often as is
// expected; it returns all that did.
func jailed(t *testing.T, home *client.Home, expected int) (tried []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout.For(time.Minute))
	defer cancel()
	args := append([]string{home.Bin, "serve", "-guest"}, home.Args()...)
	jail := exec.Command(filepath.Join(programs, "netjail"), args...)
	jail.Env = home.Env("BECKON_TELEGRAM_TOKEN=" + token)
	in, err := jail.StdinPipe()
	out, err2 := jail.StdoutPipe()
	said, err3 := jail.StderrPipe()
	if err := errors.Join(err, err2, err3, jail.Start()); err != nil {
		t.Fatal(err)
	}
	end := func() { in.Close() } // Beckon ends with its input
	defer context.AfterFunc(ctx, end)()
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.HasPrefix(line, `{"`) {
		t.Errorf("Beckon does not start: %q, %v", line, err)
		end()
	}
	if expected == 0 {
		end()
	}
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		attempt, is := strings.CutPrefix(lines.Text(), noticed+" ")
		if !is {
			t.Log(lines.Text())
			continue
		}
		if tried = append(tried, attempt); len(tried) == expected {
			end()
		}
	}
	if err := jail.Wait(); (err == nil) != (len(tried) == 0) {
		t.Errorf("%d attempts, and netjail says %v", len(tried), err)
	}
	slices.Sort(tried)
	return tried
}

// setUp makes a data folder with all channels set up, some of them on, and a question
// that waits.
func setUp(t *testing.T, dir string, on []remote.Channel, updates bool) {
	t.Helper()
	ctx := t.Context()
	s, err := store.Open(context.WithoutCancel(ctx), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	setups := map[remote.Channel]remote.Setup{
		remote.Hook: {To: hookHost, Shape: remote.JSON}, remote.Telegram: {To: "beckon_bot"}, remote.Phone: {To: "https://phone.beckon.example"}, remote.Push: {},
	}
	for _, channel := range on {
		setup := setups[channel]
		setup.On = true
		setups[channel] = setup
	}
	settings := beckon.DefaultSettings()
	settings.Updates = updates
	kept := secrets.New(dir)
	_, err = s.Devices.Add(ctx, phones.Device{ID: "pixel", Name: "Pixel 9", Secret: []byte("pixel"), Key: []byte("key")})
	err = errors.Join(
		err, s.Devices.Confirm(ctx, "pixel"), s.Devices.Subscribe(ctx, "pixel", subscription(t)), s.Settings.SaveChannels(ctx, setups), s.Settings.Save(ctx, settings),
		kept.Set("hook.url", "https://"+hookHost+"/topic"), kept.Set("hook.key", "key"),
	)
	p := beckon.Project{Key: "KES", Name: "Kestrel", Dir: t.TempDir(), Color: 1, Mode: beckon.ModeAuto, Policy: beckon.Wait}
	err = errors.Join(err, s.AddProject(ctx, &p))
	task := beckon.Task{ProjectID: p.ID, Title: "Parse", Status: beckon.Running}
	err = errors.Join(err, s.CreateTask(ctx, &task))
	run := beckon.Run{TaskID: task.ID, Kind: beckon.TaskRun}
	err = errors.Join(err, s.AddRun(ctx, &run), s.AddQuestion(ctx, beckon.Question{
		ID: beckon.NewID(), TaskID: task.ID, RunID: run.ID, Kind: beckon.Ask, Policy: beckon.Wait, Asked: beckon.Now(), Settlement: beckon.Open,
		Items: []beckon.QuestionItem{{Text: "Which?", Options: []beckon.Option{{Label: "A"}, {Label: "B"}}}},
	}))
	if err != nil {
		t.Fatal(err)
	}
}

// subscription is what a phone's browser says of where it is sent messages.
func subscription(t *testing.T) string {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"endpoint":"https://%s/x","keys":{"p256dh":%q,"auth":"AAAAAAAAAAAAAAAAAAAAAA"}}`,
		pushHost, base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()))
}
