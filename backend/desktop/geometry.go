package desktop

import (
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"regexp"

	"beckon/backend/disk"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// The sizes of a window: the smallest that the page works in, and that of a
// first start.
const (
	minWidth, minHeight     = 960, 640
	firstWidth, firstHeight = 1440, 900
	// mostPixels is more than any screen has.
	mostPixels = 16384
)

// place is what the window keeps over restarts.
type place struct {
	Width     int    `json:"width"`
	Height    int    `json:"height"`
	X         int    `json:"x"`
	Y         int    `json:"y"`
	Placed    bool   `json:"placed"` // X and Y are known
	Maximised bool   `json:"maximised"`
	Route     string `json:"route"`
	// Hinted tells that the user knows what closing does.
	Hinted bool `json:"hinted"`
}

// routes are the addresses that the page may be sent to.
var routes = regexp.MustCompile(`^#/[A-Za-z0-9/%._~-]{0,200}$`)

// readPlace returns what an earlier window left; what cannot be is the first
// start's.
func readPlace(path string) place {
	var p place
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		slog.Warn("the window's place cannot be read; using the default", "err", err)
		p = place{}
	}
	if p.Width < minWidth || p.Height < minHeight || p.Width > mostPixels || p.Height > mostPixels {
		p.Width, p.Height, p.Placed = firstWidth, firstHeight, false
	}
	if !routes.MatchString(p.Route) {
		p.Route = ""
	}
	return p
}

// write replaces the file.
func (p place) write(path string) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return disk.Replace(path, append(text, '\n'))
}

// keep notes where the window is and writes it down. A maximised window keeps
// the size that it goes back to.
func (w *Window) keep() {
	ctx, ok := w.context()
	if !ok {
		return
	}
	maximised := runtime.WindowIsMaximised(ctx)
	x, y := runtime.WindowGetPosition(ctx)
	width, height := runtime.WindowGetSize(ctx)
	w.mu.Lock()
	w.place.Maximised = maximised
	if !maximised && !w.away && width > 0 {
		w.place.X, w.place.Y, w.place.Width, w.place.Height, w.place.Placed = x, y, width, height, true
	}
	w.mu.Unlock()
	w.save()
}

// save writes down what changed since the last time.
func (w *Window) save() {
	w.saving.Lock()
	defer w.saving.Unlock()
	w.mu.Lock()
	p := w.place
	w.mu.Unlock()
	if p == w.saved {
		return
	}
	if err := p.write(w.placeFile()); err != nil {
		slog.Warn("the window's place is not kept", "err", err)
		return
	}
	w.saved = p
}
