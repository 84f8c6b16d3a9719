//go:build window

package window

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// elsewhere is how a page is taken away, each in another way.
var elsewhere = []string{
	`location.href = "https://example.org/"`,
	`location.assign("http://127.0.0.1:9/")`,
	`location.replace("file:///etc/passwd")`,
	`location.href = "data:text/html,gone"`,
	`location.href = "javascript:document.write('gone')"`,
	`location.href = "about:blank"`,
	`location.href = "blob:wails://wails/gone"`,
	`location.href = "wails://elsewhere/"`,
	`open("https://example.org/")`,
	`open("https://example.org/", "_self")`,
	`document.head.insertAdjacentHTML("beforeend", '<meta http-equiv="refresh" content="0; url=https://example.org/">')`,
	`document.body.insertAdjacentHTML("beforeend", '<form id="f" method="post" action="https://example.org/"></form>'); document.getElementById("f").submit()`,
	`document.body.insertAdjacentHTML("beforeend", '<form id="g" target="_top" action="file:///etc/passwd"></form>'); document.getElementById("g").submit()`,
	`document.body.insertAdjacentHTML("beforeend", '<iframe src="https://example.org/"></iframe>')`,
	`document.body.insertAdjacentHTML("beforeend", '<a id="a" href="file:///etc/passwd" target="_top">a</a>'); document.getElementById("a").click()`,
	`document.body.insertAdjacentHTML("beforeend", '<a id="b" href="https://example.org/b" download="b">b</a>'); document.getElementById("b").click()`,
	`history.pushState(null, "", "/elsewhere"); location.hash = "#/inbox"; history.back()`,
}

func TestTheWindowNeverLeaves(t *testing.T) {
	s := newStage(t)
	s.furnish("Stays")
	s.fakeBrowser()
	p := s.openPage()
	p.do("window.stays = true")
	for _, attempt := range elsewhere {
		_, err := p.says("(() => {" + attempt + "})()") // what is refused may throw
		if err != nil {
			t.Errorf("%s: %v", attempt, err)
		}
		p.untilSays(attempt, `location.protocol + location.host + window.stays + document.title`, "wails:wailstrueBeckon")
	}
	// Each has had its time.
	p.untilSays("the page", `new Promise(() => {}) && window.stays`, "true")
	if p.visible() && len(p.titles()) > 1 {
		t.Errorf("there are windows %q", p.titles())
	}
}

// TestALinkOpensOutside: by the mouse, in the middle of the window.
func TestALinkOpensOutside(t *testing.T) {
	s := newStage(t)
	s.furnish("Stays")
	opened := s.fakeBrowser()
	p := s.openPage()
	p.do("window.stays = true")
	for i, c := range []struct{ href, button, want string }{
		{"https://example.org/one", "1", "https://example.org/one"},
		{"https://example.org/two", "2", "https://example.org/two"},
		{"mailto:you@example.org", "1", "mailto:you@example.org"},
		{"file:///etc/passwd", "1", ""},
		{"javascript:void(window.stays=false)", "1", ""},
		{"data:text/html,gone", "2", ""},
	} {
		p.do(fmt.Sprintf(`document.body.insertAdjacentHTML("beforeend", '<a id="l%d" href="%s">x</a>');
			Object.assign(document.getElementById("l%d").style, { position: "fixed", inset: "300px auto auto 400px", width: "300px", height: "200px", zIndex: 99 })`, i, c.href, i))
		p.tool("xdotool", "mousemove", "500", "400", "click", c.button)
		if c.want != "" {
			p.until(c.href+" outside", func() bool {
				text, _ := os.ReadFile(opened)
				return strings.Contains(string(text), c.want+"\n")
			})
		}
		p.untilSays(c.href, `location.protocol + window.stays`, "wails:true")
		p.do(fmt.Sprintf(`document.getElementById("l%d").remove()`, i))
	}
	text, _ := os.ReadFile(opened)
	if lines := strings.Fields(string(text)); len(lines) != 3 {
		t.Errorf("these were opened: %q", lines)
	}
	p.untilEnded()
}

// fakeBrowser is what the system opens pages by; it writes their addresses to
// the file that is returned.
func (s *stage) fakeBrowser() string {
	s.t.Helper()
	opened := s.At("opened")
	dir := s.At("bin")
	if err := os.Mkdir(dir, 0o700); err != nil {
		s.t.Fatal(err)
	}
	s.Write("bin/xdg-open", "#!/bin/sh\necho \"$1\" >> '"+opened+"'\n")
	s.more = append(s.more, "PATH="+dir+":"+os.Getenv("PATH"))
	return opened
}

func TestWhatShipsHasNoInspector(t *testing.T) {
	s := newStage(t)
	s.furnish("Ask which")
	inspector := freePort(t)
	s.more = append(s.more, "WEBKIT_INSPECTOR_HTTP_SERVER="+inspector, "WEBKIT_INSPECTOR_SERVER="+freePort(t))
	w := s.open()
	w.untilPainted()
	if conn, err := net.DialTimeout("tcp", inspector, time.Second); err == nil {
		conn.Close()
		t.Error("the inspector answers")
	}
	listeners := w.listeners()
	if len(listeners) != 1 || !strings.HasPrefix(listeners[0], "0100007F:") {
		t.Errorf("it listens at %q; want the MCP server on the loopback alone", listeners)
	}
	windows := w.tool("xdotool", "search", "--onlyvisible", "--class", "beckon")
	w.press("ctrl+shift+F12", "F12", "ctrl+shift+i")
	w.tool("xdotool", "mousemove", "--sync", "500", "400", "click", "3")
	bare := w.look().png
	w.press("c") // a field, where a menu would have most to offer
	w.until("a new task to write", func() bool { return !bytes.Equal(bare, w.look().png) })
	w.press("shift+F10")
	// A menu would take these keys, and come before the title that they bring.
	w.press("Escape", "j", "q")
	w.untilTitled("(1) Beckon")
	if now := w.tool("xdotool", "search", "--onlyvisible", "--class", "beckon"); !bytes.Equal(windows, now) {
		t.Errorf("a window came: %q, before %q", now, windows)
	}
	w.untilEnded()
}

// listeners are the TCP addresses that Beckon and its children listen at, as
// the kernel writes them.
func (w *win) listeners() []string {
	var inodes []string
	for pid := range w.pids() {
		links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		for _, link := range links {
			if to, err := os.Readlink(link); err == nil && strings.HasPrefix(to, "socket:[") {
				inodes = append(inodes, strings.TrimSuffix(strings.TrimPrefix(to, "socket:["), "]"))
			}
		}
	}
	var at []string
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, _ := os.ReadFile(table)
		for line := range strings.Lines(string(text)) {
			f := strings.Fields(line)
			const listening = "0A"
			if len(f) > 9 && f[3] == listening && slices.Contains(inodes, f[9]) {
				at = append(at, f[1])
			}
		}
	}
	return at
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
