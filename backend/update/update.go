// Package update asks once a day, while the user wants it, whether there is a newer
// version of Beckon, and tells the page. It sends nothing but the question, fetches
// nothing but the name of the version, and shows nothing where the answer is odd.
package update

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/channel/egress"
)

const (
	// every is how long after a question the next one comes, at the earliest.
	every = 24 * time.Hour
	// spread keeps all computers from asking at the same minute of each day.
	spread = time.Hour
	// glance is how often the clock is looked at: timers stand still while a computer
	// sleeps.
	glance = 10 * time.Minute
	// patience is how long the answer may take.
	patience = 10 * time.Second
)

// Config is what a Watch needs.
type Config struct {
	Version    string // of this program
	Repository string // at GitHub, as owner/name; empty asks nobody
	Settings   func(context.Context) (beckon.Settings, error)
	Kept       func(context.Context) (beckon.ReleaseState, error)
	Keep       func(context.Context, beckon.ReleaseState) error
	Publish    func(beckon.Event)
	Installed  Installation
}

// Watch asks, and knows what the last answer was.
type Watch struct {
	Config

	client *http.Client
	server string
	now    func() time.Time

	keeping sync.Mutex // held while what is kept is changed

	wake chan struct{}
	end  context.CancelFunc
	done sync.WaitGroup
}

// New returns a Watch that does nothing before it is started.
func New(c Config) *Watch {
	return &Watch{
		Config: c, client: egress.Client(egress.Public, patience), server: "https://api.github.com", now: time.Now,
		wake: make(chan struct{}, 1), end: func() {},
	}
}

// Asks reports whether there is anybody to ask.
func (w *Watch) Asks() bool { return w.Repository != "" }

// Start has it ask when it is time, until Close.
func (w *Watch) Start() {
	if !w.Asks() {
		return
	}
	ctx, end := context.WithCancel(context.Background())
	w.end = end
	w.done.Go(func() { w.run(ctx) })
}

// Close ends it, and a request under way.
func (w *Watch) Close() {
	w.end()
	w.done.Wait()
}

// OnEvent has what the user switched take effect.
func (w *Watch) OnEvent(e beckon.Event) {
	if e.Settings != nil {
		w.lookAgain()
	}
}

func (w *Watch) lookAgain() {
	select {
	case w.wake <- struct{}{}:
	default: // it is about to look
	}
}

// Skip has the page say no more of a version that it shows; the next one is said again.
func (w *Watch) Skip(ctx context.Context, version string) error {
	_, err := w.change(ctx, func(kept *beckon.ReleaseState) {
		if kept.Version == version {
			kept.Skipped = version
		}
	})
	w.lookAgain()
	return err
}

// change changes what is kept, and returns it.
func (w *Watch) change(ctx context.Context, how func(*beckon.ReleaseState)) (beckon.ReleaseState, error) {
	w.keeping.Lock()
	defer w.keeping.Unlock()
	kept, err := w.Kept(ctx)
	if err != nil {
		return kept, err
	}
	how(&kept)
	return kept, w.Keep(ctx, kept)
}

// State returns what the page shows.
func (w *Watch) State(ctx context.Context) ([]beckon.Event, error) {
	on, kept, err := w.readState(ctx)
	return []beckon.Event{{Release: w.shown(on, kept)}}, err
}

// run asks when it is time, and looks again when the user changed a setting.
func (w *Watch) run(ctx context.Context) {
	late := rand.N(spread) //nolint:gosec // it only spreads questions over time
	on, kept, err := w.readState(ctx)
	told := *w.shown(on, kept) // the page has it with the whole state
	if err != nil {
		slog.Error("read what is known of newer versions", "err", err)
	}
	for ctx.Err() == nil {
		on, kept, err := w.readState(ctx)
		if err == nil && on && w.due(kept, late) {
			kept, err = w.ask(ctx)
		}
		if err != nil && ctx.Err() == nil {
			slog.Info("whether there is a newer version is unknown", "err", err)
		}
		if notice := w.shown(on, kept); *notice != told {
			told = *notice
			w.Publish(beckon.Event{Release: notice})
		}
		select {
		case <-ctx.Done():
		case <-w.wake:
		case <-time.After(glance):
		}
	}
}

func (w *Watch) readState(ctx context.Context) (on bool, kept beckon.ReleaseState, err error) {
	settings, err := w.Settings(ctx)
	if err != nil {
		return false, kept, err
	}
	kept, err = w.Kept(ctx)
	return settings.Updates, kept, err
}

// due reports whether a day has passed. A clock that was set back is no reason to wait
// until it has caught up.
func (w *Watch) due(kept beckon.ReleaseState, late time.Duration) bool {
	since := w.now().Sub(time.UnixMilli(kept.Asked))
	return kept.Asked == 0 || since < 0 || since >= every+late
}

// ask asks, and keeps that it did before it does: a program that fails in between asks
// no second time.
func (w *Watch) ask(ctx context.Context) (beckon.ReleaseState, error) {
	kept, err := w.change(ctx, func(kept *beckon.ReleaseState) { kept.Asked = w.now().UnixMilli() })
	if err != nil {
		return kept, err
	}
	found, err := w.latest(ctx)
	if err != nil {
		return kept, err
	}
	return w.change(ctx, func(kept *beckon.ReleaseState) { kept.ReleaseNotice = found })
}

// shown is what is shown of what is known: an update may have been installed since.
func (w *Watch) shown(on bool, kept beckon.ReleaseState) *beckon.ReleaseNotice {
	if !on || !w.Asks() || kept.Version == kept.Skipped || !newer(kept.Version, w.Version) {
		return &beckon.ReleaseNotice{}
	}
	notice := w.Installed.of(kept.ReleaseNotice)
	return &notice
}
