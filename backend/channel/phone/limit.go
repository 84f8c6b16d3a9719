package phone

import (
	"net/netip"
	"sync"
	"time"
)

const (
	// What a phone may ask in a second, and at once.
	deviceRate, deviceBurst = 20, 40
	// What all those may together whom nobody knows.
	strangerRate, strangerBurst = 5, 20
	// mostStreams is how many of its pages a phone may have open.
	mostStreams = 4
)

// bucket bounds how often something is done: rate a second, burst at once.
type bucket struct {
	rate, burst float64

	mu    sync.Mutex
	spent float64
	at    time.Time
}

// takeToken reports whether it may be done once more at a time.
func (b *bucket) takeToken(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = max(0, b.spent-max(0, now.Sub(b.at).Seconds())*b.rate)
	b.at = now
	if b.spent+1 > b.burst {
		return false
	}
	b.spent++
	return true
}

// visitors are the phones that were there since Beckon began.
type visitors struct {
	mu   sync.Mutex
	byID map[string]*visitor
}

// visitor is one of them.
type visitor struct {
	// acting is held while something is done from the phone, and by those who change
	// what it may do.
	acting sync.RWMutex
	asks   bucket
	gone   chan struct{} // closed when it was removed

	mu      sync.Mutex
	streams []*stream // the oldest first
	network netip.Prefix
	there   time.Time // when it was last there from the network
	apart   time.Time // when it was from another just before
}

// stream is an open page.
type stream struct {
	wake chan struct{} // holds one
	end  chan struct{} // closed when a newer page takes its place
}

func (all *visitors) of(id string) *visitor {
	all.mu.Lock()
	defer all.mu.Unlock()
	v := all.byID[id]
	if v == nil {
		if all.byID == nil {
			all.byID = map[string]*visitor{}
		}
		v = &visitor{asks: bucket{rate: deviceRate, burst: deviceBurst}, gone: make(chan struct{})}
		all.byID[id] = v
	}
	return v
}

// forget drops a phone that was removed, and ends its streams.
func (all *visitors) forget(id string) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if v := all.byID[id]; v != nil {
		close(v.gone)
		delete(all.byID, id)
	}
}

func (all *visitors) wakeAll() {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, v := range all.byID {
		v.wake()
	}
}

// open adds a stream. The oldest ends where there are too many: its page may be gone
// without a word.
func (v *visitor) open() (st *stream, leave func()) {
	st = &stream{wake: make(chan struct{}, 1), end: make(chan struct{})}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.streams = append(v.streams, st)
	if len(v.streams) > mostStreams {
		close(v.streams[0].end)
		v.streams = v.streams[1:]
	}
	return st, func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		for i, one := range v.streams {
			if one == st {
				v.streams = append(v.streams[:i:i], v.streams[i+1:]...)
			}
		}
	}
}

// wake has the phone's streams look.
func (v *visitor) wake() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, st := range v.streams {
		select {
		case st.wake <- struct{}{}:
		default:
		}
	}
}

// apartIn is how soon after each other two networks are worth a look.
const apartIn = time.Minute

// cameFrom notes a network, and reports whether the phone was in another just before.
func (v *visitor) cameFrom(network netip.Prefix, now time.Time) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	other := v.network.IsValid() && v.network != network && now.Sub(v.there) < apartIn
	v.network, v.there = network, now
	if other {
		v.apart = now
	}
	return other
}

func (v *visitor) apartAt() int64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.apart.IsZero() {
		return 0
	}
	return v.apart.UnixMilli()
}

// networkOf is the network of a connection's far end: of IPv6, what a home has.
func networkOf(addr string) (netip.Prefix, bool) {
	at, err := netip.ParseAddrPort(addr)
	if err != nil {
		return netip.Prefix{}, false
	}
	ip := at.Addr().Unmap().WithZone("")
	bits := 32
	if ip.Is6() {
		bits = 64
	}
	network, err := ip.Prefix(bits)
	return network, err == nil
}
