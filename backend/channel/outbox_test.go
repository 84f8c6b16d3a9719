package channel

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// queues are what is to be sent to two targets, and what was.
type queues struct {
	mu    sync.Mutex
	items map[string][]Item
	fails error // of the next look
	looks int
	sent  []string
}

func (q *queues) next(context.Context) (items []Item, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.looks++
	if err, q.fails = q.fails, nil; err != nil {
		return nil, err
	}
	for _, target := range []string{"x", "y"} {
		if all := q.items[target]; len(all) > 0 {
			items = append(items, all[0])
		}
	}
	return items, nil
}

func (q *queues) deliver(_ context.Context, id string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.sent = append(q.sent, id)
	q.items[id[:1]] = q.items[id[:1]][1:]
	return nil
}

// after lets time pass, and returns how often it was looked and what was sent by then.
func (q *queues) after(d time.Duration) (looks int, sent []string) {
	time.Sleep(d)
	synctest.Wait()
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.looks, slices.Clone(q.sent)
}

// TestWhatIsDueIsSentAndNothingTicks: items go in order, one that is due later waits
// for its time and holds nobody else up, and an error is followed by a rest.
func TestWhatIsDueIsSentAndNothingTicks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := &queues{fails: errors.New("the disk is full"), items: map[string][]Item{
			"x": {{"x1", 0}, {"x2", time.Now().Add(time.Hour).UnixMilli()}}, "y": {{"y1", 0}, {"y2", 0}},
		}}
		o := NewOutbox(Outbox{Next: q.next, Deliver: q.deliver, Failed: func(error) bool { return true }})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- o.Run(ctx) }()
		if looks, sent := q.after(0); looks != 1 || len(sent) > 0 {
			t.Fatalf("after an error: %d looks, sent %q", looks, sent)
		}
		looks, sent := q.after(2 * time.Minute)
		if !slices.Equal(sent, []string{"x1", "y1", "y2"}) {
			t.Errorf("sent %q", sent)
		}
		if again, _ := q.after(30 * time.Minute); again != looks {
			t.Errorf("it looked %d times while nothing was due", again-looks)
		}
		if _, sent = q.after(time.Hour); sent[len(sent)-1] != "x2" {
			t.Errorf("sent %q", sent)
		}
		q.mu.Lock()
		q.items["y"] = []Item{{"y3", 0}}
		q.mu.Unlock()
		o.Wake()
		if _, sent = q.after(0); sent[len(sent)-1] != "y3" {
			t.Errorf("sent %q", sent)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

func TestAnErrorThatIsFinalEndsIt(t *testing.T) {
	t.Parallel()
	gone := errors.New("the token is refused")
	o := NewOutbox(Outbox{
		Next:    func(context.Context) ([]Item, error) { return []Item{{ID: "a"}}, nil },
		Deliver: func(context.Context, string) error { return gone },
		Failed:  func(error) bool { return false },
	})
	if err := o.Run(t.Context()); !errors.Is(err, gone) {
		t.Error(err)
	}
}
