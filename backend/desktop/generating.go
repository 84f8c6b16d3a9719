//go:build !bindings

package desktop

// Generating tells that this build only writes the page's types: Run does
// that instead of showing a window, so nothing else may happen before it.
const Generating = false
