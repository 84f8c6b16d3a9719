package notify

import (
	"log/slog"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/notifying"
)

// Config joins a Center with the program. Attach sends frames to sink until detach; State is the
// whole state; Publish sends an event to every client and never blocks.
type Config struct {
	Attach  func(sink func(beckon.Frame)) (detach func())
	State   func() (beckon.Frame, error)
	Publish func(beckon.Event)
}

// Center follows the program's events and publishes notices. One goroutine owns its Decider.
type Center struct {
	c       Config
	decider *Decider
	detach  func()
	frames  chan beckon.Frame
	looks   chan string
	quit    chan struct{}
	working sync.WaitGroup
}

// New returns a center that has not begun.
func New(c Config) *Center {
	return &Center{
		c: c, decider: NewDecider(), detach: func() {}, frames: make(chan beckon.Frame), looks: make(chan string, 16),
		quit: make(chan struct{}),
	}
}

// Start begins to follow. What is there already is no news.
func (c *Center) Start() error {
	detach := c.c.Attach(func(f beckon.Frame) {
		select {
		case c.frames <- f:
		case <-c.quit:
		}
	})
	whole, err := c.c.State()
	if err != nil {
		close(c.quit) // or detach waits for a frame that is never received
		detach()
		c.quit = make(chan struct{})
		return err
	}
	c.detach = detach
	c.decider.Begin(whole.Events, time.Now())
	c.working.Go(c.run)
	return nil
}

// Close ends it. Notices stay as they are.
func (c *Center) Close() {
	close(c.quit)
	c.detach()
	c.working.Wait()
}

// LookedAt takes that the user has looked at a question, so that they are not reminded of it. A
// burst of looks may lose some; a reminder too many is the worst of it.
func (c *Center) LookedAt(questionID string) {
	select {
	case c.looks <- questionID:
	default:
	}
}

func (c *Center) run() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		timer.Reset(c.untilNext(time.Now()))
		select {
		case <-c.quit:
			return
		case f := <-c.frames:
			c.follow(f)
		case id := <-c.looks:
			c.decider.LookedAt(id)
		case <-timer.C:
			c.publish(c.decider.Tick(time.Now()))
		}
	}
}

// untilNext returns how long nothing is due. A clock that the machine slept through is looked at
// after an hour at the latest.
func (c *Center) untilNext(now time.Time) time.Duration {
	next := c.decider.Next(now)
	if next.IsZero() {
		return time.Hour
	}
	return max(0, min(time.Hour, next.Sub(now)))
}

// follow takes a frame. After one that says it lost some, the whole state is read; what that does
// not name was settled meanwhile.
func (c *Center) follow(f beckon.Frame) {
	events := f.Events
	if f.Lost {
		whole, err := c.c.State()
		if err != nil {
			slog.Error("read what notifications missed", "err", err)
			return
		}
		events = append(c.decider.View.Vanished(whole.Events), whole.Events...)
	}
	for _, e := range events {
		c.publish(c.decider.OnEvent(e, time.Now()))
	}
}

func (c *Center) publish(notices []notifying.Notice) {
	for _, n := range notices {
		c.c.Publish(beckon.Event{Notice: &n})
	}
}
