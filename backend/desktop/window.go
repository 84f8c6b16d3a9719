package desktop

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"sync"

	"beckon/backend/beckon"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/options/mac"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// Window is Beckon's one window. Its methods may be called from any goroutine,
// and do nothing before it exists.
type Window struct {
	API   any   // its exported methods are the page's
	Enums []any // the words of its enumerations, for the generated types
	// FormatError makes of an error what the page is given.
	FormatError func(error) any
	Assets      fs.FS
	// Secure adds the security headers to what the page loads.
	Secure func(http.Handler) http.Handler
	// Opened is called once the window exists, with what Wails wants for all
	// that goes through it, and Closed when it goes.
	Opened func(window context.Context)
	Closed func()
	// Taken is called with the number of a frame that the page has drawn.
	Taken func(seq int64)
	// Dir is the data folder, where the window keeps its geometry.
	Dir     string
	WebView WebViewTexts
	// Theme is "light" or "dark" where the user chose one.
	Theme string
	// Link is called with a beckon:// link that macOS hands to the program as it
	// runs; elsewhere a link starts a second one.
	Link func(link string)
	// Hidden starts the window out of sight, if TrayShown says so.
	Hidden bool
	// TrayShown reports whether a desktop shows Beckon's tray icon. Only then
	// does closing the window hide it: else nothing would bring it back.
	TrayShown func() bool
	// Working counts the agents that quitting would interrupt, and StopAgents
	// stops them.
	Working    func() int
	StopAgents func()
	// InTerminals names the tasks, by their keys, in whose terminals something runs.
	InTerminals func() []string

	mu  sync.Mutex
	ctx context.Context // of the window; Wails leaves no other place for it
	// inbox is what the page has not fetched yet.
	inbox    []beckon.PageCall
	geometry geometry
	isHidden bool // hidden
	focused  bool
	quitting bool
	crashes  crashLog

	saving sync.Mutex // held while the geometry is written
	saved  geometry
}

// Run shows the window and returns when it is closed. It must be called on
// the main goroutine.
func (w *Window) Run() error {
	closeInspector()
	avoidBlankWindow(nvidia)
	w.geometry = readGeometry(w.geometryFile())
	if w.geometry.Route != "" {
		w.inbox = append([]beckon.PageCall{showEvent(w.geometry.Route)}, w.inbox...)
	}
	return wails.Run(w.options())
}

func (w *Window) options() *options.App {
	o := &options.App{
		Title: "Beckon", Width: w.geometry.Width, Height: w.geometry.Height, MinWidth: minWidth, MinHeight: minHeight,
		BackgroundColour: background(w.Theme),
		AssetServer:      &assetserver.Options{Assets: w.Assets, Middleware: w.Secure},
		Bind:             []any{w.API}, EnumBind: w.Enums, ErrorFormatter: w.FormatError,
		// Wails' own logger prints failed calls with all they were given.
		Logger: logger.NewDefaultLogger(), LogLevel: logger.ERROR, LogLevelProduction: logger.ERROR,
		OnStartup:                w.started,
		OnBeforeClose:            w.closing,
		OnShutdown:               func(context.Context) { w.Closed() },
		EnableDefaultContextMenu: false,
		// Never DisableWebViewDrop: it breaks drags inside the page.
		DragAndDrop: &options.DragAndDrop{EnableFileDrop: true},
		// A non-nil Linux option with no policy would mean Always, which
		// costs 70 MB.
		Linux: &linux.Options{WebviewGpuPolicy: linux.WebviewGpuPolicyNever, ProgramName: "beckon"},
		Mac:   &mac.Options{OnUrlOpen: w.Link}, Windows: w.WebView.options(),
	}
	if w.geometry.Maximised {
		o.WindowStartState = options.Maximised
	}
	return o
}

// background is what is seen before the page: its own --bg.
func background(theme string) *options.RGBA {
	if theme == "dark" {
		return options.NewRGB(0x12, 0x17, 0x16)
	}
	return options.NewRGB(0xf4, 0xf7, 0xf7)
}

func (w *Window) started(ctx context.Context) {
	w.mu.Lock()
	w.ctx, w.focused = ctx, true
	at := w.geometry
	w.mu.Unlock()
	go w.obeySignals()
	installWebview(webviewHandlers{Left: w.left, Gone: w.pageGone})
	if at.Placed && !at.Maximised && !moveWebviewTo(at.X, at.Y) {
		runtime.WindowSetPosition(ctx, at.X, at.Y)
	}
	runtime.EventsOn(ctx, "page", w.onPageReport)
	runtime.EventsOn(ctx, "taken", w.onTaken)
	runtime.OnFileDrop(ctx, w.dropped)
	w.Opened(ctx)
	if w.Hidden && w.TrayShown() {
		w.hide()
	}
}

// context returns the window's, and whether there is a window.
func (w *Window) context() (context.Context, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ctx, w.ctx != nil
}

// Emit sends an event to the page.
func (w *Window) Emit(name string, value any) {
	if ctx, ok := w.context(); ok {
		runtime.EventsEmit(ctx, name, value)
	}
}

// ChooseFolder shows the system's folder dialog; "" means the user closed it.
func (w *Window) ChooseFolder() (string, error) {
	ctx, ok := w.context()
	if !ok {
		return "", fmt.Errorf("the window is not open yet: %w", beckon.ErrUnavailable)
	}
	return runtime.OpenDirectoryDialog(ctx, runtime.OpenDialogOptions{})
}

// OpenURL shows a web page in the system's browser.
func (w *Window) OpenURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || !slices.Contains([]string{"http", "https", "mailto"}, u.Scheme) {
		return fmt.Errorf("only web pages and mail addresses are opened, not %.100q: %w", address, beckon.ErrInvalid)
	}
	if ctx, ok := w.context(); ok {
		runtime.BrowserOpenURL(ctx, u.String())
	}
	return nil
}

// left opens outside what a click would have replaced the page by.
func (w *Window) left(address string) {
	go func() {
		if err := w.OpenURL(address); err != nil {
			slog.Warn("the page was kept from leaving", "err", err)
		}
	}()
}

func (w *Window) geometryFile() string { return filepath.Join(w.Dir, "window.json") }
