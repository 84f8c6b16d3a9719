//go:build linux

package observe

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// writeEnv makes the test binary the writer of session files: what it takes of
// the processor is not the watcher's.
const writeEnv = "BECKON_TEST_WRITE"

func TestMain(m *testing.M) {
	if files := os.Getenv(writeEnv); files != "" {
		write(strings.Split(files, ":"))
		return
	}
	os.Exit(m.Run())
}

// write appends 100 lines a second to each file until its stdin is closed, each a
// text of 1 KB or, now and then, a call and its result, and then a last word.
func write(files []string) {
	stop := make(chan bool)
	go func() { _, _ = bufio.NewReader(os.Stdin).ReadByte(); close(stop) }()
	var open []*os.File
	for _, name := range files {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		open = append(open, f)
	}
	tick := time.NewTicker(10 * time.Millisecond)
	for i := 0; ; i++ {
		select {
		case <-stop:
			for _, f := range open {
				_, _ = f.WriteString(textLine("The end."))
			}
			return
		case <-tick.C:
		}
		line := textLine(strings.Repeat("x", 900))
		switch i % 10 {
		case 3:
			line = useLine(fmt.Sprint("c", i), "Bash", `{"command":"ls","description":"list"}`)
		case 4:
			line = answerLine(fmt.Sprint("c", i-1))
		}
		for _, f := range open {
			_, _ = f.WriteString(line)
		}
	}
}

// spent returns the processor time of this process.
func spent(b *testing.B) time.Duration {
	b.Helper()
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// sessionsFor starts n sessions with a file each, and a watcher that knows them.
func sessionsFor(b *testing.B, n int) (*stage, []*agent) {
	b.Helper()
	s := &stage{t: b, root: b.TempDir(), events: make(chan Event, 100_000)}
	var agents []*agent
	for range n {
		a := s.start().says(Idle)
		a.writes(textLine("Ready."))
		agents = append(agents, a)
	}
	s.open(nil)
	for range n {
		s.next(Appeared, nil)
	}
	return s, agents
}

// measured is how long a share of a core is measured.
const measured = 5 * time.Second

// BenchmarkTwentyQuietSessions reports how much of a core the watcher takes while
// nothing happens: less than 0.1 %.
func BenchmarkTwentyQuietSessions(b *testing.B) {
	sessionsFor(b, 20)
	for b.Loop() {
		before := spent(b)
		time.Sleep(measured)
		share := 100 * (spent(b) - before).Seconds() / measured.Seconds()
		b.ReportMetric(share, "%core")
	}
}

// BenchmarkTenBusySessions reports how much of a core the watcher takes while ten
// sessions write 100 lines a second each, less than 5 %, and that none is lost.
func BenchmarkTenBusySessions(b *testing.B) {
	s, agents := sessionsFor(b, 10)
	var files []string
	for _, a := range agents {
		a.says(Busy)
		files = append(files, a.file())
	}
	for b.Loop() {
		cmd := exec.CommandContext(b.Context(), os.Args[0])
		cmd.Env = []string{writeEnv + "=" + strings.Join(files, ":")}
		stdin, err := cmd.StdinPipe()
		if err != nil {
			b.Fatal(err)
		}
		before := spent(b)
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		time.Sleep(measured)
		stdin.Close()
		_ = cmd.Wait()
		b.ReportMetric(100*(spent(b)-before).Seconds()/measured.Seconds(), "%core")
		for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
			list := s.w.Sessions()
			if !slices.ContainsFunc(list, func(s Session) bool { return s.Last.Text != "The end." }) {
				break
			}
			if time.Now().After(deadline) {
				b.Fatalf("lines are lost: %+v", list)
			}
		}
	}
	info, _ := os.Stat(filepath.Clean(files[0]))
	b.Logf("%d bytes in each file", info.Size())
}

// BenchmarkAQuestionIsSeen reports how long after its line is in the file a
// question is known: 500 ms at most.
func BenchmarkAQuestionIsSeen(b *testing.B) {
	s, agents := sessionsFor(b, 1)
	for b.Loop() {
		var slowest time.Duration
		for i := range 20 {
			id := fmt.Sprint("q", b.N, "-", i)
			agents[0].writes(useLine(id, "AskUserQuestion", ask))
			written := time.Now()
			s.next(Opened, nil)
			slowest = max(slowest, time.Since(written))
			agents[0].writes(answerLine(id))
			s.next(Settled, nil)
		}
		b.ReportMetric(float64(slowest.Milliseconds()), "ms-slowest")
	}
}
