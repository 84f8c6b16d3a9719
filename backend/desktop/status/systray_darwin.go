//go:build cgo

package status

import (
	"context"
	"embed"
	"os/exec"
	"strings"

	"fyne.io/systray"
)

//go:embed icons/*.png
var icons embed.FS

// start puts the icon into the menu bar. It shares Cocoa's loop with the
// window, which runs later on this same thread.
func (t *Tray) start() {
	begin, end := systray.RunWithExternalLoop(t.begin, nil)
	begin()
	t.end = end
}

// Shown reports whether there is an icon: the menu bar is always there.
func (t *Tray) Shown() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ready
}

// setCount shows how much waits beside the icon.
func setCount(n string) { systray.SetTitle(n) }

// setIcon leaves the colour of the plain mark to the menu bar. With the dot,
// which is marigold in any bar, it cannot be left.
func setIcon(s TrayState, dark bool) {
	plain := iconOf(icons, s, dark, "png")
	if s == Attention {
		systray.SetIcon(plain)
		return
	}
	systray.SetTemplateIcon(iconOf(icons, s, false, "png"), plain)
}

func darkBar() bool {
	style, err := exec.CommandContext(context.Background(), "defaults", "read", "-g", "AppleInterfaceStyle").Output()
	return err == nil && strings.Contains(string(style), "Dark")
}

// escape has nothing to do: macOS has no access keys.
func escape(label string) string { return label }
