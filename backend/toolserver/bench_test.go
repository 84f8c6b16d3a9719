package toolserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/loopback"
	"beckon/tests/timeout"

	"github.com/mark3labs/mcp-go/server"
)

// BenchmarkRoundTrip takes an ask_user call that is answered at once against a
// plain HTTP echo behind the same middleware, in turns, and reports both medians
// and their ratio: what MCP costs beyond HTTP.
func BenchmarkRoundTrip(b *testing.B) {
	s := listenAt(b, func(_ context.Context, q beckon.Question) (beckon.Question, error) {
		return answered(q), nil
	})
	call, err := open(s.URL(), s.Admit(Caller{RunID: "run"}))
	must(b, err)
	echo := echoServer(b)
	var mcpTimes, plainTimes []time.Duration
	for b.Loop() {
		body := askBody(1, `{"progressToken":1}`)
		asked, plain := call(body), request(echo, body)
		plain.Header = asked.Header.Clone()
		plainTimes = append(plainTimes, timed(b, plain))
		mcpTimes = append(mcpTimes, timed(b, asked))
	}
	mcp, http := median(mcpTimes), median(plainTimes)
	b.ReportMetric(float64(mcp.Microseconds()), "mcp-p50-µs")
	b.ReportMetric(float64(http.Microseconds()), "http-p50-µs")
	b.ReportMetric(float64(mcp)/float64(http), "ratio")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkBlocked blocks 10,000 calls, then answers them all. The callers are
// another process, so that what a call costs while it waits is the server's
// share alone. It reports that, and how many calls were lost.
func BenchmarkBlocked(b *testing.B) {
	const n = 10_000
	for b.Loop() {
		kb, lost := block(b, n)
		b.ReportMetric(kb, "KB/call")
		b.ReportMetric(float64(lost), "lost")
	}
	b.ReportMetric(0, "ns/op")
}

func block(b *testing.B, n int) (kb float64, lost int) {
	gate, blocked := make(chan struct{}), make(chan struct{}, n)
	s := listenAt(b, func(ctx context.Context, q beckon.Question) (beckon.Question, error) {
		blocked <- struct{}{}
		select {
		case <-gate:
			return answered(q), nil
		case <-ctx.Done():
			return q, context.Cause(ctx)
		}
	})
	before := inUse()
	ctx, cancel := context.WithTimeout(b.Context(), timeout.For(2*time.Minute))
	defer cancel()
	callers := exec.CommandContext(ctx, os.Args[0])
	callers.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %d", callersEnv, s.URL(), s.Admit(Caller{RunID: "run"}), n))
	callers.Stderr = os.Stderr
	answers, err := callers.StdoutPipe()
	must(b, err)
	must(b, callers.Start())
	for range n {
		select {
		case <-blocked:
		case <-ctx.Done():
			b.Fatalf("not all calls arrived: %v", ctx.Err())
		}
	}
	kb = (float64(inUse()) - float64(before)) / float64(n) / 1024
	close(gate)
	_, err = fmt.Fscan(answers, &lost)
	must(b, errors.Join(err, callers.Wait()))
	return kb, lost
}

// callersEnv makes the test binary the callers of BenchmarkBlocked: "URL TOKEN N".
const callersEnv = "BECKON_BENCH_CALLERS"

func TestMain(m *testing.M) {
	var url, token string
	var n int
	if _, err := fmt.Sscan(os.Getenv(callersEnv), &url, &token, &n); err != nil {
		os.Exit(m.Run())
	}
	fmt.Println(callAll(url, token, n))
}

// callAll calls n times at once and counts the calls that did not come back
// with their own answer.
func callAll(url, token string, n int) int {
	call, err := open(url, token)
	if err != nil {
		return n
	}
	var lost atomic.Int64
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			text, err := exchange(call(askBody(i, `{"progressToken":1}`)))
			if err != nil || !strings.Contains(text, fmt.Sprintf(`\"%d\" →`, i)) {
				lost.Add(1)
			}
		})
	}
	all.Wait()
	return int(lost.Load())
}

func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}

func answered(q beckon.Question) beckon.Question {
	q.Settlement = beckon.Answered
	q.Answer = &beckon.Answer{Items: []beckon.ItemAnswer{{Other: "yes"}}}
	return q
}

func listenAt(b *testing.B, ask func(context.Context, beckon.Question) (beckon.Question, error)) *Server {
	b.Helper()
	s, err := Listen(Desk{Ask: ask, OnAnswerWritten: func(context.Context, string) error { return nil }})
	must(b, err)
	b.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		must(b, s.Close(ctx))
	})
	return s
}

// open begins an MCP session and returns a maker of its requests.
func open(url, token string) (func(body string) *http.Request, error) {
	authorize := func(r *http.Request) *http.Request {
		r.Header.Set("Authorization", "Bearer "+token)
		return r
	}
	res, err := http.DefaultTransport.RoundTrip(authorize(request(url, helloBody)))
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	id := res.Header.Get(server.HeaderKeySessionID)
	return func(body string) *http.Request {
		r := authorize(request(url, body))
		r.Header.Set(server.HeaderKeySessionID, id)
		return r
	}, err
}

// echoServer is what HTTP alone costs: the same middleware and the same care with
// the body, which is sent back.
func echoServer(b *testing.B) (url string) {
	b.Helper()
	ln, err := loopback.Listen("127.0.0.1:0")
	must(b, err)
	echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })
	s := loopback.NewServer(loopback.Middleware(loopback.Body(echo, loopback.Options{}), loopback.Options{}))
	go func() { _ = s.Serve(ln) }()
	b.Cleanup(func() { _ = s.Close() })
	return "http://" + ln.Addr().String()
}

func request(url, body string) *http.Request {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		panic(err) // the URL is the server's own
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	return r
}

func exchange(r *http.Request) (string, error) {
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return string(body), err
}

func timed(b *testing.B, r *http.Request) time.Duration {
	began := time.Now()
	_, err := exchange(r)
	took := time.Since(began)
	must(b, err)
	return took
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}
