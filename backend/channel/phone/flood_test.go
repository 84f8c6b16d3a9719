package phone

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"
)

func (w *world) dial() net.Conn {
	w.t.Helper()
	addr, _ := w.Listens()
	conn, err := net.DialTimeout("tcp", addr, patience)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(patience))
	return conn
}

func TestAFloodOfOnePhoneIsItsOwnTrouble(t *testing.T) {
	t.Parallel()
	w := start(t)
	at := time.Now().UnixMilli()
	w.stands.Store(at)
	loud, quiet := w.pairs("loud"), w.pairs("quiet")
	count, changes := map[int]int{}, w.changes.Load()
	for range deviceBurst + 30 {
		res := loud.get("/api/me")
		if count[res.status]++; res.status == http.StatusTooManyRequests && res.header.Get("Retry-After") != "1" {
			t.Error("it does not read when to come again")
		}
	}
	if count[http.StatusOK] != deviceBurst || count[http.StatusTooManyRequests] != 30 || w.refused.Load() != 30 {
		t.Errorf("%v, and %d are counted", count, w.refused.Load())
	}
	if w.changes.Load() != changes {
		t.Error("the desk hears of each")
	}
	if res := quiet.get("/api/me"); res.status != http.StatusOK {
		t.Errorf("the other phone: %d", res.status)
	}
	w.stands.Store(at + 1000)
	for n := range deviceRate {
		if res := loud.get("/api/me"); res.status != http.StatusOK {
			t.Errorf("request %d of the next second: %d", n, res.status)
		}
	}
}

func TestAFloodOfStrangersKeepsNoPhoneOut(t *testing.T) {
	t.Parallel()
	w := start(t)
	who := w.phone("Pixel 9", everything)
	w.strangers.mu.Lock()
	w.strangers.rate, w.strangers.burst, w.strangers.spent = strangerRate, strangerBurst, 0
	w.strangers.mu.Unlock()
	w.stands.Store(time.Now().UnixMilli())
	count, stranger := map[int]int{}, w.stranger()
	for range strangerBurst {
		count[stranger.get("/api/me").status]++
	}
	for range 10 {
		count[stranger.get("/api/inbox").status]++
		count[stranger.post("/api/pair", map[string]string{"code": "00000000"}).status]++
	}
	if count[http.StatusUnauthorized] != strangerBurst || count[http.StatusTooManyRequests] != 20 || w.refused.Load() != strangerBurst+20 {
		t.Errorf("%v, and %d are counted", count, w.refused.Load())
	}
	if res := stranger.get("/sw.js"); res.status != http.StatusOK {
		t.Errorf("the page: %d", res.status)
	}
	if res := who.get("/api/me"); res.status != http.StatusOK {
		t.Errorf("a phone: %d", res.status)
	}
}

func TestAPageTooManyEndsTheOldest(t *testing.T) {
	t.Parallel()
	w := start(t)
	who := w.phone("Pixel 9", everything)
	first := who.events()
	first.until("inbox", "")
	var last *events
	for range mostStreams {
		last = who.events()
		last.until("inbox", "")
	}
	for {
		if name, _ := first.next(); name == "" {
			break
		}
	}
	v := w.visitors.of(who.id)
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.streams) != mostStreams {
		t.Errorf("%d streams", len(v.streams))
	}
}

func TestSilentConnectionsKeepNobodyOut(t *testing.T) {
	t.Parallel()
	w := start(t)
	who := w.phone("Pixel 9", everything)
	for range 3 * mostOthers {
		w.dial()
	}
	for range 5 {
		if res := w.fresh(who).get("/api/me"); res.status != http.StatusOK {
			t.Fatalf("%d", res.status)
		}
	}
}

// TestSlowBodiesOfStrangersKeepNobodyOut: twice as many of them as phones are answered at once, for pairing
// and for what only phones may, which come again as soon as they are ended.
func TestSlowBodiesOfStrangersKeepNobodyOut(t *testing.T) {
	t.Parallel()
	w := start(t)
	who := w.phone("Pixel 9", everything)
	if _, _, err := w.Codes.Issue(); err != nil { // so that bodies are read
		t.Fatal(err)
	}
	ctx, enough := context.WithCancel(t.Context())
	var strangers sync.WaitGroup
	defer strangers.Wait()
	defer enough()
	addr, _ := w.Listens()
	for n := range 2 * mostAsk {
		strangers.Go(func() {
			for ctx.Err() == nil {
				dribble(ctx, addr, []string{"pair", "task/x/message"}[n%2])
			}
		})
	}
	for n := range 25 {
		if res := w.fresh(who).get("/api/me"); res.status != http.StatusOK {
			t.Fatalf("request %d: %d", n, res.status)
		}
	}
}

