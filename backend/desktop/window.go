package desktop

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"slices"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// Window is Beckon's one window.
type Window struct {
	API   any   // its exported methods are the page's
	Enums []any // the words of its enumerations, for the generated types
	// FormatError makes of an error what the page is given.
	FormatError func(error) any
	Assets      fs.FS
	// Secure adds the security headers to what the page loads.
	Secure func(http.Handler) http.Handler
	// Opened is called once the window exists, and Closed when it goes.
	Opened, Closed func()

	ctx context.Context // of the window; Wails leaves no other place for it
}

// Run shows the window and returns when it is closed. It must be called on
// the main goroutine.
func (w *Window) Run() error {
	return wails.Run(&options.App{
		Title: "Beckon", Width: 1440, Height: 900, MinWidth: 960, MinHeight: 640,
		BackgroundColour: options.NewRGB(0xf4, 0xf7, 0xf7),
		AssetServer:      &assetserver.Options{Assets: w.Assets, Middleware: w.Secure},
		Bind:             []any{w.API}, EnumBind: w.Enums, ErrorFormatter: w.FormatError,
		// Wails' own logger prints failed calls with all they were given.
		Logger: logger.NewDefaultLogger(), LogLevel: logger.ERROR, LogLevelProduction: logger.ERROR,
		OnStartup: func(ctx context.Context) {
			w.ctx = ctx
			w.Opened()
		},
		OnShutdown:               func(context.Context) { w.Closed() },
		EnableDefaultContextMenu: false,
		// A non-nil Linux option with no policy would mean Always, which
		// costs 70 MB.
		Linux: &linux.Options{WebviewGpuPolicy: linux.WebviewGpuPolicyNever, ProgramName: "beckon"},
	})
}

// Emit sends an event to the page. Before the window exists it does nothing.
func (w *Window) Emit(name string, value any) {
	if w.ctx != nil {
		runtime.EventsEmit(w.ctx, name, value)
	}
}

// ChooseFolder shows the system's folder dialog; "" means the user closed it.
func (w *Window) ChooseFolder() (string, error) {
	return runtime.OpenDirectoryDialog(w.ctx, runtime.OpenDialogOptions{})
}

// OpenURL shows a web page in the system's browser.
func (w *Window) OpenURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || !slices.Contains([]string{"http", "https", "mailto"}, u.Scheme) {
		return fmt.Errorf("only web pages and mail addresses are opened, not %.100q", address)
	}
	runtime.BrowserOpenURL(w.ctx, u.String())
	return nil
}
