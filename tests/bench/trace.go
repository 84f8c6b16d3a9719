//go:build linux

package main

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket/wsjson"
)

// tasks is how long each task of a page's main thread worked. It is the
// thread's own time: what else the machine was at is not in it.
type tasks []time.Duration

// trace begins to note what the page does, of some categories.
func (t *tab) trace(categories ...string) {
	t.call("Tracing.start", map[string]any{"categories": strings.Join(categories, ","), "transferMode": "ReturnAsStream"})
}

// traced ends a trace and returns the tasks of a process's main thread.
func (t *tab) traced(pid int) tasks {
	t.call("Tracing.end", nil)
	var events []struct {
		Name     string
		Pid, Tid int
		TDur     int64 // in microseconds
	}
	var list tasks
	t.b.must(json.Unmarshal(t.stream(t.event("Tracing.tracingComplete")), &struct{ TraceEvents any }{&events}))
	for _, e := range events {
		if e.Pid == pid && e.Tid == pid && e.Name == "RunTask" {
			list = append(list, time.Duration(e.TDur)*time.Microsecond)
		}
	}
	return list
}

// event waits for an event and returns the stream that it names.
func (t *tab) event(name string) string {
	for {
		var said struct {
			Method string
			Params struct{ Stream string }
		}
		t.b.must(wsjson.Read(t.b.ctx, t.conn, &said))
		if said.Method == name {
			return said.Params.Stream
		}
	}
}

// stream reads a stream to its end.
func (t *tab) stream(handle string) []byte {
	var all strings.Builder
	for {
		var part struct {
			Data string
			EOF  bool
		}
		t.b.must(json.Unmarshal(t.call("IO.read", map[string]any{"handle": handle, "size": 8 << 20}), &part))
		all.WriteString(part.Data)
		if part.EOF {
			return []byte(all.String())
		}
	}
}

func (l tasks) over(d time.Duration) (n int) {
	for _, one := range l {
		if one > d {
			n++
		}
	}
	return n
}

func (l tasks) longest() time.Duration { return slices.Max(append(l, 0)) }
