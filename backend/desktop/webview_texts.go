package desktop

import "github.com/wailsapp/wails/v2/pkg/options/windows"

// WebViewTexts are shown on Windows where WebView2 is missing, or ends.
type WebViewTexts struct {
	Missing  string `json:"webViewMissing"`  // the heading of the next one
	Download string `json:"webViewDownload"` // asks whether to open Microsoft's page; a version follows it
	Ended    string `json:"webViewEnded"`
}

// options are those of Windows. Built with the tag wv2runtime.browser, Wails has no other
// texts to show, and neither downloads nor starts an installer.
func (t WebViewTexts) options() *windows.Options {
	return &windows.Options{Messages: &windows.Messages{
		MissingRequirements: t.Missing, DownloadPage: t.Download, WebView2ProcessCrash: t.Ended,
		FailedToInstall: "WebView2 is missing", // what wails.Run returns
	}}
}
