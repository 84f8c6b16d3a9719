package desktop

import (
	"fmt"
	"html"
	"net/http"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
)

// troublePage has a heading and a text, in the page's colours.
const troublePage = `<!doctype html><html lang="%[3]s"><head><meta charset="utf-8"><title>%[1]s</title><style>
:root { color-scheme: light dark; }
body { margin: 40px; font: 14px/22px system-ui, sans-serif; color: light-dark(#18211f, #e6ebe9); background: light-dark(#f3f7f7, #121716); }
h1 { font-size: 20px; } p { overflow-wrap: anywhere; }
</style></head><body><main><h1>%[1]s</h1><p lang="en">%[2]s</p></main></body></html>`

// ShowTrouble shows why there is no other window, until the user closes it: who starts
// Beckon from a menu sees nothing of what it prints.
func ShowTrouble(language, heading, text string, webView WebViewTexts) error {
	closeInspector()
	page := fmt.Sprintf(troublePage, html.EscapeString(heading), html.EscapeString(text), language)
	return wails.Run(&options.App{
		Title: heading, Width: 640, Height: 400, BackgroundColour: background(""),
		AssetServer: &assetserver.Options{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, page)
		})},
		Logger: logger.NewDefaultLogger(), LogLevel: logger.ERROR, LogLevelProduction: logger.ERROR,
		Linux: &linux.Options{WebviewGpuPolicy: linux.WebviewGpuPolicyNever, ProgramName: "beckon"}, Windows: webView.options(),
	})
}
