//go:build window

package window

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/coder/websocket"
	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// page asks the page of a window by WebKit's remote inspector, which only the
// build for these tests has.
type page struct {
	*win
	inspector string
	patient   time.Duration // how long the page may take to say anything
	cameIn    time.Duration // how long Beckon took from its start to its page

	conn   *websocket.Conn
	target string
	calls  int
}

// openPage opens the window of the build whose page can be asked.
func (s *stage) openPage(args ...string) *page {
	s.t.Helper()
	bin, err := filepath.Abs("../../build/bin/beckon-devtools")
	if err != nil {
		s.t.Fatal(err)
	}
	s.Bin = bin
	p := &page{inspector: freePort(s.t), patient: 3 * time.Second}
	s.more = append(s.more, "WEBKIT_INSPECTOR_HTTP_SERVER="+p.inspector)
	began := time.Now()
	p.win = s.open(args...)
	p.untilSays("the page", `document.querySelector("main") !== null`, "true")
	p.cameIn = time.Since(began)
	return p
}

// freePort is an address that nobody listens at.
func freePort(t interface{ Fatal(...any) }) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

var socketPath = regexp.MustCompile(`'(/socket/[^']+)'`)

// says evaluates an expression in the page and returns its value as text.
func (p *page) says(expression string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), p.patient)
	defer cancel()
	if p.conn == nil {
		if err := p.connect(ctx); err != nil {
			return "", err
		}
	}
	value, err := p.evaluate(ctx, expression)
	if err != nil { // the page went, or Beckon
		p.conn.CloseNow()
		p.conn = nil
	}
	return value, err
}

