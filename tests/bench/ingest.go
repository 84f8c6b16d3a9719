//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/agent/claude/lines"
	"beckon/backend/beckon"
)

// ingest takes how fast lines are stored, until the client that shows them has the last,
// against a pipe whose reader does nothing with them, and one whose reader cuts it into
// lines and writes them to a file: what is between the two is the machine's.
func ingest(b *bench) {
	compare(b, "1 KB lines", 1_000_000, "flood 1000000 620", "", atLeast(55))
	compare(b, "mixed lines", 300_000, "flood 300000 @mix", "-- mix --\n"+mixture(), atLeast(40))
}

// rounds is how often all are measured, in turns; the median counts.
const rounds = 3

func compare(b *bench, name string, many int, flood, files string, t target) {
	script := framed(flood) + files
	var bare, written, stored []float64
	var bytes int64
	rate := func(took time.Duration) float64 { return float64(many) / took.Seconds() }
	for range rounds {
		took, n := barePipe(b, script, b.throwAway)
		bare, bytes = append(bare, rate(took)), n
		took, _ = barePipe(b, script, b.write)
		written = append(written, rate(took))
		s := b.serve(script, b.TempDir())
		took, _ = s.work()
		stored = append(stored, rate(took))
		s.Close()
		s.stored(many)
		b.must(os.RemoveAll(s.data)) // it is large
	}
	is, could := median(stored), median(bare)
	label := fmt.Sprintf("ingest, %s (%.2f KB): %.0f lines/s of the %.0f of ", name, float64(bytes)/float64(many)/1000, is, could)
	b.print(label+"a bare pipe of the same size", 100*is/could, "%", t)
	could = median(written)
	label = fmt.Sprintf("ingest, %s: %.0f lines/s of the %.0f of ", name, is, could)
	b.print(label+"a loop that only cuts lines and writes them to a file", 100*is/could, "%", atLeast(60))
}

// next returns the next piece of a pipe, and io.EOF after the last.
type next func() ([]byte, error)

func (b *bench) throwAway(pipe io.Reader) next {
	buf := make([]byte, 256<<10)
	return func() ([]byte, error) {
		n, err := pipe.Read(buf)
		return buf[:n], err
	}
}

// write cuts a pipe into lines as Beckon does, and writes those of a piece to a file at
// once.
func (b *bench) write(pipe io.Reader) next {
	file, err := os.Create(filepath.Join(b.TempDir(), "log"))
	b.must(err)
	r, buf := lines.New(pipe, 0), []byte(nil)
	return func() ([]byte, error) {
		list, err := r.Next()
		if err != nil {
			return nil, errors.Join(err, file.Close(), os.Remove(file.Name())) // it is large
		}
		buf = buf[:0]
		for _, line := range list {
			buf = append(append(buf, line.Raw...), '\n')
		}
		_, err = file.Write(buf)
		return buf, err
	}
}

// barePipe reads what the agent writes to a pipe as large as Beckon's. It returns how long
// that was from the word to begin, and how many bytes came.
func barePipe(b *bench, script string, read func(pipe io.Reader) next) (took time.Duration, bytes int64) {
	cmd := exec.CommandContext(b.ctx, b.agent(script), cli.Options{}.Args()...)
	cmd.Env, cmd.Dir, cmd.Stderr = b.env(), b.TempDir(), os.Stderr
	stdin, err := cmd.StdinPipe()
	b.must(err)
	out, theirs, err := os.Pipe()
	b.must(err)
	defer out.Close()
	_, err = unix.FcntlInt(theirs.Fd(), unix.F_SETPIPE_SZ, 1<<20)
	b.must(err)
	cmd.Stdout = theirs
	b.must(cmd.Start())
	theirs.Close()
	piece := read(out)
	say(b, stdin, "Work")
	for said := ""; !strings.Contains(said, firstWords); {
		text, err := piece()
		b.must(err)
		said += string(text)
	}
	say(b, stdin, startWord)
	began := time.Now()
	for {
		text, err := piece()
		if errors.Is(err, io.EOF) {
			break
		}
		b.must(err)
		const begun = 256 << 10
		if before := bytes; before < begun && before+int64(len(text)) >= begun {
			b.must(stdin.Close()) // it has the word, and ends when it is done
		}
		bytes += int64(len(text))
	}
	took = time.Since(began)
	b.must(cmd.Wait())
	return took, bytes
}

// say sends a message as Beckon does.
func say(b *bench, stdin io.Writer, text string) {
	_, err := stdin.Write(message(b, text))
	b.must(err)
}

// message is the line by which Beckon sends one.
func message(b *bench, text string) []byte {
	line, err := json.Marshal(map[string]any{
		"type": "user", "uuid": beckon.NewUUID(),
		"message": map[string]any{"role": "user", "content": text},
	})
	b.must(err)
	return append(line, '\n')
}

// mixture is lines as an agent at work says them: it thinks, reads, runs,
// edits and tells, and what it reads is long. Their mean is 2.6 KB.
func mixture() string {
	var m strings.Builder
	speech := func(kind string, block map[string]any) {
		line := map[string]any{
			"message":    map[string]any{"role": kind, "content": []any{block}, "id": "msg_000000000000", "model": "claude-opus-4-8"},
			"session_id": "3d3f3759-c4fe-4b1a-95d2-91ed17d78909", "parent_tool_use_id": nil,
			"uuid": fmt.Sprintf("%08d-0000-4000-8000-000000000000", m.Len()),
		}
		text, err := json.Marshal(line)
		if err != nil {
			panic(err) // it is made of strings
		}
		// The CLI's lines begin with their type.
		fmt.Fprintf(&m, "{\"type\":%q,%s\n", kind, text[1:])
	}
	call := func(name string, input map[string]any, result int) {
		id := fmt.Sprintf("toolu_%d_000000000000", m.Len())
		speech("assistant", map[string]any{"type": "tool_use", "id": id, "name": name, "input": input})
		speech("user", map[string]any{"type": "tool_result", "tool_use_id": id, "content": prose(result)})
	}
	speech("assistant", map[string]any{"type": "thinking", "thinking": prose(1500), "signature": "c2ln"})
	speech("assistant", map[string]any{"type": "text", "text": prose(400)})
	call("Read", map[string]any{"file_path": "/home/dev/project/parser.go"}, 9000)
	call("Bash", map[string]any{"command": "go test ./...", "description": "Run the tests"}, 2500)
	speech("assistant", map[string]any{"type": "text", "text": prose(300)})
	call("Edit", map[string]any{"file_path": "/home/dev/project/parser.go", "old_string": prose(900), "new_string": prose(1100)}, 1200)
	call("Grep", map[string]any{"pattern": "func Parse", "path": "/home/dev/project"}, 7000)
	speech("assistant", map[string]any{"type": "text", "text": prose(1200)})
	return m.String()
}

// prose is n bytes of lines of words.
func prose(n int) string {
	return strings.Repeat("a line of some words, as \"code\" or prose has\n", n/45+1)[:n]
}
