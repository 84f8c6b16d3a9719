//go:build !linux || dev || bindings

package desktop

// Core returns "": this program is the only one.
func Core() string { return "" }

// ExecWindow does nothing: this program shows the window itself.
func ExecWindow() error { return nil }
