package feed

import "beckon/backend/beckon"

// How much may wait for one client. It bounds the memory that a client
// that stopped reading can hold.
const (
	maxPending = 4096    // keys
	maxBytes   = 8 << 20 // of values, as sizeOf estimates them
)

// queue is the newest value for each key, in the order in which the keys were
// first put. Its owner guards it.
type queue struct {
	events []beckon.Event
	sizes  []int
	index  map[string]int // of events
	bytes  int
	lost   bool // too much waited; the client must know
}

func newQueue() queue { return queue{index: map[string]int{}} }

// putEvent replaces the value of key or appends it. A queue that grows too long is
// dropped, and takes nothing more until its owner told the client: all of it
// is in what the client then fetches.
func (q *queue) putEvent(key string, e beckon.Event, size int) {
	if q.lost {
		return
	}
	if i, ok := q.index[key]; ok {
		q.bytes += size - q.sizes[i]
		q.events[i], q.sizes[i] = e, size
	} else {
		q.index[key] = len(q.events)
		q.events, q.sizes = append(q.events, e), append(q.sizes, size)
		q.bytes += size
	}
	if len(q.events) > maxPending || q.bytes > maxBytes {
		*q = newQueue()
		q.lost = true
	}
}

// takeEvents empties the queue.
func (q *queue) takeEvents() (events []beckon.Event, lost bool) {
	events, lost = q.events, q.lost
	if events == nil {
		events = []beckon.Event{}
	}
	clear(q.index)
	q.events, q.sizes, q.bytes, q.lost = nil, q.sizes[:0], 0, false
	return events, lost
}
