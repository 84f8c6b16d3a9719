//go:build !(linux && desktop && production)

package desktop

// installWebview puts the guard on the window's page.
func installWebview(webviewHandlers) {}

// moveWebviewTo moves the window, if it would be seen there, and reports whether it
// could.
func moveWebviewTo(_, _ int) bool { return false }
