// Package channel tells people away from the desk that something waits for them. All
// channels are off until the user switches them on, and each is a client of the
// desk and nothing more.
//
// One list says what may leave by which channel (leaves); letters are written by it,
// and Settings shows it. What is to be told is a row (store/away) before it is sent:
// nothing is lost while the network or Beckon is away, and what was settled
// meanwhile is never sent. How a service is spoken to is the senders' business.
package channel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/language"
	"beckon/backend/secrets"
	"beckon/backend/store"
)

// Config is what channels need of the program.
type Config struct {
	Store   *store.Store
	Secrets *secrets.Secrets
	// Publish tells the page how the channels go.
	Publish func(beckon.Event)
	// Messages are the page's, by language.
	Messages fs.FS
	// Hook sends to an address.
	Hook HookSender
	// Push sends to phones; nil: there are none.
	Push Group
	// Every is how often a service is started that could not be with Beckon; zero:
	// every 15 s.
	Every time.Duration
}

// Hub is all channels. Its methods may be called from any goroutine.
type Hub struct {
	Config
	words map[string]map[string]string
	lines map[remote.Channel]*line
	ctx   context.Context // ends with Close
	end   context.CancelFunc
	ended sync.WaitGroup

	mu     sync.Mutex // guards what is below, and what the user sets
	setups map[remote.Channel]remote.Setup

	joining  sync.Mutex // guards services; nothing is waited for under it
	services map[remote.Channel]Service

	starting sync.Mutex              // guards late; held while one of these is started
	late     map[remote.Channel]bool // could not be started with Beckon, and are to be

	changes *changes

	publishing sync.Mutex // held while how the channels go is read and told
}

// Open starts the channels that are switched on.
func Open(ctx context.Context, c Config) (*Hub, error) {
	h := &Hub{Config: c, changes: newChanges(), late: map[remote.Channel]bool{}}
	h.Every = cmp.Or(h.Every, startEvery)
	h.ctx, h.end = context.WithCancel(context.WithoutCancel(ctx))
	var err error
	if h.words, err = readWords(c.Messages); err != nil {
		return nil, err
	}
	if h.setups, err = c.Store.Settings.Channels(ctx); err != nil {
		return nil, fmt.Errorf("read how the channels are set up: %w", err)
	}
	h.lines = map[remote.Channel]*line{remote.Hook: newLine(h, remote.Hook, c.Hook, one)}
	if c.Push != nil {
		h.lines[remote.Push] = newLine(h, remote.Push, c.Push, c.Push.Receivers)
	}
	for _, l := range h.lines {
		h.ended.Go(func() { _ = l.box.Run(h.ctx) })
	}
	h.ended.Go(func() { h.follow(h.ctx) })
	for channel := range h.lines {
		if h.setups[channel].On {
			h.begin(h.ctx, channel)
		}
	}
	return h, nil
}

// Close ends the channels. What they were to tell stays to be told.
func (h *Hub) Close() {
	for channel, s := range h.joined() {
		h.leave(channel)
		s.Stop()
	}
	h.end()
	h.ended.Wait()
}

// OnEvent takes what happened. It does not wait for the network, nor for the disk.
func (h *Hub) OnEvent(e beckon.Event) {
	for _, s := range h.joined() {
		s.OnEvent(e)
	}
	switch {
	case e.Question != nil:
		h.changes.add(questionPrefix + e.Question.ID)
	case e.Run != nil && e.Run.Ended != 0 && e.Run.Kind == beckon.TaskRun:
		h.changes.add(runPrefix + e.Run.ID)
	}
}

// follow writes down what is to be told of what changed.
func (h *Hub) follow(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.changes.news:
		}
		for _, subject := range h.changes.takeAll() {
			if err := h.onChange(ctx, subject); err != nil && ctx.Err() == nil {
				slog.Error("a change is not told away from the desk", "err", err)
			}
		}
	}
}

// onChange has the channels that are on tell of a subject. One that is switched on
// later looks at what waits by then.
func (h *Hub) onChange(ctx context.Context, subject string) error {
	on := h.all()
	maps.DeleteFunc(on, func(c remote.Channel, s remote.Setup) bool { return !s.On || h.lines[c] == nil })
	if len(on) == 0 {
		return nil
	}
	var errs []error
	for channel, setup := range on {
		errs = append(errs, h.want(ctx, channel, setup, subject))
	}
	if err := errors.Join(append(errs, h.Store.Told.Changed(ctx, subject))...); err != nil {
		return err
	}
	for _, l := range h.lines {
		l.box.Wake()
	}
	return nil
}

// want has those told of a subject by a channel who are to be.
func (h *Hub) want(ctx context.Context, channel remote.Channel, setup remote.Setup, subject string) error {
	all, err := h.lines[channel].receivers(ctx)
	for _, r := range all {
		wanted, failed := h.wanted(ctx, audience{r, channel, setup}, subject)
		if wanted {
			failed = h.Store.Told.Want(ctx, channel, r.ID, subject)
		}
		err = errors.Join(err, failed)
	}
	return err
}

