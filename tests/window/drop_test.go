//go:build window

package window

import (
	"net/url"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"beckon/tests/timeout"
)

func TestWhatIsDroppedOnTheWindowNeverReplacesThePage(t *testing.T) {
	s := newStage(t)
	s.Write("agents/agent.txtar", "-- script --\nask Which? | Left | Right\n")
	repo := s.furnish("Asks")
	p := s.openPage()
	p.do("window.stays = true")
	stays := func(after string) {
		t.Helper()
		p.untilSays(after, `location.protocol + window.stays`, "wails:true")
	}

	p.drop(600, 400, "https://example.org/")
	stays("an address")

	p.drop(600, 400, fileURL(filepath.Join(repo, "README.md")))
	p.untilSays("what to do with a file", `document.querySelector(".toast .text") !== null`, "true")
	stays("a file")

	p.press("j", "q")
	p.untilTitled("(1) Beckon")
	p.again("beckon://task/WIN-1")
	p.untilSays("a message's field", `document.querySelector(".composer textarea") !== null`, "true")
	p.do(`document.querySelector(".composer textarea").focus()`)
	p.drop(600, 60, fileURL(filepath.Join(repo, "README.md")))
	p.untilSays("the file by its name", `document.querySelector(".composer textarea").value`, "@README.md ")
	stays("a file for a message")

	p.drop(600, 60, fileURL(repo))
	p.untilSays("the sheet with the folder", `document.querySelector("dialog input.mono")?.value`, repo)
	stays("a folder")
	p.untilEnded()
}

func fileURL(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

// drag is the source of a drag, as a file manager is: XDND, version 5.
type drag struct {
	*win
	x        *xgb.Conn
	source   xproto.Window
	target   xproto.Window
	uris     string
	accepted bool
	finished bool
}

// drop drags an address over the window to a place of the screen, and lets go.
func (w *win) drop(x, y int, address string) {
	w.t.Helper()
	id, _ := strconv.ParseUint(w.id(), 10, 32)
	d := &drag{win: w, x: w.x(), target: xproto.Window(id), uris: address + "\r\n"}
	d.own()
	types := d.atom(d.x, "text/uri-list")
	tell(d.x, d.target, d.atom(d.x, "XdndEnter"), uint32(d.source), 5<<24, uint32(types))
	at := uint32(x)<<16 | uint32(y)
	position := func() {
		tell(d.x, d.target, d.atom(d.x, "XdndPosition"), uint32(d.source), 0, at, xproto.TimeCurrentTime, uint32(d.atom(d.x, "XdndActionCopy")))
	}
	// The page says what it takes a moment after it is asked: so it is asked
	// again, as a pointer that moves does.
	for range 12 {
		position()
		d.answer(150 * time.Millisecond)
	}
	if !d.accepted {
		tell(d.x, d.target, d.atom(d.x, "XdndLeave"), uint32(d.source))
		d.answer(100 * time.Millisecond)
		return
	}
	tell(d.x, d.target, d.atom(d.x, "XdndDrop"), uint32(d.source), 0, xproto.TimeCurrentTime)
	for end := time.Now().Add(timeout.For(5 * time.Second)); !d.finished && time.Now().Before(end); {
		d.answer(50 * time.Millisecond)
	}
}

// own makes the window that the drag comes from.
func (d *drag) own() {
	d.t.Helper()
	screen := xproto.Setup(d.x).DefaultScreen(d.x)
	source, err := xproto.NewWindowId(d.x)
	if err != nil {
		d.t.Fatal(err)
	}
	d.source = source
	if err := xproto.CreateWindowChecked(d.x, 0, source, screen.Root, 0, 0, 1, 1, 0, xproto.WindowClassInputOnly, screen.RootVisual, 0, nil).Check(); err != nil {
		d.t.Fatal(err)
	}
	if err := xproto.SetSelectionOwnerChecked(d.x, source, d.atom(d.x, "XdndSelection"), xproto.TimeCurrentTime).Check(); err != nil {
		d.t.Fatal(err)
	}
}

// answer does what the window asks of a source, for so long.
func (d *drag) answer(long time.Duration) {
	d.t.Helper()
	for end := time.Now().Add(long); time.Now().Before(end); {
		event, err := d.x.PollForEvent()
		if err != nil {
			d.t.Fatal(err)
		}
		switch e := event.(type) {
		case nil:
			time.Sleep(5 * time.Millisecond)
		case xproto.SelectionRequestEvent:
			d.give(e)
		case xproto.ClientMessageEvent:
			d.accepted = d.accepted || e.Type == d.atom(d.x, "XdndStatus") && e.Data.Data32[1]&1 == 1
			d.finished = d.finished || e.Type == d.atom(d.x, "XdndFinished")
		}
	}
}

// give hands over what is dragged.
func (d *drag) give(e xproto.SelectionRequestEvent) {
	property := e.Property
	if e.Target == d.atom(d.x, "text/uri-list") {
		xproto.ChangeProperty(d.x, xproto.PropModeReplace, e.Requestor, property, e.Target, 8, uint32(len(d.uris)), []byte(d.uris))
	} else {
		property = xproto.AtomNone
	}
	told := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target, Property: property}
	xproto.SendEvent(d.x, false, e.Requestor, xproto.EventMaskNoEvent, string(told.Bytes()))
}
