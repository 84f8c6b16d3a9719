package phone

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/store/away"
)

const (
	// inboxEvery is how often a changed inbox is sent at the most.
	inboxEvery = time.Second / 4
	// beatEvery finds out about pages that are gone without a word.
	beatEvery = 20 * time.Second
	// writeIn is how long a page may leave an event unread.
	writeIn = 10 * time.Second
)

// flow is what is sent to one open page.
type flow struct {
	s    *Server
	w    http.ResponseWriter
	conn *http.ResponseController
	id   string
	// me and inbox are what the page has.
	me, inbox []byte
}

// goneEvent is the last that a phone reads which was removed.
const goneEvent = "event: gone\ndata: {}\n\n"

// events tells a page what changes, until either side goes.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	f := flow{s: s, w: w, conn: http.NewResponseController(w), id: idOf(r.Context())}
	v := s.visitors.of(f.id)
	st, leave := v.open()
	defer leave()
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // else nginx keeps them back
	w.WriteHeader(http.StatusOK)
	f.run(r.Context(), v, st)
}

// run looks at each change until the page or its phone is gone.
func (f *flow) run(ctx context.Context, v *visitor, st *stream) {
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	for {
		if f.sendChanges(ctx) != nil {
			return
		}
		rest := time.NewTimer(inboxEvery)
		wake := (<-chan struct{})(nil) // not before it has rested
		for waits := true; waits; {
			select {
			case <-ctx.Done():
				return
			case <-st.end:
				return
			case <-v.gone:
				_ = f.write(goneEvent)
				return
			case <-beat.C:
				if f.write(": \n\n") != nil {
					return
				}
				waits = false // it is seen to be there
			case <-rest.C:
				wake = st.wake
			case <-wake:
				waits = false
			}
		}
	}
}

// sendChanges sends what is another than the page has.
func (f *flow) sendChanges(ctx context.Context) error {
	d, err := f.s.Book.Device(ctx, f.id)
	if errors.Is(err, beckon.ErrNotFound) {
		return errors.Join(err, f.write(goneEvent))
	}
	if err != nil {
		return err
	}
	f.s.there(ctx, d)
	if err := f.sendIfChanged("me", &f.me, f.s.meOf(d), nil); err != nil || !d.Confirmed {
		return err
	}
	return f.lookInbox(ctx, d)
}

func (f *flow) lookInbox(ctx context.Context, d away.Device) error {
	inbox, err := f.s.inboxOf(ctx, d)
	if err != nil {
		return err
	}
	return f.sendIfChanged("inbox", &f.inbox, inbox, func() any {
		inbox.Now = f.s.now().UnixMilli()
		return inbox
	})
}

// sendIfChanged sends an event whose data is another than before; final is what is sent of it,
// where that is more.
func (f *flow) sendIfChanged(name string, before *[]byte, v any, final func() any) error {
	text, err := json.Marshal(v)
	if err != nil || bytes.Equal(text, *before) {
		return err
	}
	*before = text
	if final != nil {
		if text, err = json.Marshal(final()); err != nil {
			return err
		}
	}
	return f.write("event: " + name + "\ndata: " + string(text) + "\n\n")
}

func (f *flow) write(text string) error {
	_ = f.conn.SetWriteDeadline(time.Now().Add(writeIn))
	if _, err := f.w.Write([]byte(text)); err != nil {
		return err
	}
	return f.conn.Flush()
}
