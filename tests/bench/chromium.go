//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"beckon/tests/client"
)

// tab is a page in a browser of its own, spoken to by the DevTools protocol.
type tab struct {
	b     *bench
	cmd   *exec.Cmd
	conn  *websocket.Conn
	calls int
}

// chromium starts a browser with a new profile.
func (b *bench) chromium() *tab {
	t := &tab{b: b, cmd: exec.Command("chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
		"--disable-dev-shm-usage", "--window-size=1440,900", "--remote-debugging-port=0", "--user-data-dir="+b.profile(), "about:blank")}
	t.cmd.Env = b.env()
	t.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stderr, err := t.cmd.StderrPipe()
	b.must(err)
	b.must(t.cmd.Start())
	b.Cleanup(t.close)
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if _, address, ok := strings.Cut(lines.Text(), "DevTools listening on ws://"); ok {
			go func() {
				for lines.Scan() { // it must not block on what it says
				}
			}()
			host, _, _ := strings.Cut(address, "/")
			t.attach(host)
			return t
		}
	}
	b.Fatal("chromium has no DevTools")
	return nil
}

// attach speaks to the browser's one page.
func (t *tab) attach(host string) {
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		res, err := http.Get("http://" + host + "/json/list")
		t.b.must(err)
		var targets []struct{ Type, WebSocketDebuggerURL string }
		err = json.NewDecoder(res.Body).Decode(&targets)
		res.Body.Close()
		t.b.must(err)
		for _, target := range targets {
			if target.Type == "page" {
				t.conn, _, err = websocket.Dial(t.b.ctx, target.WebSocketDebuggerURL, nil)
				t.b.must(err)
				t.conn.SetReadLimit(-1)
				return
			}
		}
	}
	t.b.Fatal("chromium has no page")
}

// call calls a method and returns its result; events are left aside.
func (t *tab) call(method string, params any) json.RawMessage {
	t.calls++
	t.b.must(wsjson.Write(t.b.ctx, t.conn, map[string]any{"id": t.calls, "method": method, "params": params}))
	for {
		var reply struct {
			ID            int
			Result, Error json.RawMessage
		}
		t.b.must(wsjson.Read(t.b.ctx, t.conn, &reply))
		if reply.ID != t.calls {
			continue
		}
		if reply.Error != nil {
			t.b.Fatalf("%s: %s", method, reply.Error)
		}
		return reply.Result
	}
}

// visit shows a page of a program that somebody visits already.
func (t *tab) visit(p *client.Program, hash string) {
	t.call("Page.enable", nil)
	for _, c := range p.Cookies() {
		t.call("Network.setCookie", map[string]any{"name": c.Name, "value": c.Value, "url": p.Base, "httpOnly": true, "sameSite": "Strict"})
	}
	t.call("Page.addScriptToEvaluateOnNewDocument", map[string]any{
		"source": fmt.Sprintf("localStorage.setItem('beckon-key', %q)", p.Key()),
	})
	t.call("Page.navigate", map[string]any{"url": p.Base + "/" + hash})
}

// renderer returns the process that the page lives in: of the browser's, the
// one that has worked most.
func (t *tab) renderer() int {
	pid, most := 0, time.Duration(-1)
	for _, p := range group(t.cmd.Process.Pid) {
		words, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p))
		if err != nil || !bytes.Contains(words, []byte("--type=renderer")) {
			continue
		}
		if worked := worked(t.b, p); worked > most {
			pid, most = p, worked
		}
	}
	if pid == 0 {
		t.b.Fatal("chromium has no renderer")
	}
	return pid
}

// number evaluates an expression, and waits for it if it is a promise.
func (t *tab) number(expression string) float64 {
	raw := t.call("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true})
	var reply struct {
		Result struct{ Value *float64 }
	}
	if err := json.Unmarshal(raw, &reply); err != nil || reply.Result.Value == nil {
		t.b.Fatalf("%s is %s", expression, raw)
	}
	return *reply.Result.Value
}

// close ends the browser and all its processes.
func (t *tab) close() {
	if t.cmd.ProcessState != nil {
		return
	}
	_ = syscall.Kill(-t.cmd.Process.Pid, syscall.SIGKILL)
	_ = t.cmd.Wait()
}
