//go:build !linux || !desktop

package desktop

// Core returns "": this program has no window, or none that weighs anything
// before it is shown.
func Core() string { return "" }
