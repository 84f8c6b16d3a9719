//go:build !darwin || cgo

package status

import (
	"reflect"
	"sync"

	"fyne.io/systray"
)

// Tray is the program's one icon: systray knows only one.
type Tray struct {
	handlers TrayHandlers
	end      func() // nil where no icon was begun

	mu      sync.Mutex
	ready   bool // systray takes what is shown
	model   TrayModel
	dark    bool // the bar's colour when the icon was drawn
	entries []*entry
}

// entry is an item as systray has it.
type entry struct {
	item *systray.MenuItem
	gone chan struct{}
}

// startTray shows first, or prepares to. On macOS it must be called on the main
// goroutine, before the window runs.
func startTray(first TrayModel, handlers TrayHandlers) *Tray {
	t := &Tray{handlers: handlers, model: first}
	t.start()
	return t
}

// Show changes what the tray shows, where it differs.
func (t *Tray) Show(f TrayModel) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := t.model
	t.model = f
	if !t.ready {
		return
	}
	if dark := darkBar(); f.State != before.State || dark != t.dark {
		t.draw(dark)
	}
	if f.Count != before.Count {
		setCount(f.Count)
	}
	if f.Tooltip != before.Tooltip {
		systray.SetTooltip(f.Tooltip)
	}
	if !reflect.DeepEqual(f.Menu, before.Menu) {
		t.build()
	}
}

// Close takes the icon away.
func (t *Tray) Close() {
	t.mu.Lock()
	t.ready = false
	t.deafen()
	t.mu.Unlock()
	if t.end != nil {
		t.end()
	}
}

// begin shows all that is to be shown, once systray takes it.
func (t *Tray) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ready = true
	t.paint()
	t.build()
}

// paint shows all but the menu.
func (t *Tray) paint() {
	t.draw(darkBar())
	setCount(t.model.Count)
	systray.SetTooltip(t.model.Tooltip)
}

func (t *Tray) draw(dark bool) {
	t.dark = dark
	setIcon(t.model.State, dark)
}

// build makes the menu from nothing. Its entries get ids that none ever had,
// so that a click on a menu which is out of date means nothing, rather than
// something else.
func (t *Tray) build() {
	t.clear()
	for _, i := range t.model.Menu {
		t.add(nil, i)
	}
}

// clear empties the menu.
func (t *Tray) clear() {
	t.deafen()
	systray.ResetMenu()
}

// deafen hears no clicks on the menu any more. Removing an entry would close
// its channel under the hands of a click that is just being told, which ends
// the program: systray is left none to close.
func (t *Tray) deafen() {
	for _, e := range t.entries {
		close(e.gone)
		e.item.ClickedCh = nil
	}
	t.entries = nil
}

func (t *Tray) add(parent *systray.MenuItem, i TrayItem) {
	if i.Separator {
		separate(parent)
		return
	}
	item := addItem(parent, i)
	if i.ID == "" {
		item.Disable()
	}
	e := &entry{item, make(chan struct{})}
	t.entries = append(t.entries, e)
	for _, child := range i.Items {
		t.add(item, child)
	}
	if len(i.Items) == 0 && i.ID != "" {
		go t.listen(item.ClickedCh, e.gone, i.ID)
	}
}

func (t *Tray) listen(clicks <-chan struct{}, gone <-chan struct{}, id string) {
	for {
		select {
		case <-clicks:
			t.handlers.Chose(id)
		case <-gone:
			return
		}
	}
}

func separate(parent *systray.MenuItem) {
	if parent == nil {
		systray.AddSeparator()
	} else {
		parent.AddSeparator()
	}
}

func addItem(parent *systray.MenuItem, i TrayItem) *systray.MenuItem {
	label := escape(i.Label)
	switch {
	case parent != nil:
		return parent.AddSubMenuItem(label, "")
	case i.Checkable:
		return systray.AddMenuItemCheckbox(label, "", i.Checked)
	default:
		return systray.AddMenuItem(label, "")
	}
}
