package door

import (
	"net"
	"net/http"
	"testing"
	"time"

	"beckon/backend/loopback"
	"beckon/tests/timeout"
)

// TestNoStrangerTakesThePlaceOfWhoIsKnown: while two requests of phones are at work, strangers
// come and ask for more connections than there are, and a third phone reads that it has to wait.
func TestNoStrangerTakesThePlaceOfWhoIsKnown(t *testing.T) {
	t.Parallel()
	const known, others = 2, 4
	at, answered := make(chan struct{}), make(chan struct{})
	server := loopback.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/known" && !Known(r.Context()) {
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		at <- struct{}{}
		select {
		case <-answered:
		case <-r.Context().Done():
		}
	}))
	Bound(server, known, others)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(l)
	t.Cleanup(func() { _ = server.Close() })

	// Each has a connection of its own.
	ask := func(path string) <-chan int {
		said := make(chan int, 1)
		go func() {
			client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			resp, err := client.Get("http://" + l.Addr().String() + path)
			if err != nil {
				said <- 0
				return
			}
			_ = resp.Body.Close()
			said <- resp.StatusCode
		}()
		return said
	}
	phones := []<-chan int{ask("/known"), ask("/known")}
	<-at
	<-at
	strangers := []<-chan int{}
	for range 3 * others {
		strangers = append(strangers, ask("/"))
		<-at
	}
	for n, said := range strangers[:2*others] {
		if status := soon(said); status != 0 {
			t.Errorf("stranger %d makes no room for the next: %d", n, status)
		}
	}
	if status := soon(ask("/known")); status != http.StatusTooManyRequests {
		t.Errorf("a third phone: %d", status)
	}
	close(answered)
	for n, said := range phones {
		if status := soon(said); status != http.StatusOK {
			t.Errorf("phone %d: %d", n, status)
		}
	}
}

// soon returns the status that a request has, or -1.
func soon(said <-chan int) int {
	select {
	case status := <-said:
		return status
	case <-time.After(timeout.For(10 * time.Second)):
		return -1
	}
}
