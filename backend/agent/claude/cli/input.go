package cli

import (
	"io"
	"sync"

	"beckon/backend/agent"
)

// input writes lines to the agent, whole and one after the other, in a
// goroutine of its own: an agent that does not read keeps nobody from waiting
// no longer, least of all the reader of its stream.
type input struct {
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

func newInput(to io.WriteCloser) *input {
	i := &input{to: to, kick: make(chan struct{}, 1)}
	go i.run()
	return i
}

// post puts a line behind the others and returns at once. The channel has
// room for what becomes of it.
func (i *input) post(line []byte) (<-chan error, error) {
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

// close lets what is on its way out, and nothing more in.
func (i *input) close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.closing = true
	i.wake()
}

// end gives up what was not written: the agent is gone. It frees a write that
// blocks.
func (i *input) end() {
	i.close()
	i.to.Close()
}

func (i *input) wake() {
	select {
	case i.kick <- struct{}{}:
	default:
	}
}

// run writes until the input is closed, or a line was cut off by an error: the
// next one would be read as the rest of it.
func (i *input) run() {
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
func (i *input) next() (outgoing, bool) {
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

func (i *input) giveUp() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.ended = true
	for _, o := range i.lines {
		o.written <- agent.ErrEnded
	}
	i.lines = nil
}
