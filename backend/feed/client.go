package feed

import (
	"time"

	"beckon/backend/beckon"
)

// client is one receiver of frames. A goroutine of its own calls sink, so a
// slow one delays nobody else.
type client struct {
	feed  *Feed
	sink  func(beckon.Frame)
	wake  chan struct{} // holds one: there is something to send, or sooner
	quit  chan struct{}
	ended chan struct{}

	// The rest is guarded by feed.mu.
	watches  map[string]bool
	queue    queue
	pressing urgency       // of what is pending, the greatest
	last     time.Time     // when the latest frame was sent
	rest     time.Duration // how long the client is left alone after it
	seq      int64         // of the latest frame
	gives    bool          // it says when it has taken a frame
	waits    bool          // for it to take the latest one
	over     bool
}

func newClient(f *Feed, sink func(beckon.Frame)) *client {
	return &client{
		feed: f, sink: sink,
		wake: make(chan struct{}, 1), quit: make(chan struct{}), ended: make(chan struct{}),
		queue: newQueue(),
	}
}

// schedule sees to it that what is pending is sent in time; feed.mu is held.
func (c *client) schedule(u urgency) {
	if u <= c.pressing {
		return
	}
	c.pressing = u
	c.nudge()
}

// nudge has run look at what there is to send, and when.
func (c *client) nudge() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// end makes run return; feed.mu is held.
func (c *client) end() {
	if !c.over {
		c.over = true
		close(c.quit)
	}
}

// run sends frames until the client ends. Nothing pending means nothing ticks.
func (c *client) run() {
	defer close(c.ended)
	for {
		select {
		case <-c.quit:
			return
		case <-c.wake:
		}
		if !c.waitDue() {
			return
		}
		if frame, ok := c.takeFrame(); ok {
			began := time.Now()
			c.sink(frame)
			c.sent(time.Since(began))
		}
	}
}

// waitDue waits for the moment of the next frame, which may come closer
// meanwhile, and reports false when the client ended first.
func (c *client) waitDue() bool {
	for {
		wait := c.untilDue()
		if wait <= 0 {
			return true
		}
		timer := time.NewTimer(wait)
		select {
		case <-c.quit:
			timer.Stop()
			return false
		case <-c.wake:
			timer.Stop()
		case <-timer.C:
			return true
		}
	}
}

func (c *client) untilDue() time.Duration {
	c.feed.mu.Lock()
	defer c.feed.mu.Unlock()
	pause := c.pressing.pause(c.rest)
	if c.waits && c.pressing < question {
		pause = patience
	}
	return time.Until(c.last.Add(pause))
}

// taken notes that the client has taken the frame of a number, and all before it; feed.mu is held.
func (c *client) taken(seq int64) {
	c.gives = true
	if seq < c.seq || !c.waits {
		return
	}
	c.waits = false
	if c.pressing > nothing {
		c.nudge()
	}
}

// takeFrame makes the next frame of what is pending and numbers it.
func (c *client) takeFrame() (frame beckon.Frame, ok bool) {
	c.feed.mu.Lock()
	defer c.feed.mu.Unlock()
	c.pressing = nothing
	events, lost := c.queue.takeEvents()
	if len(events) == 0 && !lost || c.over {
		return beckon.Frame{}, false
	}
	c.feed.seq++
	c.seq, c.waits = c.feed.seq, c.gives
	return beckon.Frame{Seq: c.seq, Events: events, Lost: lost}, true
}

// sent notes that a frame was sent, which took so long.
func (c *client) sent(took time.Duration) {
	c.feed.mu.Lock()
	defer c.feed.mu.Unlock()
	c.last, c.rest = time.Now(), restAfter(took)
}
