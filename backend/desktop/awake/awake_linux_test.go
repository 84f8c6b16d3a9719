package awake

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/tests/privatebus"
	"beckon/tests/timeout"

	"github.com/godbus/dbus/v5"
	"golang.org/x/sys/unix"
)

// busOf starts a bus of its own and returns a connection to it, which env leads to.
func busOf(t *testing.T, env string) *dbus.Conn {
	t.Helper()
	conn, err := dbus.Connect(privatebus.Start(t, env))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// logind hands over a pipe, as the real one does: who holds its end inhibits.
type logind struct {
	asked chan [4]string
	pipes chan [2]*os.File
}

func (l logind) Inhibit(what, who, why, mode string) (dbus.UnixFD, *dbus.Error) {
	read, write, err := os.Pipe()
	if err != nil {
		return 0, dbus.MakeFailedError(err)
	}
	end := dbus.UnixFD(write.Fd())
	l.asked <- [4]string{what, who, why, mode}
	l.pipes <- [2]*os.File{read, write}
	return end, nil
}

// isHeld reports whether the other end of a pipe is open, and stays so for a while.
func isHeld(t *testing.T, read *os.File, while time.Duration) bool {
	t.Helper()
	polled := []unix.PollFd{{Fd: int32(read.Fd()), Events: unix.POLLIN}}
	if _, err := unix.Poll(polled, int(while.Milliseconds())); err != nil {
		t.Fatal(err)
	}
	return polled[0].Revents&unix.POLLHUP == 0
}

// desktop is the portal.
type desktop struct{ asked chan uint32 }

func (d desktop) Inhibit(sender dbus.Sender, _ string, flags uint32, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	if why, _ := options["reason"].Value().(string); why == "" {
		return "", dbus.MakeFailedError(os.ErrInvalid)
	}
	d.asked <- flags
	return dbus.ObjectPath("/request/" + strings.NewReplacer(":", "", ".", "_").Replace(string(sender))), nil
}

func export(t *testing.T, conn *dbus.Conn, v any, path dbus.ObjectPath, face, name string) {
	t.Helper()
	if err := conn.Export(v, path, face); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.RequestName(name, 0); err != nil {
		t.Fatal(err)
	}
}

// TestIdleSleepIsInhibitedUntilItIsReleased speaks to a logind and a portal of its own. Nothing
// but sleep for want of use is inhibited.
func TestIdleSleepIsInhibitedUntilItIsReleased(t *testing.T) {
	machine, session := busOf(t, "DBUS_SYSTEM_BUS_ADDRESS"), busOf(t, "DBUS_SESSION_BUS_ADDRESS")
	if available() {
		t.Error("it is said to be available where nobody offers it")
	}
	if _, err := inhibit("why"); err == nil {
		t.Error("nobody is there, and it is said to be inhibited")
	}
	l := logind{make(chan [4]string, 1), make(chan [2]*os.File, 1)}
	export(t, machine, l, loginPath, login+".Manager", login)
	d := desktop{make(chan uint32, 1)}
	export(t, session, d, portalPath, "org.freedesktop.portal.Inhibit", portal)
	if !available() {
		t.Error("it is not available")
	}
	release, err := inhibit("Agents are working")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := <-l.asked, [4]string{"idle", "Beckon", "Agents are working", "block"}; got != want {
		t.Errorf("logind is asked %q, want %q", got, want)
	}
	if got := <-d.asked; got != suspendFlag {
		t.Errorf("the portal is asked for %d", got)
	}
	pipe := <-l.pipes
	defer pipe[0].Close()
	if err := pipe[1].Close(); err != nil || !isHeld(t, pipe[0], 0) {
		t.Errorf("it does not hold what logind handed over, %v", err)
	}
	signals := make(chan *dbus.Signal, 64)
	session.Signal(signals)
	if err := session.AddMatchSignal(dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(2, "")); err != nil {
		t.Fatal(err)
	}
	release()
	if isHeld(t, pipe[0], timeout.For(10*time.Second)) { // the bus may have a copy for a moment
		t.Error("logind is not let go")
	}
	select {
	case <-signals: // the connection by which the portal was asked is gone
	case <-time.After(timeout.For(10 * time.Second)):
		t.Error("the portal is not let go")
	}
}

// TestTheEndOfASleepIsHeardFromLogind and from nobody else; how long it was, the clocks say.
func TestTheEndOfASleepIsHeardFromLogind(t *testing.T) {
	machine := busOf(t, "DBUS_SYSTEM_BUS_ADDRESS")
	export(t, machine, logind{}, loginPath, login+".Manager", login)
	passed := make(chan time.Duration, 8)
	clock := []time.Duration{time.Hour, 3 * time.Hour, 4 * time.Hour}
	next := func() time.Duration {
		now := clock[0]
		clock = clock[1:]
		return now
	}
	end, err := followSleepBy(next, func(slept time.Duration) { passed <- slept })
	if err != nil {
		t.Fatal(err)
	}
	other, err := dbus.Connect(os.Getenv("DBUS_SYSTEM_BUS_ADDRESS"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for _, signal := range []struct {
		by   *dbus.Conn
		body []any
	}{
		{other, []any{false}},
		{machine, []any{true}},
		{machine, []any{"no bool"}},
		{machine, nil},
		{machine, []any{false}},
		{machine, []any{true}},
		{machine, []any{false}},
	} {
		if err := signal.by.Emit(loginPath, login+".Manager."+sleeps, signal.body...); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []time.Duration{2 * time.Hour, time.Hour} {
		select {
		case got := <-passed:
			if got != want {
				t.Errorf("it slept for %s, want %s", got, want)
			}
		case <-time.After(timeout.For(10 * time.Second)):
			t.Fatal("the end of a sleep is not heard")
		}
	}
	end()
	if len(passed) > 0 {
		t.Errorf("%s more are heard", <-passed)
	}
}

// TestTheBatteryIsTheComputersOwn: that of a mouse says nothing.
func TestTheBatteryIsTheComputersOwn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		supplies map[string]string
		want     power
	}{
		"none":  {nil, power{}},
		"mains": {map[string]string{"AC": "type=Mains online=1", "BAT0": "type=Battery capacity=80 status=Charging"}, power{false, 80}},
		"battery": {map[string]string{
			"AC": "type=Mains online=0", "BAT0": "type=Battery capacity=20 status=Discharging", "BAT1": "type=Battery capacity=40 status=Unknown",
		}, power{true, 30}},
		"mouse": {map[string]string{"hid": "type=Battery scope=Device capacity=5 status=Discharging"}, power{}},
	} {
		dir := t.TempDir()
		for supply, values := range c.supplies {
			if err := os.Mkdir(filepath.Join(dir, supply), 0o700); err != nil {
				t.Fatal(err)
			}
			for _, value := range strings.Fields(values) {
				key, is, _ := strings.Cut(value, "=")
				if err := os.WriteFile(filepath.Join(dir, supply, key), []byte(is+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := powerIn(dir); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