// dribble asks with a body that does not come, until the connection is ended.
func dribble(ctx context.Context, addr, call string) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	defer conn.Close()
	fmt.Fprintf(conn, "POST /api/%s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{", call, strings.TrimPrefix(tunnel, "https://"))
	_, _ = io.Copy(io.Discard, conn)
}

// TestNoBodyIsReadWhereNoCodeHolds: nobody can be paired then, whatever it says.
func TestNoBodyIsReadWhereNoCodeHolds(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.Codes.Cancel()
	conn := w.dial()
	fmt.Fprintf(conn, "POST /api/pair HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{", strings.TrimPrefix(tunnel, "https://"))
	if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, "403") {
		t.Errorf("%q, %v", line, err)
	}
}

// fresh is the phone with a connection of its own.
func (w *world) fresh(who *client) *client {
	c := w.stranger()
	c.cookie, c.key, c.id = who.cookie, who.key, who.id
	return c
}

func TestTheThirtyThirdRequestIsRefusedWhileAllAreAtWork(t *testing.T) {
	t.Parallel()
	w := start(t)
	pages := []*events{}
	for n := range mostAsk / mostStreams {
		who := w.phone(fmt.Sprint("phone ", n), everything)
		who.http.CloseIdleConnections()
		for range mostStreams {
			page := who.events()
			page.until("inbox", "")
			pages = append(pages, page)
		}
	}
	last := w.phone("one more", everything)
	if res := last.get("/api/me"); res.status != http.StatusTooManyRequests {
		t.Errorf("the 33rd request: %d", res.status)
	}
	if res := w.stranger().get("/sw.js"); res.status != http.StatusOK {
		t.Errorf("the page: %d", res.status)
	}
	_ = pages[0].body.Close()
	for deadline := time.Now().Add(patience); last.get("/api/me").status != http.StatusOK; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nobody is answered after one has left")
		}
	}
}

func TestTwoNetworksWithinAMinuteAreShown(t *testing.T) {
	t.Parallel()
	at := func(addr string) netip.Prefix {
		network, ok := networkOf(addr)
		if !ok {
			t.Fatalf("%s is no network", addr)
		}
		return network
	}
	var all visitors
	v, now := all.of("phone"), time.Now()
	for _, c := range []struct {
		addr  string
		after time.Duration
		apart bool
	}{
		{"203.0.113.7:4000", 0, false},
		{"203.0.113.7:5000", time.Second, false},
		{"[::ffff:203.0.113.7]:1", time.Second, false},
		{"198.51.100.1:1", 2 * time.Minute, false},
		{"203.0.113.7:1", time.Second, true},
		{"[2001:db8:1:2::1]:1", 2 * time.Minute, false},
		{"[2001:db8:1:2::9]:1", time.Second, false},
		{"[2001:db8:1:3::9]:1", time.Second, true},
	} {
		now = now.Add(c.after)
		if got := v.cameFrom(at(c.addr), now); got != c.apart {
			t.Errorf("%s: %v", c.addr, got)
		}
	}
	if v.apartAt() != now.UnixMilli() {
		t.Errorf("%d", v.apartAt())
	}
	if _, ok := networkOf("pipe"); ok {
		t.Error("what is no address has a network")
	}
}

func TestABucketFillsAgain(t *testing.T) {
	t.Parallel()
	b, now := bucket{rate: 2, burst: 3}, time.Now()
	for n, want := range []bool{true, true, true, false} {
		if got := b.takeToken(now); got != want {
			t.Errorf("%d: %v", n, got)
		}
	}
	if !b.takeToken(now.Add(time.Second/2)) || b.takeToken(now.Add(time.Second/2)) {
		t.Error("half a second is worth one")
	}
	if b.takeToken(now.Add(-time.Hour)) {
		t.Error("a clock that was set back fills it")
	}
}
