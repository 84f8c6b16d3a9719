package process

import (
	"io"
	"sync"

	"beckon/backend/agent"
)

// Input writes lines to an agent, whole and one after the other, in a goroutine of
// its own: an agent that does not read keeps nobody waiting, least of all the
// reader of its stream.
type Input struct {
	to io.WriteCloser

	mu      sync.Mutex // guards what follows
	lines   []outgoing
	closing bool // nothing more will come
	ended   bool // nothing more is written
	kick    chan struct{}
}

// outgoing is a line on its way; written gets what became of it.
type outgoing struct {
	line    []byte
	written chan<- error
}

// NewInput returns the input that ends in to, and closes it.
func NewInput(to io.WriteCloser) *Input {
	i := &Input{to: to, kick: make(chan struct{}, 1)}
	go i.run()
	return i
}

// Post puts a line behind the others and returns at once. The channel has
// room for what becomes of it; the error is agent.ErrEnded where nothing more goes
// out.
func (i *Input) Post(line []byte) (<-chan error, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.closing || i.ended {
		return nil, agent.ErrEnded
	}
	written := make(chan error, 1)
	i.lines = append(i.lines, outgoing{append(line, '\n'), written})
	i.wake()
	return written, nil
}

// Close lets what is on its way out, and nothing more in.
func (i *Input) Close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.closing = true
	i.wake()
}

// End gives up what was not written: the agent is gone. It frees a write that
// blocks.
func (i *Input) End() {
	i.Close()
	i.to.Close()
}

func (i *Input) wake() {
	select {
	case i.kick <- struct{}{}:
	default:
	}
}

// run writes until the input is closed, or a line was cut off by an error: the
// next one would be read as the rest of it.
func (i *Input) run() {
	defer i.to.Close()
	for {
		o, ok := i.next()
		if !ok {
			return
		}
		if _, err := i.to.Write(o.line); err != nil {
			o.written <- agent.ErrEnded
			i.giveUp()
			return
		}
		o.written <- nil
	}
}

// next waits for a line, and for none once the input is closed.
func (i *Input) next() (outgoing, bool) {
	for {
		i.mu.Lock()
		if len(i.lines) > 0 {
			o := i.lines[0]
			i.lines[0] = outgoing{} // may be long
			i.lines = i.lines[1:]
			i.mu.Unlock()
			return o, true
		}
		closing := i.closing
		i.ended = closing
		i.mu.Unlock()
		if closing {
			return outgoing{}, false
		}
		<-i.kick
	}
}

func (i *Input) giveUp() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.ended = true
	for _, o := range i.lines {
		o.written <- agent.ErrEnded
	}
	i.lines = nil
}
