//go:build darwin && !cgo

package tray

// Tray shows nothing: the menu bar of macOS is reached by cgo only.
type Tray struct{}

// Start does nothing.
func Start(Model, Handlers) *Tray { return &Tray{} }

// Show does nothing.
func (t *Tray) Show(Model) {}

// Shown tells that there is no icon.
func (t *Tray) Shown() bool { return false }

// Close does nothing.
func (t *Tray) Close() {}
