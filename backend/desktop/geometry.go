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

// geometry is what the window keeps over restarts.
type geometry struct {
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

// readGeometry returns what an earlier window left; what cannot be is the first
// start's.
func readGeometry(path string) geometry {
	var g geometry
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &g)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		slog.Warn("the window's size and position are not read; it begins with the defaults", "err", err)
		g = geometry{}
	}
	if g.Width < minWidth || g.Height < minHeight || g.Width > mostPixels || g.Height > mostPixels {
		g.Width, g.Height, g.Placed = firstWidth, firstHeight, false
	}
	if !routes.MatchString(g.Route) {
		g.Route = ""
	}
	return g
}

// write replaces the file.
func (g geometry) write(path string) error {
	text, err := json.Marshal(g)
	if err != nil {
		return err
	}
	return disk.Replace(path, append(text, '\n'))
}

// saveGeometry notes where the window is and writes it down. A maximised window keeps
// the size that it goes back to.
func (w *Window) saveGeometry() {
	ctx, ok := w.context()
	if !ok {
		return
	}
	maximised := runtime.WindowIsMaximised(ctx)
	x, y := runtime.WindowGetPosition(ctx)
	width, height := runtime.WindowGetSize(ctx)
	w.mu.Lock()
	w.geometry.Maximised = maximised
	if !maximised && !w.isHidden && width > 0 {
		w.geometry.X, w.geometry.Y, w.geometry.Width, w.geometry.Height, w.geometry.Placed = x, y, width, height, true
	}
	w.mu.Unlock()
	w.writeGeometry()
}

// writeGeometry writes down what changed since the last time.
func (w *Window) writeGeometry() {
	w.saving.Lock()
	defer w.saving.Unlock()
	w.mu.Lock()
	g := w.geometry
	w.mu.Unlock()
	if g == w.saved {
		return
	}
	if err := g.write(w.geometryFile()); err != nil {
		slog.Warn("the window's size and position are not kept", "err", err)
		return
	}
	w.saved = g
}
