package external

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"beckon/backend/agent/process"
	"beckon/backend/toolserver"
)

const hookInput = `{"session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}`

// hooked is a hook that runs.
type hooked struct {
	out  *os.File      // what it prints
	done chan struct{} // closed when it has ended
}

// hook starts a hook as a session does.
func hook(t *testing.T, dataDir, input string) *hooked {
	t.Helper()
	read, write, err := os.Pipe()
	must(t, err)
	t.Cleanup(func() { read.Close() })
	h := &hooked{read, make(chan struct{})}
	go func() {
		Hook(context.Background(), dataDir, strings.NewReader(input), write)
		write.Close()
		close(h.done)
	}()
	return h
}

// printed waits for the hook's end and returns what it printed.
func (h *hooked) printed(t *testing.T) string {
	t.Helper()
	next(t, h.done)
	text, err := io.ReadAll(h.out)
	must(t, err)
	return string(text)
}

// called is one that reached Beckon: who decides, and when its hook is gone.
type hookCall struct {
	toolserver.HookCall
	decide chan json.RawMessage
	gone   <-chan struct{}
}

func TestAHookPrintsWhatBeckonDecides(t *testing.T) {
	t.Setenv("TMUX", "/tmp/tmux-1/default,7,0")
	t.Setenv("TMUX_PANE", "%3")
	dir := t.TempDir()
	h := open(t, dir)
	hook := hook(t, dir, hookInput)
	call := next(t, h.hooks)
	if string(call.Input) != hookInput || call.Tmux != "/tmp/tmux-1/default,7,0" || call.Pane != "%3" {
		t.Errorf("Beckon reads %+v", call.HookCall)
	}
	if i := slices.Index(call.Pids, os.Getpid()); i != 0 || !slices.Contains(call.Pids, os.Getppid()) {
		t.Errorf("its processes are %v, want its own and its parent's", call.Pids)
	}
	call.decide <- json.RawMessage(`{"a":"<b>"}`)
	if out := hook.printed(t); !strings.Contains(out, `"a"`) || !json.Valid([]byte(out)) {
		t.Errorf("the session reads %q", out)
	}
}

// TestAHookIsWhoHoldsTheConnection (S-e): one that says it is another process is
// known as none.
func TestAHookIsWhoHoldsTheConnection(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system does not show whose a connection is")
	}
	dir := t.TempDir()
	h := open(t, dir)
	endpoint, err := find(dir)
	must(t, err)
	for _, pids := range [][]int{{os.Getppid()}, {1}, {-1}, {1 << 30}, nil} {
		ctx, leave := context.WithCancel(t.Context())
		m, err := meet(ctx, endpoint, endpoint.Hook, toolserver.HookCall{Pids: pids, Input: json.RawMessage(hookInput)})
		must(t, err)
		call := next(t, h.hooks)
		if call.Pids != nil {
			t.Errorf("one that claims %v is known as %v", pids, call.Pids)
		}
		leave()
		next(t, call.gone)
		m.body.Close()
	}
}

func TestAHookPrintsNothingWhereTheTerminalDecides(t *testing.T) {
	dir := t.TempDir()
	h := open(t, dir)
	hook := hook(t, dir, hookInput)
	next(t, h.hooks).decide <- nil
	if out := hook.printed(t); out != "" {
		t.Errorf("the session reads %q", out)
	}
}

func TestAHookOfASessionThatWasKilledLeaves(t *testing.T) {
	dir := t.TempDir()
	h := open(t, dir)
	hook := hook(t, dir, hookInput)
	call := next(t, h.hooks)
	must(t, hook.out.Close())
	next(t, hook.done)
	next(t, call.gone)
}

func TestTenHooksLeaveABeckonThatEnds(t *testing.T) {
	dir := t.TempDir()
	h := open(t, dir)
	var all []*hooked
	for range 10 {
		all = append(all, hook(t, dir, hookInput))
		next(t, h.hooks)
	}
	h.Server.Close(t.Context())
	for _, hook := range all {
		if out := hook.printed(t); out != "" {
			t.Errorf("the session reads %q", out)
		}
	}
}

// TestAHookWithoutABeckonCostsNothing, whatever is found in its place.
func TestAHookWithoutABeckonCostsNothing(t *testing.T) {
	dead := t.TempDir()
	h := open(t, dead)
	file, err := os.ReadFile(filepath.Join(dead, fileName))
	must(t, err)
	must(t, h.Server.Close(t.Context()))
	must(t, os.WriteFile(filepath.Join(dead, fileName), file, 0o600)) // as a Beckon that was killed leaves it

	broken := t.TempDir()
	must(t, os.WriteFile(filepath.Join(broken, fileName), []byte(`{"hook":`), 0o600))

	for name, dir := range map[string]string{"none": t.TempDir(), "dead": dead, "broken": broken, "an impostor": impostor(t)} {
		began := time.Now()
		if out := hook(t, dir, hookInput).printed(t); out != "" {
			t.Errorf("%s: the session reads %q", name, out)
		}
		if took := time.Since(began); took > patience/2 {
			t.Errorf("%s: it took %s", name, took)
		}
	}
}

// impostor is a data folder whose Beckon is dead, and whose port another program
// has, which says yes to everything.
func impostor(t *testing.T) (dir string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			body := `{"token":"hook","proof":"trust me"}` + "\n" + `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}` + "\n"
			fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
			conn.Close()
		}
	}()
	dir = t.TempDir()
	text := fmt.Sprintf(`{"hook":"http://%s/hook","secret":"c2VjcmV0"}`, ln.Addr())
	must(t, os.WriteFile(filepath.Join(dir, fileName), []byte(text), 0o600))
	return dir
}

func TestWhatNoHookShouldBringStaysInTheTerminal(t *testing.T) {
	dir := t.TempDir()
	h := open(t, dir)
	for name, input := range map[string]string{
		"no JSON": `{"session_id":`, "nothing": "", "too long": `"` + strings.Repeat("x", maxInput) + `"`,
	} {
		if out := hook(t, dir, input).printed(t); out != "" || len(h.hooks) > 0 {
			t.Errorf("%s: the session reads %q, Beckon was called %d times", name, out, len(h.hooks))
		}
	}
	t.Setenv(process.Mark, "x")
	if out := hook(t, dir, hookInput).printed(t); out != "" || len(h.hooks) > 0 {
		t.Errorf("Beckon's own agent: the session reads %q, Beckon was called %d times", out, len(h.hooks))
	}
}

func TestTheLargestInputIsBrought(t *testing.T) {
	dir := t.TempDir()
	h := open(t, dir)
	input := `"` + strings.Repeat("x", maxInput-2) + `"`
	hook := hook(t, dir, input)
	call := next(t, h.hooks)
	if string(call.Input) != input {
		t.Errorf("Beckon reads %d bytes of %d", len(call.Input), len(input))
	}
	call.decide <- nil
	hook.printed(t)
}
