//go:build !linux || dev || bindings

package desktop

// Windowless says that another program shows the window.
const Windowless = false

// Core returns "": this program is the only one.
func Core() string { return "" }

// ExecWindow does nothing: this program shows the window itself.
func ExecWindow() error { return nil }
