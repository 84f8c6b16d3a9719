//go:build linux || darwin

package ssh

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"beckon/backend/agent/process"
	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/executor/askpass"
	"beckon/backend/executor/worker"
	"beckon/tests/timeout"
)

// TestMain has this program ask for ssh where ssh starts it.
func TestMain(m *testing.M) {
	if socket := os.Getenv(askpass.Var); socket != "" {
		os.Exit(askpass.Main(socket, os.Args[1:], os.Stdout))
	}
	os.Exit(m.Run())
}

// master is an ssh that asks for a passphrase and then has a connection, for which it
// makes the file that stands for it.
const master = `#!/bin/sh
for arg; do case $arg in ControlPath=*) socket=${arg#ControlPath=} ;; BatchMode=*) echo "$arg" >&2; exit 1 ;; esac; done
echo started >>"$SAID"
"$SSH_ASKPASS" "Enter passphrase for key '/k': " >>"$SAID" && : >"$socket" && exec sleep 600
echo Permission denied >&2
exit 255
`

var patience = timeout.For(20 * time.Second)

// asking is a host whose ssh asks, and the file with what that hears.
func asking(t *testing.T) (h *Host, asked <-chan struct{}, said string) {
	dir := t.TempDir()
	said = filepath.Join(dir, "said")
	if err := process.WriteProgram(filepath.Join(dir, "ssh"), master); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("SAID", said)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	changes := make(chan struct{}, 8)
	h = New(Config{Name: "farm", Askpass: self, Asked: func() { changes <- struct{}{} }})
	t.Cleanup(h.Close)
	return h, changes, said
}

// shown waits until something is asked.
func shown(t *testing.T, h *Host, asked <-chan struct{}) executing.Ask {
	t.Helper()
	select {
	case <-asked:
	case <-time.After(patience):
		t.Fatal("nothing is asked")
	}
	return *h.Ask()
}

// ended waits until it is known what became of Reach.
func ended(t *testing.T, reached <-chan error) error {
	t.Helper()
	select {
	case err := <-reached:
		return err
	case <-time.After(patience):
		t.Fatal("nothing came of the answer")
		return nil
	}
}

func TestNoClockRunsWhileTheUserIsAsked(t *testing.T) {
	h, asked, said := asking(t)
	h.patience = 3 * time.Second
	reached := make(chan error, 1)
	go func() { reached <- h.Reach(t.Context()) }()
	ask := shown(t, h, asked)
	select {
	case err := <-reached:
		t.Fatalf("it gave up while the user thinks: %v", err)
	case <-time.After(h.patience + time.Second): // the user's time, which does not count
	}
	if _, err := h.Dial(t.Context()); err == nil || !strings.Contains(err.Error(), "in the Inbox") {
		t.Errorf("who cannot wait for the user hears %v", err)
	}
	if err := h.Answer(ask.ID, executing.Reply{Yes: true, Text: "secret"}); err != nil {
		t.Fatal(err)
	}
	if err := ended(t, reached); err != nil {
		t.Errorf("after the answer: %v", err)
	}
	if text, err := os.ReadFile(said); err != nil || string(text) != "started\nsecret\n" {
		t.Errorf("ssh heard %q, %v", text, err)
	}
}

func TestARefusalIsFinalUntilItIsReleased(t *testing.T) {
	h, asked, _ := asking(t)
	for range 2 {
		reached := make(chan error, 1)
		go func() { reached <- h.Reach(t.Context()) }()
		ask := shown(t, h, asked)
		if err := h.Answer(ask.ID, executing.Reply{}); err != nil {
			t.Fatal(err)
		}
		<-asked // which Answer called before it returned
		if err := ended(t, reached); err == nil || !strings.Contains(err.Error(), "You said no") {
			t.Errorf("it ends with %v", err)
		}
		go func() { reached <- h.Reach(t.Context()) }()
		if err := ended(t, reached); err == nil || !h.Held() || h.Ask() != nil {
			t.Errorf("it was tried again: %v", err)
		}
		h.Release()
	}
}

// TestOnlyReachWaitsForRoomThatTheUserMakes: where the connection is full another is made,
// for which ssh asks again.
func TestOnlyReachWaitsForRoomThatTheUserMakes(t *testing.T) {
	h, asked, _ := asking(t)
	reached := make(chan error, 1)
	reach := func() executing.Ask {
		go func() { reached <- h.Reach(t.Context()) }()
		return shown(t, h, asked)
	}
	answer := func(ask executing.Ask) {
		if err := h.Answer(ask.ID, executing.Reply{Yes: true, Text: "secret"}); err != nil {
			t.Fatal(err)
		}
		<-asked // which Answer called before it returned
		if err := ended(t, reached); err != nil {
			t.Fatal(err)
		}
	}
	answer(reach())
	for range sessionsMost {
		if _, err := h.Command(t.Context(), "true"); err != nil {
			t.Fatal(err)
		}
	}
	ask := reach()
	if _, err := h.Command(t.Context(), "true"); !errors.Is(err, worker.ErrAsks) || !errors.Is(err, beckon.ErrUnavailable) {
		t.Errorf("while it is asked a link fails with %v", err)
	}
	select {
	case err := <-reached:
		t.Errorf("Reach did not wait for the answer: %v", err)
	default:
	}
	answer(ask)
	if _, err := h.Command(t.Context(), "true"); err != nil {
		t.Errorf("once it is answered there is no link: %v", err)
	}
}

// TestProcessesShareConnectionsAsManyAsFit: an sshd lets ten on one, and who comes after
// them would have to ask the user without being able to.
func TestProcessesShareConnectionsAsManyAsFit(t *testing.T) {
	h, asked, said := asking(t)
	go func() {
		for range asked { // until the test ends
			if ask := h.Ask(); ask != nil {
				_ = h.Answer(ask.ID, executing.Reply{Yes: true, Text: "secret"}) // it may be answered already
			}
		}
	}()
	one := func() *exec.Cmd {
		t.Helper()
		for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
			cmd, err := h.Command(t.Context(), "true")
			if err == nil {
				return cmd
			}
			if !strings.Contains(err.Error(), "in the Inbox") || time.Now().After(deadline) {
				t.Fatal(err)
			}
		}
	}
	by := map[string][]*exec.Cmd{}
	take := func() {
		cmd := one()
		at := slices.IndexFunc(cmd.Args, func(arg string) bool { return strings.HasPrefix(arg, "ControlPath=") })
		by[cmd.Args[at]] = append(by[cmd.Args[at]], cmd)
	}
	for range 2*sessionsMost + 1 {
		take()
	}
	var freed string
	for socket, cmds := range by {
		if len(cmds) == sessionsMost {
			freed = socket
			h.Over(cmds[0])
			break
		}
	}
	for range sessionsMost {
		take()
	}
	if text, err := os.ReadFile(said); err != nil || strings.Count(string(text), "started") != 3 {
		t.Errorf("ssh heard %q, %v", text, err)
	}
	if len(by) != 3 || len(by[freed]) != sessionsMost+1 {
		t.Errorf("%d processes went over the connection of which one had ended; there are %d", len(by[freed]), len(by))
	}
}