// connect finds the page; the inspector has but one at a time, and needs a
// moment to see that the former is gone.
func (p *page) connect(ctx context.Context) (err error) {
	for ctx.Err() == nil {
		if err = p.tryConnect(ctx); err == nil {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

func (p *page) tryConnect(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.inspector+"/", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	html, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	path := socketPath.FindStringSubmatch(string(html))
	if path == nil {
		return fmt.Errorf("the inspector has no page: %.200s", html)
	}
	conn, _, err := websocket.Dial(ctx, "ws://"+p.inspector+path[1], nil)
	if err != nil {
		return err
	}
	conn.SetReadLimit(1 << 22)
	for {
		m, err := hear(ctx, conn)
		if err != nil {
			conn.CloseNow()
			return err
		}
		if m.Method == "Target.targetCreated" && m.Params.TargetInfo.Type == "page" {
			p.conn, p.target = conn, m.Params.TargetInfo.TargetID
			return nil
		}
	}
}

// heard is the part of the inspector's messages that matters here.
type heard struct {
	Method string
	Params struct {
		TargetInfo struct{ TargetID, Type string }
		Message    string
	}
}

func hear(ctx context.Context, conn *websocket.Conn) (m heard, err error) {
	_, text, err := conn.Read(ctx)
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(text, &m)
}

func (p *page) evaluate(ctx context.Context, expression string) (string, error) {
	p.calls++
	inner, _ := json.Marshal(map[string]any{"id": p.calls, "method": "Runtime.evaluate", "params": map[string]any{
		"expression": "String(" + expression + ")", "returnByValue": true,
	}})
	outer, _ := json.Marshal(map[string]any{"id": 1_000_000 + p.calls, "method": "Target.sendMessageToTarget", "params": map[string]any{
		"targetId": p.target, "message": string(inner),
	}})
	if err := p.conn.Write(ctx, websocket.MessageText, outer); err != nil {
		return "", err
	}
	for {
		m, err := hear(ctx, p.conn)
		if err != nil {
			return "", err
		}
		var reply struct {
			ID     int
			Result struct{ Result struct{ Value string } }
		}
		switch {
		case m.Method == "Target.targetDestroyed":
			return "", errors.New("the page is gone")
		case m.Method == "Target.dispatchMessageFromTarget" && json.Unmarshal([]byte(m.Params.Message), &reply) == nil && reply.ID == p.calls:
			return reply.Result.Result.Value, nil
		}
	}
}

// do evaluates an expression for what it does.
func (p *page) do(expression string) {
	p.t.Helper()
	if _, err := p.says("(() => {" + expression + "})()"); err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
}

// untilSays waits until an expression has a value, and returns how long that
// took.
func (p *page) untilSays(what, expression, want string) time.Duration {
	p.t.Helper()
	var last string
	var silent error // why the page said nothing when it was asked last
	began := time.Now()
	for end := began.Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		got, err := p.says(expression)
		if last, silent = got, err; err == nil && got == want {
			return time.Since(began)
		}
	}
	p.save("failed.png")
	p.t.Fatalf("%s: %s is %q (%v), want %q", what, expression, last, silent, want)
	return 0
}

// id is the window's. WebKit has smaller ones of the same name, for tooltips.
func (w *win) id() string {
	w.t.Helper()
	var found string
	w.until("a window", func() bool {
		for id := range strings.FieldsSeq(string(w.tool("xdotool", "search", "--onlyvisible", "--name", "Beckon$"))) {
			if size := string(w.tool("xdotool", "getwindowgeometry", id)); wide.MatchString(size) {
				found = id
			}
		}
		return found != ""
	})
	return found
}

var wide = regexp.MustCompile(`Geometry: \d{3,}x\d{3,}`)

func (w *win) visible() bool {
	return len(w.tool("xdotool", "search", "--onlyvisible", "--name", "Beckon$")) > 0
}

// x is a connection to the screen.
func (w *win) x() *xgb.Conn {
	w.t.Helper()
	conn, err := xgb.NewConnDisplay(w.display)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(conn.Close)
	return conn
}

func (w *win) atom(x *xgb.Conn, name string) xproto.Atom {
	w.t.Helper()
	reply, err := xproto.InternAtom(x, false, uint16(len(name)), name).Reply()
	if err != nil {
		w.t.Fatal(err)
	}
	return reply.Atom
}

// tell sends a client message to a window.
func tell(x *xgb.Conn, to xproto.Window, kind xproto.Atom, data ...uint32) {
	five := make([]uint32, 5)
	copy(five, data)
	event := xproto.ClientMessageEvent{Format: 32, Window: to, Type: kind, Data: xproto.ClientMessageDataUnionData32New(five)}
	xproto.SendEvent(x, false, to, xproto.EventMaskNoEvent, string(event.Bytes()))
}

// closeWindow does as the close button of a window manager.
func (w *win) closeWindow() {
	w.t.Helper()
	id, _ := strconv.ParseUint(w.id(), 10, 32)
	x := w.x()
	tell(x, xproto.Window(id), w.atom(x, "WM_PROTOCOLS"), uint32(w.atom(x, "WM_DELETE_WINDOW")))
	_, _ = xproto.GetInputFocus(x).Reply() // the server has it
}

// untilGone waits until Beckon ended on its own, and returns its exit code.
func (w *win) untilGone() int {
	w.t.Helper()
	select {
	case <-w.ended:
		return w.session.ProcessState.ExitCode()
	case <-time.After(endIn):
		w.t.Fatalf("it did not end in %s", endIn)
		return -1
	}
}

// again starts Beckon once more beside the window, and returns its exit code.
func (w *win) again(args ...string) int {
	w.t.Helper()
	cmd := w.command(args...)
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	kill := time.AfterFunc(endIn, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode()
}

// webProcess is the process that runs the page.
func (w *win) webProcess() int {
	for pid := range w.pids() {
		name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		if strings.HasPrefix(string(name), "WebKitWebProces") {
			return pid
		}
	}
	return 0
}

// crash kills the page's process.
func (w *win) crash() {
	w.t.Helper()
	pid := w.webProcess()
	if pid == 0 || syscall.Kill(pid, syscall.SIGKILL) != nil {
		w.t.Fatalf("there is no web process to kill: %d", pid)
	}
}
