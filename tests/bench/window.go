//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A window is watched for calmIn once it shows something, which it must do
// within showIn. One is left alone for idleIn before its memory is taken.
const (
	showIn = 30 * time.Second
	calmIn = 3 * time.Second
	idleIn = 10 * time.Second
)

// window takes how long the real window takes from the start of its process
// until the board is painted, and what all its processes weigh when nothing
// happens.
func window(b *bench) {
	d := b.desktop()
	data := b.board(many)
	var painted []float64
	for range rounds {
		began := time.Now()
		end := d.open(b, data, "")
		painted = append(painted, d.settled(b, began).Seconds())
		end()
	}
	b.print(fmt.Sprintf("window: process start to a board of %d cards painted", many), median(painted), "s", atMost(1))

	mark := fmt.Sprintf("BECKON_BENCH=%d", os.Getpid())
	end := d.open(b, b.board(few), mark)
	time.Sleep(idleIn)
	sum, parts := 0.0, []string{}
	for _, pid := range family(mark) {
		each := pss(b, pid)
		sum += each
		parts = append(parts, fmt.Sprintf("%s %.0f", filepath.Base(executable(pid)), each))
	}
	back := d.revived(b, mark)
	end()
	b.print(fmt.Sprintf("window: a board of %d cards painted again after the page's process was killed", few), back.Seconds(), "s", atMost(1))
	b.print(fmt.Sprintf("window: idle memory of the whole tree (PSS: %s)", strings.Join(parts, ", ")), sum, "MB", atMost(260))
}

// revived kills the process that has the page, and returns how long it takes until the
// page is painted again.
func (d desktop) revived(b *bench, mark string) time.Duration {
	was := d.sample(b)
	began := time.Now()
	for _, pid := range family(mark) {
		if filepath.Base(executable(pid)) == "WebKitWebProcess" {
			b.must(syscall.Kill(pid, syscall.SIGKILL))
		}
	}
	for !blank(d.sample(b)) {
		if time.Since(began) > showIn {
			b.Fatalf("the window never lost its page")
		}
		time.Sleep(5 * time.Millisecond)
	}
	took := d.settled(b, began)
	if lost := different(d.sample(b), was); lost > len(was)/4/100 {
		b.Fatalf("%d of %d pixels did not come back", lost, len(was)/4)
	}
	return took
}

// open starts Beckon in its window, with mark in its environment.
func (d desktop) open(b *bench, data, mark string, args ...string) (end func()) {
	cmd := exec.Command(b.beckon, append([]string{"-data", data}, args...)...)
	cmd.Env = append(b.env(), "DISPLAY="+d.display, "DBUS_SESSION_BUS_ADDRESS="+d.bus, mark)
	said := new(bytes.Buffer)
	cmd.Stderr = said
	b.must(cmd.Start())
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // how Wails ends is of no interest
		close(ended)
	}()
	b.Cleanup(func() { _ = cmd.Process.Kill() })
	return func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			b.Fatalf("the window ended on its own: %s", said)
		}
		<-ended
	}
}

func executable(pid int) string {
	path, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	return path
}

// desktop is a display whose pixels are in a file, and a message bus.
type desktop struct {
	display, bus string
	pixels       *os.File
}

// desktop starts Xvfb, on a number that it finds itself, and a bus.
func (b *bench) desktop() desktop {
	dir := b.TempDir()
	x := exec.Command("Xvfb", "-displayfd", "1", "-fbdir", dir, "-screen", "0", "1440x900x24", "-nolisten", "tcp", "-noreset")
	number := b.firstLine(x)
	pixels, err := os.Open(filepath.Join(dir, "Xvfb_screen0"))
	b.must(err)
	b.Cleanup(func() { pixels.Close() })
	bus := b.firstLine(exec.Command("dbus-daemon", "--session", "--nofork", "--print-address=1"))
	return desktop{":" + number, bus, pixels}
}

// firstLine starts a server that ends with the measure, and returns the first
// line that it says.
func (b *bench) firstLine(cmd *exec.Cmd) string {
	out, err := cmd.StdoutPipe()
	b.must(err)
	b.must(cmd.Start())
	b.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	b.must(err)
	return strings.TrimSpace(line)
}

// settled watches the screen and returns when, after began, it was first as
// it stayed, but for one pixel in a hundred.
func (d desktop) settled(b *bench, began time.Time) time.Duration {
	var at []time.Duration
	var seen [][]byte
	for shown := time.Duration(0); shown == 0 || time.Since(began) < shown+calmIn; time.Sleep(15 * time.Millisecond) {
		now, sample := time.Since(began), d.sample(b)
		if shown == 0 && !blank(sample) {
			shown = now
		}
		if shown == 0 && now > showIn {
			b.Fatalf("nothing is painted after %s", showIn)
		}
		at, seen = append(at, now), append(seen, sample)
	}
	last := seen[len(seen)-1]
	first := len(seen) - 1
	for first > 0 && different(seen[first-1], last) < len(last)/4/100 {
		first--
	}
	return at[first]
}

// sample reads one pixel in sixteen, of four bytes each. The file is an X
// window dump: a header of big-endian words, a colour map, then the rows.
func (d desktop) sample(b *bench) []byte {
	head := make([]byte, 100)
	_, err := d.pixels.ReadAt(head, 0)
	b.must(err)
	word := func(i int) int64 { return int64(binary.BigEndian.Uint32(head[4*i:])) }
	header, height, row, colours := word(0), word(5), word(12), word(19)
	all := make([]byte, row*height)
	_, err = io.ReadFull(io.NewSectionReader(d.pixels, header+12*colours, row*height), all)
	b.must(err)
	var some []byte
	for y := int64(0); y < height; y += 4 {
		for x := int64(0); x+4 <= row; x += 16 {
			some = append(some, all[y*row+x:y*row+x+4]...)
		}
	}
	return some
}

// different counts the pixels that differ.
func different(a, b []byte) int {
	n := 0
	for i := 0; i < len(a); i += 4 {
		if !bytes.Equal(a[i:i+4], b[i:i+4]) {
			n++
		}
	}
	return n
}

// blank reports whether a sample has no more colours than an empty window.
func blank(sample []byte) bool {
	colours := map[[4]byte]bool{}
	for i := 0; i < len(sample); i += 4 {
		colours[[4]byte(sample[i:])] = true
	}
	return len(colours) < 16
}
