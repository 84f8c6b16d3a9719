package status

import (
	"embed"
	"runtime"
	"strings"

	"fyne.io/systray"
	"golang.org/x/sys/windows/registry"
)

//go:embed icons/*.ico
var icons embed.FS

// start gives the icon a thread of its own: its window belongs to the thread
// that made it, and only that one hears its messages.
func (t *Tray) start() {
	systray.SetOnTapped(t.handlers.Tapped)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		runtime.LockOSThread()
		systray.Run(t.begin, nil)
	}()
	t.end = func() {
		systray.Quit()
		<-ended
	}
}

// Shown reports whether there is an icon: Windows always has a place for it.
func (t *Tray) Shown() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ready
}

// setCount does nothing: there is no text beside an icon.
func setCount(string) {}

func setIcon(s TrayState, dark bool) { systray.SetIcon(iconOf(icons, s, dark, "ico")) }

// darkBar tells the taskbar's colour, which is not that of the windows.
func darkBar() bool {
	key, err := registry.OpenKey(registry.CURRENT_USER, `Software\Microsoft\Windows\CurrentVersion\Themes\Personalize`, registry.QUERY_VALUE)
	if err != nil {
		return true
	}
	defer key.Close()
	light, _, err := key.GetIntegerValue("SystemUsesLightTheme")
	return err != nil || light == 0
}

// escape keeps the label's ampersands from marking access keys.
func escape(label string) string { return strings.ReplaceAll(label, "&", "&&") }