// wanted reports whether somebody is to be told of a subject that they know nothing
// of yet.
func (h *Hub) wanted(ctx context.Context, to audience, subject string) (bool, error) {
	if strings.HasPrefix(subject, runPrefix) {
		return to.may(remote.Ended), nil
	}
	q, err := h.Store.Question(ctx, strings.TrimPrefix(subject, questionPrefix))
	if errors.Is(err, beckon.ErrNotFound) {
		return false, nil
	}
	return err == nil && eventOf(q) == Asked && (q.TaskID != "" || to.may(remote.Elsewhere)), err
}

// begin has a channel tell of what waits already, and look at what it told once
// more: Beckon may have died between a change and its row.
func (h *Hub) begin(ctx context.Context, channel remote.Channel) {
	open, err := h.Store.OpenQuestions(ctx)
	told, err2 := h.Store.Told.Open(ctx, channel)
	if err := errors.Join(err, err2, h.Store.Told.Trim(ctx, channel, keepTold)); err != nil {
		slog.Error("what waits is not told away from the desk", "channel", channel, "err", err)
	}
	for _, q := range open {
		h.changes.add(questionPrefix + q.ID)
	}
	for _, r := range told {
		h.changes.add(r.Subject)
	}
}

// keepTold is how many messages are remembered that nothing will change.
const keepTold = 1000

// all returns how the channels are set up.
func (h *Hub) all() map[remote.Channel]remote.Setup {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.setups)
}

// Channels returns what leaves this computer, and how that goes.
func (h *Hub) Channels(ctx context.Context) (remote.Channels, error) {
	all := remote.Channels{All: []remote.State{}, InFile: h.Secrets.InFile()}
	setups := h.all()
	for _, channel := range shown {
		s := remote.State{Channel: channel, Setup: setups[channel], Always: leaves[channel].always, Optional: leaves[channel].optional, ByRight: leaves[channel].byRight}
		s.Chosen = append([]remote.Part{}, s.Chosen...)
		if service := h.joined()[channel]; service != nil {
			s.Trouble, s.Detail = service.Trouble()
			s.Refused, s.RefusedAt = service.Refused()
		} else if line := h.lines[channel]; line != nil {
			s.Trouble, s.Detail = line.trouble()
		}
		var err, err2 error
		s.Waiting, err = h.Store.Told.Waiting(ctx, channel)
		s.Last, err2 = h.Store.Told.Last(ctx, channel)
		if err := errors.Join(err, err2); err != nil {
			return all, err
		}
		all.All = append(all.All, s)
	}
	asking, seen, err := h.phones(ctx)
	for i := range all.All {
		if all.All[i].Channel == remote.Phone {
			all.All[i].Last = max(all.All[i].Last, seen) // they come for it themselves
		}
	}
	all.Asking = asking
	return all, err
}

// phones returns those that somebody at the desk has not let in yet, and when one that
// was let in was last there.
func (h *Hub) phones(ctx context.Context) (asking []remote.Device, seen int64, err error) {
	all, err := h.Store.Devices.All(ctx)
	asking = []remote.Device{}
	for _, d := range all {
		if d.Confirmed {
			seen = max(seen, d.Seen)
		} else {
			asking = append(asking, d.Shown())
		}
	}
	return asking, seen, err
}

// State is what a page that opens is to know at once: that a phone waits to be let in.
func (h *Hub) State(ctx context.Context) ([]beckon.Event, error) {
	if asking, _, err := h.phones(ctx); err != nil || len(asking) == 0 {
		return nil, err
	}
	all, err := h.Channels(ctx)
	return []beckon.Event{{Channels: &all}}, err
}

// publish tells the page how the channels go; what it tells last is the newest.
func (h *Hub) publish(ctx context.Context) {
	h.publishing.Lock()
	defer h.publishing.Unlock()
	all, err := h.Channels(ctx)
	if err != nil {
		if ctx.Err() == nil {
			slog.Error("how the channels go is not shown", "err", err)
		}
		return
	}
	h.Publish(beckon.Event{Channels: &all})
}

// say is a message in a language; where none is given, in the user's.
func (h *Hub) say(ctx context.Context, in, name string, l Letter) string {
	if in == "" {
		settings, err := h.Store.Settings.Load(ctx)
		if err != nil {
			slog.Error("the user's language is not known", "err", err)
		}
		in = settings.Language
	}
	words := h.words[language.Choose(in)]
	who := words["elsewhere"]
	if l.Task != "" {
		who = beckon.Asker(l.Task, l.Agent)
	}
	return strings.NewReplacer("{who}", who).Replace(words[name])
}
