package desktop

import (
	"log/slog"
	"strings"
	"time"
)

// A page that goes crashLimit times within crashSpan is not brought back once
// more: it would only go again.
const (
	crashLimit = 4
	crashSpan  = 30 * time.Second
)

// The addresses of the page and of the one that says that it crashed too
// often. A click on that one's link starts again.
const (
	pageAddress    = "wails://wails/"
	stoppedAddress = pageAddress + "stopped.html"
)

// crashes are the times at which the page's process died.
type crashLog struct {
	at      []time.Time
	stopped bool // the page stays away
}

// note adds a crash, and reports whether it was one too many.
func (c *crashLog) note(now time.Time) bool {
	if len(c.at) > 0 && now.Sub(c.at[0]) > crashSpan {
		c.at = nil
	}
	c.at = append(c.at, now)
	c.stopped = len(c.at) >= crashLimit
	if c.stopped {
		c.at = nil
	}
	return c.stopped
}

// pageGone brings the page back where it was after its process died. What was
// typed is in the back end, and the agents did not notice.
func (w *Window) pageGone(last string) string {
	w.mu.Lock()
	stopped := w.crashes.note(time.Now())
	w.mu.Unlock()
	slog.Error("the page's process died", "broughtBack", !stopped)
	if stopped {
		return stoppedAddress
	}
	if !strings.HasPrefix(last, pageAddress) {
		return pageAddress
	}
	return last
}
