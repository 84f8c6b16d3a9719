package scripted

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// breath is how often an agent at a pace writes.
const breath = 20 * time.Millisecond

// pace prints "N RATE @FILE": N lines, those of the file over and over, at so
// many a second. An agent that is behind catches up.
func pace(t *turn, s step) error {
	args, err := words(s.args, 3)
	if err != nil {
		return err
	}
	n, err1 := strconv.Atoi(args[0])
	rate, err2 := strconv.Atoi(args[1])
	if err1 != nil || err2 != nil || rate < 1 || !strings.HasPrefix(args[2], "@") {
		return fmt.Errorf("pace wants N RATE @FILE, not %q", s.args)
	}
	text, err := t.argument(args[2])
	if err != nil {
		return err
	}
	t.echo()
	lines := bytes.Split(bytes.TrimSpace([]byte(text)), []byte("\n"))
	began := time.Now()
	for said := 0; said < n; {
		due := min(n, int(time.Since(began).Seconds()*float64(rate))+1)
		t.out.stretch(said, due, lines)
		said = due
		if err := t.sleep(breath); err != nil {
			return err
		}
	}
	return nil
}

// stretch writes an endless flood, those lines over and over, from one place
// to another. It numbers them in place.
func (o *output) stretch(from, to int, lines [][]byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := from; i < to; i++ {
		line := lines[i%len(lines)]
		o.putLine(line)
		count(line, i/len(lines), i/len(lines)+1)
	}
	_ = o.w.Flush()
}
