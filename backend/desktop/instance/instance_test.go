package instance

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/tests/timeout"
)

const question = "abcdefghijklmnopqrstuvwxyz"

func TestALinkShowsAPageAndNothingElse(t *testing.T) {
	for link, route := range map[string]string{
		"beckon://task/KES-47":           "#/task/KES-47",
		"BECKON://task/KES-47":           "#/task/KES-47",
		"beckon:task/KES-47":             "#/task/KES-47",
		"beckon://inbox":                 "#/inbox",
		"beckon://inbox/":                "#/inbox",
		"beckon://question/" + question:  "#/inbox/" + question,
		"beckon://task/A1B2C-123456789/": "#/task/A1B2C-123456789",
	} {
		if got, err := ParseTarget(link, "/"); err != nil || got != (Target{Route: route}) {
			t.Errorf("%s is %+v, %v; want %s", link, got, err, route)
		}
	}
}

func TestHostileLinksAreRefused(t *testing.T) {
	for _, link := range []string{
		"beckon:", "beckon://", "beckon:///", "beckon://task", "beckon://task/", "beckon://task/kes-47",
		"beckon://task/KES-0", "beckon://task/KES-47/brief", "beckon://task/../../etc/passwd",
		"beckon://task/KES-47?run=1", "beckon://task/KES-47#/settings", "beckon://task/KES-47%20-claude",
		"beckon://task/KES-47 -claude /tmp/evil", "beckon://task/KES-47\n", "beckon://task/KES-47\x00",
		"beckon://task/--data", "beckon://task/-1", "beckon://task/" + strings.Repeat("A", 5000),
		"beckon://user@task/KES-47", "beckon://task:80/KES-47", "beckon://settings", "beckon://run/KES-47",
		"beckon://quit", "beckon://question/", "beckon://question/" + question + "x", "beckon://question/../inbox",
		"beckon://inbox/x", "beckon://javascript:alert(1)", "beckon://task/KES-47\"--claude=/tmp/evil",
		"beckon://task/\u202eKES-47", "beckon://таsk/KES-47",
	} {
		if got, err := ParseTarget(link, "/"); err == nil {
			t.Errorf("%q is %+v", link, got)
		}
	}
}

func TestAFolderIsTakenFromWhereTheSecondStartStands(t *testing.T) {
	dir := t.TempDir()
	child := filepath.Join(dir, "a b%20c")
	if err := os.Mkdir(child, 0o700); err != nil {
		t.Fatal(err)
	}
	for arg, want := range map[string]string{
		".": dir, "./a b%20c": child, child: child, "file://" + filepath.Join(dir, "a%20b%2520c"): child,
	} {
		if got, err := ParseTarget(arg, dir); err != nil || got.Folder != want {
			t.Errorf("%s is %+v, %v; want %s", arg, got, err, want)
		}
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, arg := range []string{file, "./none", "file://host/share", "file:///%zz", "https://example.org/"} {
		if got, err := ParseTarget(arg, dir); err == nil {
			t.Errorf("%q is %+v", arg, got)
		}
	}
}

func TestASecondStartHandsOverAndIsTold(t *testing.T) {
	for name, dir := range map[string]string{
		"short": t.TempDir(),
		// Longer than any system allows a socket's name to be.
		"long": filepath.Join(t.TempDir(), strings.Repeat("x", 120)),
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			got := make(chan Target, 1)
			if HandOver(t.Context(), dir, Target{}) {
				t.Fatal("somebody answers before anybody listens")
			}
			l := listen(t, dir, func(x Target) { got <- x })
			want := Target{Route: "#/task/KES-47"}
			if !HandOver(t.Context(), dir, want) {
				t.Fatal("nobody takes it")
			}
			if x := <-got; x != want {
				t.Errorf("it took %+v", x)
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
			if HandOver(t.Context(), dir, want) {
				t.Error("somebody answers who is gone")
			}
		})
	}
}

func TestOneThatDiedIsNoFirst(t *testing.T) {
	dir := t.TempDir()
	dead := filepath.Join(dir, socketName)
	for name, text := range map[string]string{addressName: `{"socket":"` + dead + `","secret":"s"}`, socketName: ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if HandOver(t.Context(), dir, Target{}) {
		t.Error("the dead one answers")
	}
	listen(t, dir, func(Target) {})
	if !HandOver(t.Context(), dir, Target{}) {
		t.Error("its socket keeps the next one from listening")
	}
	for _, name := range []string{addressName, socketName} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s is for others too: %v, %v", name, info.Mode(), err)
		}
	}
}

// TestWhatComesInIsChecked: any program of the user's can write to the socket.
func TestWhatComesInIsChecked(t *testing.T) {
	dir := t.TempDir()
	listen(t, dir, func(x Target) { t.Errorf("it took %+v", x) })
	hostile := []string{
		"", "\n", "nul\x00", `{"route":"#/settings"}`, `{"route":"javascript:1"}`, `{"folder":"relative"}`,
		`{"folder":"/none/such"}`, `{"route":"#/inbox","folder":"/"}`, `[]`, strings.Repeat("[", 1000),
		`{"route":"` + strings.Repeat("a", 2*mostBytes) + `"}`,
	}
	for _, text := range hostile {
		ctx, cancel := context.WithTimeout(t.Context(), timeout.For(5*time.Second))
		conn, err := new(net.Dialer).DialContext(ctx, "unix", filepath.Join(dir, socketName))
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if at, err := readAddress(dir); err != nil || !proved(conn, at.Secret) {
			t.Fatal("it does not prove who it is", err)
		}
		_, _ = io.WriteString(conn, text) // it may hang up before all is written
		_ = conn.(*net.UnixConn).CloseWrite()
		if reply, _ := io.ReadAll(conn); len(reply) > 0 {
			t.Errorf("%.40q is answered by %q", text, reply)
		}
		conn.Close()
	}
}

// TestAnImpostorAtTheSocketLearnsNothing: where the data folder's name is too long
// for a socket, that is in a folder of its own, which anybody may make again
// once the first Beckon was killed.
func TestAnImpostorAtTheSocketLearnsNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("x", 120))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	listen(t, dir, func(Target) {})
	at, err := readAddress(dir)
	if err != nil || strings.HasPrefix(at.Socket, dir) {
		t.Fatalf("the socket is at %q, %v", at.Socket, err)
	}
	if err := os.Remove(at.Socket); err != nil {
		t.Fatal(err)
	}
	impostor, err := net.Listen("unix", at.Socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { impostor.Close() })
	heard := make(chan string, 3)
	go func() {
		for _, proof := range []string{strings.Repeat("A", 43), "", welcome} {
			conn, err := impostor.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(conn, proof)
			if proof != strings.Repeat("A", 43) {
				_ = conn.(*net.UnixConn).CloseWrite()
			}
			text, _ := io.ReadAll(conn)
			heard <- string(text)
			conn.Close()
		}
	}()
	for range 3 {
		if HandOver(t.Context(), dir, Target{Folder: dir}) {
			t.Error("something was handed over to an impostor")
		}
		if text := <-heard; len(text) != nonceSize {
			t.Errorf("an impostor learnt %q", text)
		}
	}
}

func listen(t *testing.T, dir string, take func(Target)) io.Closer {
	t.Helper()
	l, err := Listen(dir, take)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() }) // some tests closed it
	return l
}
