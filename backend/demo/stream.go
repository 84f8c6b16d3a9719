package demo

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// mostKept bounds the frames that wait for a page, in bytes.
const mostKept = 8 << 20

// lostFrame tells a page that frames were dropped, upon which it attaches again.
const lostFrame = `{"seq":0,"whole":false,"lost":true,"events":[]}`

// stream is what the demo sends to one client.
type stream struct {
	leave context.CancelFunc // ends read
	more  chan struct{}      // has room for one: something came, or the end
	mu    sync.Mutex         // guards what follows
	kept  []string
	size  int
	lost  bool
	over  bool
	last  time.Time // when its client asked last
}

func newStream(leave context.CancelFunc, lost bool) *stream {
	return &stream{leave: leave, more: make(chan struct{}, 1), lost: lost, last: time.Now()}
}

// asked returns when its client asked for frames last.
func (s *stream) asked() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// read takes frames until the demo or ctx ends. It never waits for the page.
func (s *stream) read(ctx context.Context, conn *websocket.Conn) {
	defer func() { _ = conn.CloseNow() }() // the demo is gone, or is left
	for {
		_, frame, err := conn.Read(ctx)
		s.mu.Lock()
		switch {
		case err != nil:
			s.over = true
		case s.size+len(frame) > mostKept:
			s.kept, s.size, s.lost = nil, 0, true
		default:
			s.kept, s.size = append(s.kept, string(frame)), s.size+len(frame)
		}
		s.mu.Unlock()
		select {
		case s.more <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// takeFrames returns the frames that wait, as a JSON array, and whether more can come.
func (s *stream) takeFrames(ctx context.Context) (frames string, open bool) {
	late := time.NewTimer(frameIn)
	defer late.Stop()
	for {
		if frames, over := s.pop(); frames != "[]" || over {
			return frames, !over
		}
		select {
		case <-s.more:
		case <-late.C:
			return "[]", true
		case <-ctx.Done():
			return "[]", true
		}
	}
}

func (s *stream) pop() (frames string, over bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = time.Now()
	if s.lost {
		s.kept, s.lost = append([]string{lostFrame}, s.kept...), false
	}
	frames = "[" + strings.Join(s.kept, ",") + "]"
	s.kept, s.size = nil, 0
	return frames, s.over
}
