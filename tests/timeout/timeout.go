// Package timeout says how long a test waits before it calls something hung. One factor
// holds for all tests of a run: how many times slower than a quick machine this one is,
// with what else it does at that time. The package measures and waits; what is waited for
// is its callers' business.
package timeout

import (
	"crypto/sha256"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Env names the variable that holds the factor of a run, a decimal number of at least 1.
// build/test.sh measures once and sets it, so that all stages of a run wait alike.
const Env = "BECKON_PATIENCE"

// quick is what Work takes on two quick cores that do nothing else.
const quick = 100 * time.Millisecond

// most bounds the factor: a machine a hundred times slower is one that hangs.
const most = 40

// Factor returns how many times longer than on a quick machine a test waits: what Env
// says, or where it says nothing what Measure finds, once in this process.
var Factor = sync.OnceValue(func() float64 {
	if factor, err := strconv.ParseFloat(os.Getenv(Env), 64); err == nil {
		return min(max(factor, 1), most)
	}
	return Measure()
})

// shared is how many times longer still a test may take, since others run beside it.
const shared = 3

// Measure times Work and returns how many times longer than on a quick machine that is
// nobody else's a test may take, from 3 to 40. The slowest of three counts: a test meets a
// machine's worst moment, too.
func Measure() float64 {
	var slowest time.Duration
	for range 3 {
		began := time.Now()
		Work()
		slowest = max(slowest, time.Since(began))
	}
	return min(shared*max(float64(slowest)/float64(quick), 1), most)
}

// Work is a known piece of what tests do: ten processes are started, and 24 MB are hashed.
func Work() {
	for range 10 {
		_ = exec.Command("git", "--version").Run() // how long it takes counts, and nothing else
	}
	block := make([]byte, 1<<20)
	for range 24 {
		sum := sha256.Sum256(block)
		copy(block, sum[:])
	}
}

// For returns how long to wait here for what takes at most d on a quick machine.
func For(d time.Duration) time.Duration { return time.Duration(float64(d) * Factor()) }

// often is how long a condition is left alone between two looks.
const often = 10 * time.Millisecond

// Until waits until met reports true and fails the test if that takes longer than 20 s of
// a quick machine. what names the condition, as in "the run is over".
func Until(t testing.TB, what string, met func() bool) {
	t.Helper()
	within := For(20 * time.Second)
	for end := time.Now().Add(within); !met(); time.Sleep(often) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %s", what, within.Round(time.Millisecond))
		}
	}
}
