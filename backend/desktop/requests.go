package desktop

import (
	"os"

	"beckon/backend/beckon"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// inboxSize bounds what waits for a page that does not come.
const inboxSize = 32

func showEvent(route string) beckon.PageCall {
	return beckon.PageCall{Kind: beckon.PageShow, Route: route, Paths: []string{}, Keys: []string{}}
}

// Ask has the page do something, at once or when it is there. The event that
// goes to the page is only a knock: the page then fetches what is in the
// inbox, so that nothing is lost before it listens, and nothing is done twice.
func (w *Window) Ask(e beckon.PageCall) {
	if e.Paths == nil {
		e.Paths = []string{}
	}
	if e.Keys == nil {
		e.Keys = []string{}
	}
	w.mu.Lock()
	w.inbox = append(w.inbox, e)
	w.inbox = w.inbox[max(0, len(w.inbox)-inboxSize):]
	w.mu.Unlock()
	w.Emit("shell", nil)
}

// Events takes what the page was asked since it last took it.
func (w *Window) Events() []beckon.PageCall {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.inbox
	w.inbox = nil
	if all == nil {
		return []beckon.PageCall{}
	}
	return all
}

// Show brings the window to the front, and the page to a route such as
// #/inbox/ID or #/task/KES-47; an empty one stays where it is.
func (w *Window) Show(route string) {
	if routes.MatchString(route) {
		w.Ask(showEvent(route))
	}
	w.raise()
}

// NewTask brings the window to the front with the sheet for a new task.
func (w *Window) NewTask() {
	w.Ask(beckon.PageCall{Kind: beckon.PageNewTask})
	w.raise()
}

// AnswerNext brings the window to the front with the question that waits
// longest.
func (w *Window) AnswerNext() {
	w.Ask(beckon.PageCall{Kind: beckon.PageNext})
	w.raise()
}

// OpenFolder brings the window to the front and offers to make a folder a
// project.
func (w *Window) OpenFolder(dir string) {
	w.Ask(beckon.PageCall{Kind: beckon.PageFolder, Paths: []string{dir}})
	w.raise()
}

// Trouble has the page tell the user what the desktop could not do.
func (w *Window) Trouble(err error) {
	if err != nil {
		w.Ask(beckon.PageCall{Kind: beckon.PageTrouble, Text: err.Error()})
	}
}

// Focused reports whether the user looks at the page.
func (w *Window) Focused() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ctx != nil && w.focused && !w.isHidden
}

// raise shows the window and presents it: showing alone only maps it.
func (w *Window) raise() {
	ctx, ok := w.context()
	if !ok {
		return
	}
	w.mu.Lock()
	w.isHidden = false
	w.mu.Unlock()
	runtime.WindowShow(ctx)
	runtime.WindowUnminimise(ctx)
}

// dropped offers a folder as a project, and gives files to what is under the
// pointer.
func (w *Window) dropped(x, y int, paths []string) {
	if len(paths) == 0 {
		return
	}
	info, err := os.Stat(paths[0])
	if err == nil && info.IsDir() && len(paths) == 1 {
		w.Ask(beckon.PageCall{Kind: beckon.PageFolder, Paths: paths})
		return
	}
	w.Ask(beckon.PageCall{Kind: beckon.PageFiles, Paths: paths, X: x, Y: y})
}

// onPageReport takes what the page says of itself: its address, and whether the
// user looks at it. The window is written down whenever it does.
func (w *Window) onPageReport(args ...any) {
	if len(args) != 1 {
		return
	}
	report, _ := args[0].(map[string]any)
	route, _ := report["route"].(string)
	focused, _ := report["focused"].(bool)
	w.mu.Lock()
	w.crashes.stopped = false // it speaks
	w.focused = focused
	if routes.MatchString(route) {
		w.geometry.Route = route
	}
	w.mu.Unlock()
	w.saveGeometry()
}

// onTaken takes the number of a frame that the page has drawn.
func (w *Window) onTaken(args ...any) {
	if len(args) != 1 {
		return
	}
	if seq, ok := args[0].(float64); ok {
		w.Taken(int64(seq))
	}
}

// hide takes the window out of sight; the program goes on.
func (w *Window) hide() {
	ctx, ok := w.context()
	if !ok {
		return
	}
	w.mu.Lock()
	first := !w.geometry.Hinted
	w.isHidden, w.geometry.Hinted = true, true
	w.mu.Unlock()
	if first {
		w.Ask(beckon.PageCall{Kind: beckon.PageHint})
	}
	w.writeGeometry()
	runtime.WindowHide(ctx)
}

// pageIsThere reports whether the page can ask the user anything.
func (w *Window) pageIsThere() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.crashes.stopped
}
