package status

import (
	"errors"
	"os"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/feed"
	"beckon/tests/timeout"
)

// A start whose state cannot be read must end with that error, not hang on an
// event that comes meanwhile.
func TestAStateThatCannotBeReadDoesNotHangTheStart(t *testing.T) {
	t.Parallel()
	f, broken := feed.New(), errors.New("the disk is full")
	taken := make(chan struct{}, 1)
	opened := make(chan error, 1)
	go func() {
		_, err := Open(Program{
			Messages: os.DirFS(messagesDir),
			Attach: func(sink func(beckon.Frame)) func() {
				return f.Attach("tray", func(frame beckon.Frame) {
					taken <- struct{}{}
					sink(frame)
				})
			},
			State: func() (beckon.Frame, error) {
				f.Publish(beckon.Event{Task: &beckon.Task{ID: "t"}})
				<-taken
				return beckon.Frame{}, broken
			},
		})
		opened <- err
	}()
	select {
	case err := <-opened:
		if !errors.Is(err, broken) {
			t.Errorf("Open returns %v", err)
		}
	case <-time.After(timeout.For(10 * time.Second)):
		t.Fatal("Open does not return")
	}
}
