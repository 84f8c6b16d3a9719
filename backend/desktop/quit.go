package desktop

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"beckon/backend/beckon"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// closing decides what becomes of a window that is asked to close: it hides
// where a tray icon brings it back, and quits else. It tells Wails whether to
// keep it open.
func (w *Window) closing(context.Context) (stays bool) {
	if w.isQuitting() {
		return false
	}
	w.saveGeometry()
	if w.TrayShown() {
		w.hide()
		return true
	}
	return w.askFirst()
}

// Quit ends Beckon. With QuitAsk it first asks in the page what becomes of the
// agents that work and of what runs in terminals, if anything does; agents that are not
// stopped are parked.
func (w *Window) Quit(choice beckon.QuitChoice) error {
	if choice == beckon.QuitAsk && w.askFirst() {
		return nil
	}
	if choice == beckon.QuitStop {
		w.StopAgents()
	}
	w.leave()
	return nil
}

// askFirst asks what becomes of the agents and of what runs in terminals, and reports
// whether there was anything to ask and anyone to ask it.
func (w *Window) askFirst() bool {
	n, keys := w.Working(), w.InTerminals()
	if n == 0 && len(keys) == 0 || !w.pageIsThere() {
		return false
	}
	w.Ask(beckon.PageCall{Kind: beckon.PageQuit, Agents: n, Keys: keys})
	w.raise()
	return true
}

// leave closes the window for good.
func (w *Window) leave() {
	w.saveGeometry()
	w.mu.Lock()
	w.quitting = true
	ctx := w.ctx
	w.mu.Unlock()
	if ctx != nil {
		runtime.Quit(ctx)
	}
}

func (w *Window) isQuitting() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.quitting
}

// obeySignals quits at the first signal, without asking, since the sender
// does not look at the page; a second one ends the program at once. Wails
// listens too, but to one signal in its life, and would take a window that
// hides for an answer: so its handler goes.
func (w *Window) obeySignals() {
	signals := make(chan os.Signal, 2)
	signal.Reset(EndSignals...)
	signal.Notify(signals, EndSignals...)
	<-signals
	go w.leave()
	<-signals
	os.Exit(Interrupted)
}

// EndSignals are what asks a program to end: an interrupt, the end of the
// session, and the terminal that goes.
var EndSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// Interrupted is the exit code of a program that got a second signal.
const Interrupted = 130

// UntilSignal returns a context that ends at the first request to stop. A
// second one ends the program at once.
func UntilSignal() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, EndSignals...)
	go func() {
		<-signals
		cancel()
		<-signals
		os.Exit(Interrupted)
	}()
	return ctx, cancel
}
