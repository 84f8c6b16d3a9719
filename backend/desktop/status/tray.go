package status

// This file shows an icon with a menu in the desktop's bar: a
// StatusNotifierItem on Linux, the notification area on Windows, the menu bar
// on macOS.
//
// It draws what it is given and tells what was chosen. Where nobody shows
// icons it does no harm, and its icon appears on its own when somebody begins
// to. It knows nothing of Beckon.

// TrayState chooses the icon.
type TrayState int

// The states. An icon never blinks.
const (
	Idle TrayState = iota
	Paused
	Attention
)

// TrayModel is all that a tray shows at one moment.
type TrayModel struct {
	State   TrayState
	Tooltip string
	Count   string // beside the icon, where the desktop has a place for it; empty for none
	Menu    []TrayItem
}

// TrayItem is one entry of the menu. Its label is shown as it is: what a bar would
// take for the mark of an access key is escaped.
type TrayItem struct {
	// ID is what Chose is given when it is chosen; two items of one menu never share
	// one. Empty makes an entry that cannot be chosen.
	ID        string
	Label     string
	Separator bool
	Checkable bool
	Checked   bool
	// Items make a submenu; an entry that has one is not chosen itself.
	Items []TrayItem
}

// TrayHandlers are called for what the user did, on goroutines of the tray. They
// must not block.
type TrayHandlers struct {
	Chose  func(id string) // an entry of the menu
	Tapped func()          // the icon
}
