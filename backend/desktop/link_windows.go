package desktop

import "os"

// OnLinkRequest does nothing: Windows has no signal to ask for a link with.
func OnLinkRequest(chan<- os.Signal) {}
