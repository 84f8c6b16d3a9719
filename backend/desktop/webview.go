package desktop

// This file closes what Wails leaves open around the page: it brings the
// page back when WebKit's web process dies, keeps the window from going
// anywhere else, and puts the window where it was. It does so on Linux, where
// the page is WebKitGTK's; elsewhere Wails' own answers have to do.
//
// It promises to call its Handlers on the thread of the user interface, so they
// must not wait. It knows nothing of Beckon. All of it can go once Wails
// has a handler for navigation and for a web process that ended.

// webviewHandlers hear what happens to the page.
type webviewHandlers struct {
	// Left hears where the user's click would have led; the page stayed.
	Left func(address string)
	// Gone hears that the web process died, and says which address to load.
	Gone func(last string) string
}
