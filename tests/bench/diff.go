//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/tests/client"
)

// Two reviews are large: one has many lines, in files of several kinds, and one many files.
const (
	diffLines  = 50_000
	diffLong   = 10_000 // lines of it that are in one file
	diffFiles  = 5_000
	diffRounds = 10
	diffSteps  = 100 // presses of a key that goes through it
	// A person who turns a wheel fast goes as far at a time.
	wheelStep = 2_400
	longTask  = 50 * time.Millisecond
)

// diffs takes how long the changes of a task take to come, and whether the page
// keeps up when they are gone through.
func diffs(b *bench) {
	b.diff(fmt.Sprintf("%d lines of diff: ", diffLines), func(dir string) {
		for i := range (diffLines - diffLong) / 100 {
			b.source(dir, fmt.Sprintf("src/pkg%02d/file%03d.go", i/20, i), 300)
		}
	}, func(dir string) {
		b.source(dir, "src/long.go", diffLong)
		for i := range (diffLines - diffLong) / 100 {
			b.rewrite(dir, fmt.Sprintf("src/pkg%02d/file%03d.go", i/20, i), 50)
		}
	})
	b.diff(fmt.Sprintf("%d files of diff: ", diffFiles), func(dir string) {
		for i := range diffFiles {
			b.source(dir, fmt.Sprintf("src/pkg%02d/file%04d.go", i/100, i), 5)
		}
	}, func(dir string) {
		for i := range diffFiles {
			b.rewrite(dir, fmt.Sprintf("src/pkg%02d/file%04d.go", i/100, i), 1)
		}
	})
}

// source writes a file of so many lines of code.
func (b *bench) source(dir, name string, lines int) {
	path := filepath.Join(dir, name)
	b.must(os.MkdirAll(filepath.Dir(path), 0o755))
	var text strings.Builder
	for i := range lines {
		fmt.Fprintf(&text, "\tif value%d := parse(input[%d], \"a string\"); value%d > 0 { // %s\n", i, i, i, name)
	}
	b.must(os.WriteFile(path, []byte(text.String()), 0o644))
}

// rewrite changes so many lines of a file, in groups of three.
func (b *bench) rewrite(dir, name string, lines int) {
	path := filepath.Join(dir, name)
	text, err := os.ReadFile(path)
	b.must(err)
	list := strings.SplitAfter(string(text), "\n")
	for i := range lines {
		at := i/3*15 + i%3
		list[at] = strings.Replace(list[at], "parse", "read", 1)
	}
	b.must(os.WriteFile(path, []byte(strings.Join(list, "")), 0o644))
}

// diff takes the figures of one review: of what work changes in the files of first.
func (b *bench) diff(load string, first, work func(dir string)) {
	dir := b.TempDir()
	first(dir)
	client.Git(b, dir, "init", "-q", "-b", "main")
	client.Git(b, dir, "config", "gc.auto", "0")
	b.must(os.WriteFile(filepath.Join(dir, "README.md"), []byte("# bench\n"), 0o644))
	client.Git(b, dir, "add", "-A")
	client.Git(b, dir, "commit", "-q", "-m", "first")
	s := b.serve("text Done.\n", dir)
	t := s.InReview(s.create("Work", beckon.Running).ID)
	work(t.Worktree)
	client.Git(b, t.Worktree, "add", "-A")
	client.Git(b, t.Worktree, "commit", "-q", "-m", "work")
	for what, start := range map[string]bool{"what is shown first": true, "all of it": false} {
		took := seconds(func() { client.Must[beckon.ReviewDiff](s.Program, "Review", t.ID, reviewing.View{Start: start}) })
		b.Logf("%sthe back end alone takes %.0f ms for %s", load, took*1000, what)
	}

	tab := b.chromium()
	tab.visit(s.Program, "#/")
	tab.until("document.querySelector('article.card') !== null")
	tab.call("Runtime.evaluate", map[string]any{"expression": pressedScript})
	open := shown(".diff .dl .code")
	tab.openCard(open)
	tab.press("Escape")
	b.openings(tab, load, open)
	tab.openCard(open)
	b.goThrough(tab, load)
	tab.close()
}

func (t *tab) openCard(open string) {
	t.until("document.querySelector('article.card') !== null")
	t.focus("article.card")
	t.press("Enter")
	t.until("(" + open + ")()")
}

// openings takes how long a review takes to be opened, and how long the page works at a time for it.
func (b *bench) openings(tab *tab, load, open string) {
	renderer := tab.renderer()
	var took []float64
	tab.trace("devtools.timeline", "disabled-by-default-devtools.timeline")
	for range diffRounds {
		tab.until("document.querySelector('article.card') !== null")
		tab.focus("article.card")
		time.Sleep(keyRest)
		took = append(took, tab.pressFor("Enter", open))
		time.Sleep(keyRest)
		tab.press("Escape")
	}
	tasks := tab.traced(renderer)
	b.print(fmt.Sprintf("%sEnter on its card, the first screen: median (p95 %.0f ms)", load, p95(took)), median(took), "ms", atMost(200))
	b.print(fmt.Sprintf("%slongest task while it opens (%d over 50 ms in %d openings)", load, tasks.over(longTask), diffRounds), tasks.longest().Seconds()*1000, "ms", atMost(50))
}

// goThrough takes whether the page keeps up with the wheel and with keys, and the filter.
func (b *bench) goThrough(tab *tab, load string) {
	renderer := tab.renderer()
	for _, way := range []struct {
		name string
		turn func()
	}{
		{"the wheel, through all of it", tab.wheelThrough},
		{fmt.Sprintf("J, %d hunks", diffSteps), func() { tab.pressOften("j") }},
		{fmt.Sprintf("], %d files", diffSteps), func() { tab.pressOften("]") }},
		{"letters in the filter", tab.filterFiles},
	} {
		tab.trace("devtools.timeline", "disabled-by-default-devtools.timeline")
		way.turn()
		tasks := tab.traced(renderer)
		b.print(fmt.Sprintf("%slongest task for %s (%d over 50 ms)", load, way.name, tasks.over(longTask)), tasks.longest().Seconds()*1000, "ms", atMost(50))
	}
}

// wheelThrough turns the wheel over the diff from its beginning to its end.
func (t *tab) wheelThrough() {
	for last := -1.0; ; {
		t.call("Input.dispatchMouseEvent", map[string]any{"type": "mouseWheel", "x": 900, "y": 500, "deltaX": 0, "deltaY": wheelStep})
		at := t.number("new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(document.querySelector('.diff').scrollTop))))")
		if at == last {
			return
		}
		last = at
	}
}

// pressOften presses a key from the beginning of the diff on.
func (t *tab) pressOften(key string) {
	t.call("Runtime.evaluate", map[string]any{"expression": "document.querySelector('.diff').scrollTop = 0; document.querySelector('.diff').focus()"})
	for range diffSteps {
		t.press(key)
		t.number("new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(1))))")
	}
}

// filterFiles types into the filter of the files, one letter after the other, and takes each back.
func (t *tab) filterFiles() {
	t.focus(".side input")
	for range diffRounds {
		for _, key := range []string{"4", "2", "Backspace", "Backspace"} {
			t.press(key)
			t.number("new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(1))))")
		}
	}
}
