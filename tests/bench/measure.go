//go:build linux

package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
)

// measure takes some of the figures.
type measure struct {
	name string
	run  func(*bench)
	long bool // it is taken only when it is asked for
}

// take takes the measure and reports whether that was possible.
func (m measure) take(beckon string) bool {
	b := &bench{name: m.name, beckon: beckon}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer b.end()
		m.run(b)
		if b.rows == 0 {
			b.Errorf("nothing was measured")
		}
	}()
	<-done
	return !b.failed
}

// bench is a measure being taken. It is as much of a testing.TB as what
// drives the program calls.
type bench struct {
	testing.TB
	name   string
	beckon string // the program

	ctx      context.Context
	cancel   context.CancelFunc
	cleanups []func()
	failed   bool
	rows     int // printed
}

func (b *bench) Helper()                  {}
func (b *bench) Context() context.Context { return b.ctx }
func (b *bench) Failed() bool             { return b.failed }
func (b *bench) Cleanup(f func())         { b.cleanups = append(b.cleanups, f) }

func (b *bench) Logf(format string, args ...any) {
	fmt.Fprintf(os.Stderr, b.name+": "+format+"\n", args...)
}

func (b *bench) Errorf(format string, args ...any) {
	b.failed = true
	b.Logf(format, args...)
}

// Fatalf ends the measure, from its own goroutine.
func (b *bench) Fatalf(format string, args ...any) {
	b.Errorf(format, args...)
	runtime.Goexit()
}

func (b *bench) Fatal(args ...any) { b.Fatalf("%s", fmt.Sprint(args...)) }

func (b *bench) TempDir() string {
	dir, err := os.MkdirTemp("", "beckon-bench-")
	b.must(err)
	b.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func (b *bench) must(err error) {
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bench) end() {
	b.cancel()
	for _, f := range slices.Backward(b.cleanups) {
		f()
	}
}

// target is what a figure should be.
type target struct {
	sign  string
	value float64
}

func atLeast(value float64) target { return target{"≥", value} }
func atMost(value float64) target  { return target{"≤", value} }

func (t target) met(value float64) bool {
	if t.sign == "≥" {
		return value >= t.value
	}
	return value <= t.value
}

// print prints a figure. One that is no number, as of a count that stayed at nothing, was
// not measured.
func (b *bench) print(name string, value float64, unit string, t target) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		b.Errorf("%s was not measured: %v", name, value)
		return
	}
	b.rows++
	verdict := "ok"
	if !t.met(value) {
		verdict = "short"
	}
	fmt.Printf("%s\t%s\t%s\t%s %s\t%s\n", name, figure(value), unit, t.sign, figure(t.value), verdict)
}

// figure writes three digits, or all of a large number.
func figure(v float64) string {
	if v >= 100 || v <= -100 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

func median[T int64 | float64](list []T) T {
	slices.Sort(list)
	return list[len(list)/2]
}
