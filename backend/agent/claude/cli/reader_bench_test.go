package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"beckon/backend/agent/claude/lines"
	"beckon/backend/agent/process"
)

// BenchmarkNext compares with BenchmarkBarePipe: lines of 1 KB, a pipe
// between.
func BenchmarkNext(b *testing.B) {
	from := flooded(b)
	r := lines.New(from, 0)
	b.SetBytes(1024)
	b.ReportAllocs()
	for n := 0; n < b.N; {
		lines, err := r.Next()
		if err != nil {
			b.Fatal(err)
		}
		n += len(lines)
	}
}

func BenchmarkBarePipe(b *testing.B) {
	from := flooded(b)
	buf := make([]byte, 256<<10)
	b.SetBytes(1024)
	for n := 0; n < b.N*1024; {
		k, err := from.Read(buf)
		if err != nil {
			b.Fatal(err)
		}
		n += k
	}
}

// flooded returns a pipe that never runs dry.
func flooded(b *testing.B) *os.File {
	b.Helper()
	from, to, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	process.Widen(from)
	line := `{"type":"assistant","message":{"content":[{"type":"text","text":"`
	line += strings.Repeat("x", 1023-len(line)-len(`"}]}}`)) + `"}]}}` + "\n"
	chunk := bytes.Repeat([]byte(line), 64)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			if _, err := to.Write(chunk); err != nil {
				return
			}
		}
	}()
	b.Cleanup(func() {
		from.Close()
		<-done
		to.Close()
	})
	return from
}
