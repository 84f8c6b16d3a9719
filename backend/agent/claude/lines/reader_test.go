package lines

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"beckon/backend/agent/claude"
)

// TestLinesAreCutAlikeHoweverTheyArrive needs the reader itself: where a
// pipe breaks cannot be chosen.
func TestLinesAreCutAlikeHoweverTheyArrive(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("y", 3*bufferSize)
	text := "{\"type\":\"result\"}\n\r\n\n" + long + "\nlast, cut off"
	want := []string{`{"type":"result"}`, "\r", long, "last, cut off"}
	for name, from := range map[string]io.Reader{
		"at once":      strings.NewReader(text),
		"byte by byte": iotest.OneByteReader(strings.NewReader(text)),
		"half":         iotest.HalfReader(strings.NewReader(text)),
		"with the end": iotest.DataErrReader(strings.NewReader(text)),
	} {
		r := New(from, 0)
		var got []string
		for {
			lines, err := r.Next()
			if err != nil {
				if !errors.Is(err, io.EOF) {
					t.Fatal(err)
				}
				break
			}
			if len(lines) == 0 {
				t.Fatalf("%s: no lines and no error", name)
			}
			for _, l := range lines {
				got = append(got, string(l.Raw))
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: %d lines", name, len(got))
		}
	}
}

func TestBufferOfAHugeLineIsGivenBack(t *testing.T) {
	t.Parallel()
	huge := string(make([]byte, 5<<20)) + "\n"
	r := New(io.MultiReader(strings.NewReader(huge), strings.NewReader(huge), strings.NewReader("small\n"),
		strings.NewReader("small\n")), 0)
	var sizes []int
	for range 4 {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(r.buf))
	}
	if sizes[0] != sizes[1] || sizes[3] > bufferKept {
		t.Errorf("buffers of %d bytes; want huge lines to share one that is given back after them", sizes)
	}
}

func TestWhatAHugeLineOutgrewIsNotLeftBehind(t *testing.T) { // not parallel: it measures memory
	const size = 20 << 20
	r := New(io.MultiReader(io.LimitReader(endless{}, size), strings.NewReader("\n")), 0)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	if lines, err := r.Next(); err != nil || len(lines[0].Raw) != size {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > size*3/2 {
		t.Errorf("%d MB are in use for a line of %d MB", grown>>20, size>>20)
	}
	runtime.KeepAlive(r)
}

// endless never ends a line.
type endless struct{}

func (endless) Read(to []byte) (int, error) { return len(to), nil }

func TestALineThatIsTooLongIsLeftOutAndTheNextOneRead(t *testing.T) {
	t.Parallel()
	const most = 1 << 20
	text := "one\n" + strings.Repeat("x", 20*most) + "\ntwo\n" + strings.Repeat("y", most) + "\n" +
		strings.Repeat("z", most+1) + "\nthree\n" + strings.Repeat("z", 3*most)
	r := New(strings.NewReader(text), most)
	var got []string
	for {
		lines, err := r.Next()
		if err != nil {
			break
		}
		if cap(r.buf) > most*2 {
			t.Fatalf("the buffer has %d bytes", cap(r.buf))
		}
		for _, l := range lines {
			if l.Kind == claude.LongLine {
				got = append(got, "too long")
			} else {
				got = append(got, string(l.Raw[:min(len(l.Raw), 5)]))
			}
		}
	}
	if want := "one,too long,two,yyyyy,too long,three,too long"; strings.Join(got, ",") != want {
		t.Errorf("read %q, want %s", got, want)
	}
}
