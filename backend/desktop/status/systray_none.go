//go:build darwin && !cgo

package status

// Tray shows nothing: the menu bar of macOS is reached by cgo only.
type Tray struct{}

// startTray does nothing.
func startTray(TrayModel, TrayHandlers) *Tray { return &Tray{} }

// Show does nothing.
func (t *Tray) Show(TrayModel) {}

// Shown tells that there is no icon.
func (t *Tray) Shown() bool { return false }

// Close does nothing.
func (t *Tray) Close() {}
