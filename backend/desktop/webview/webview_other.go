//go:build !(linux && desktop && production)

package webview

// Install puts the guard on the window's page.
func Install(Handlers) {}

// MoveTo moves the window, if it would be seen there, and reports whether it
// could.
func MoveTo(_, _ int) bool { return false }
