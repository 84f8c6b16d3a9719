//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/store"
	"beckon/tests/client"
)

// A window that nobody touches is watched for idleSpan, while the clocks of so many
// questions run.
const (
	idleSpan = 10 * time.Minute
	idleAsks = 12
	idleWait = 30 * time.Minute

	askTitle = "Ask which header comes first, "
	asking   = "ask Which header comes first? | Content-Type | Content-Length\n"
)

// binarySize takes what has to be downloaded and kept.
func binarySize(b *bench) {
	sum := 0.0
	for _, program := range []string{b.beckon, b.beckon + "-window"} {
		info, err := os.Stat(program)
		b.must(err)
		sum += float64(info.Size()) / megabyte
	}
	b.print("size of the two programs", sum, "MB", atMost(60))
}

// idle takes what a window costs that shows a board and open questions, and has nothing
// to do.
func idle(b *bench) {
	d := b.desktop()
	mark := fmt.Sprintf("BECKON_IDLE=%d", os.Getpid())
	data := b.board(few, asks)
	b.queueAsks(data)
	end := d.open(b, data, mark, "-claude", b.agent(asking))
	time.Sleep(idleIn)
	tree := family(mark)
	began, cpu, wakeups := time.Now(), time.Duration(0), 0
	for _, pid := range tree {
		cpu -= worked(b, pid)
		wakeups -= woken(b, pid)
	}
	time.Sleep(idleSpan)
	for _, pid := range tree {
		cpu += worked(b, pid)
		wakeups += woken(b, pid)
	}
	span := time.Since(began)
	end()
	b.asked(data)
	label := fmt.Sprintf("window: %d processes left alone for %s, %d questions whose clocks run", len(tree), idleSpan, idleAsks)
	b.print(label+": processor time", 100*cpu.Seconds()/span.Seconds(), "% of a core", atMost(0.5))
	b.print(label+": wake-ups a minute", float64(wakeups)/span.Minutes(), "", atMost(600))
}

// asks adds tasks to a board whose agents ask, once they begin.
func asks(s *stage) {
	settings := beckon.DefaultSettings()
	settings.Slots = idleAsks
	client.Must[any](s.Program, "SaveSettings", settings)
	for i := range idleAsks {
		client.Must[beckon.Task](s.Program, "CreateTask", beckon.NewTask{
			ProjectID: s.project.ID, Title: fmt.Sprint(askTitle, i), Policy: beckon.Proceed, WaitMs: idleWait.Milliseconds(),
		})
	}
}

// queueAsks puts them where the next start of Beckon begins them.
func (b *bench) queueAsks(data string) {
	kept, err := store.Open(b.ctx, data)
	b.must(err)
	defer kept.Close()
	tasks, err := kept.Tasks(b.ctx)
	b.must(err)
	for _, t := range tasks {
		if strings.HasPrefix(t.Title, askTitle) {
			_, err := kept.UpdateTask(b.ctx, t.ID, func(t *beckon.Task) error { return t.Move(beckon.Queued) })
			b.must(err)
		}
	}
}

// asked fails the measure unless all that were to ask have asked.
func (b *bench) asked(data string) {
	kept, err := store.Open(b.ctx, data)
	b.must(err)
	defer kept.Close()
	questions, err := kept.OpenQuestions(b.ctx)
	b.must(err)
	if len(questions) != idleAsks {
		b.Fatalf("%d questions were open, not %d", len(questions), idleAsks)
	}
}

// woken returns how often the threads of a process gave up their processor to
// wait for something, and so were woken again.
func woken(b *bench, pid int) int {
	sum := 0
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid)) // the pattern is valid
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(text), "\nvoluntary_ctxt_switches:")
		line, _, _ := strings.Cut(rest, "\n")
		n, err := strconv.Atoi(strings.TrimSpace(line))
		b.must(err)
		sum += n
	}
	return sum
}
