package spool

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"beckon/tests/timeout"
)

var patience = timeout.For(30 * time.Second)

func open(t *testing.T, bound int64) (*Spool, string) {
	t.Helper()
	dir := t.TempDir()
	s, err := New(dir, bound)
	if err != nil {
		t.Fatal(err)
	}
	return s, dir
}

// rest reads what is kept from a line on, of a spool that is closed.
func rest(t *testing.T, s *Spool, from int64) string {
	t.Helper()
	c, err := s.From(from)
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	for buffer := make([]byte, 7); ; {
		text, err := c.Next(t.Context(), buffer)
		if errors.Is(err, io.EOF) {
			return all.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
}

// TestReadersBeginAtAnyLineThatIsKept, in whichever file it is; the others are
// gone, and half a line at the end is a line.
func TestReadersBeginAtAnyLineThatIsKept(t *testing.T) {
	t.Parallel()
	s, dir := open(t, 40)
	write := func(text string) {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		if err := s.Write(ctx, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	write("one\ntw")
	write("o\n\nfour has more than ten bytes\nfive\n")
	if err := s.Ack(4); err != nil {
		t.Fatal(err)
	}
	write("six\nsev")
	if lines, err := s.Close(t.Context()); err != nil || lines != 7 {
		t.Fatalf("%d lines, %v", lines, err)
	}
	if got := rest(t, s, 5); got != "five\nsix\nsev\n" {
		t.Errorf("from 5 on: %q", got)
	}
	if got := rest(t, s, 7); got != "sev\n" {
		t.Errorf("from 7 on: %q", got)
	}
	if got := rest(t, s, 8); got != "" {
		t.Errorf("from 8 on: %q", got)
	}
	for _, n := range []int64{0, 4, 9} {
		if _, err := s.From(n); !errors.Is(err, ErrUnknown) {
			t.Errorf("from %d on: %v", n, err)
		}
	}
	if err := s.Ack(8); !errors.Is(err, ErrUnknown) {
		t.Errorf("a line that never was is acknowledged: %v", err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 2 {
		t.Errorf("%d files, %v", len(files), err)
	}
}

// TestALineThatIsLongerThanTheBoundIsKeptWhole, and the next waits until it was
// acknowledged.
func TestALineThatIsLongerThanTheBoundIsKeptWhole(t *testing.T) {
	t.Parallel()
	s, _ := open(t, 100)
	long := strings.Repeat("x", 5000) + "\n"
	if err := s.Write(t.Context(), []byte(long)); err != nil {
		t.Fatal(err)
	}
	soon, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := s.Write(soon, []byte("short\n")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("there was room: %v", err)
	}
	written := make(chan error, 1)
	go func() { written <- s.Write(t.Context(), []byte("short\n")) }()
	if err := s.Ack(1); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-written:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(patience):
		t.Fatal("the writer still waits")
	}
	if _, err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := rest(t, s, 2); got != "short\n" {
		t.Errorf("then comes %q", got)
	}
}

// TestAReaderFollowsTheWriterOverItsFiles, which go as it acknowledges.
func TestAReaderFollowsTheWriterOverItsFiles(t *testing.T) {
	t.Parallel()
	s, dir := open(t, 1000)
	const lines = 3000
	go func() {
		for range lines {
			if s.Write(t.Context(), []byte(strings.Repeat("y", 99)+"\n")) != nil {
				return
			}
		}
		_, _ = s.Close(t.Context())
	}()
	c, err := s.From(1)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	n := int64(0)
	for buffer := make([]byte, 333); ; {
		text, err := c.Next(ctx, buffer)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		n += int64(bytes.Count(text, []byte("\n")))
		if err := s.Ack(n); err != nil {
			t.Fatal(err)
		}
	}
	if files, err := os.ReadDir(dir); n != lines || err != nil || len(files) > 2 {
		t.Errorf("%d of %d lines, and %d files are left, %v", n, lines, len(files), err)
	}
}
