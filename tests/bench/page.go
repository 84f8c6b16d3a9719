//go:build linux

package main

import (
	"fmt"
	"path/filepath"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
)

// A board of many cards is what the first paint is timed with, and one of few
// what memory is measured with.
const many, few = 1000, 20

// board makes a data folder with so many cards, a quarter of them done.
func (b *bench) board(cards int, more ...func(*stage)) (data string) {
	s := b.serve("text Done.\n", b.TempDir())
	for i := range cards {
		t := s.create(fmt.Sprintf("Card %d: parse the headers of what the %dth server sends", i, i%17), beckon.Backlog)
		if i%4 == 0 {
			client.Must[beckon.Task](s.Program, "MoveTask", t.ID, beckon.Done, 0)
		}
	}
	for _, add := range more {
		add(s)
	}
	s.Close()
	return s.data
}

// shownScript notes when a card has been painted, in milliseconds from the
// navigation's start.
const shownScript = `window.boardShown = new Promise((done) => {
  const look = () => document.querySelector('[data-task]')
    ? setTimeout(() => done(performance.now()))
    : requestAnimationFrame(look);
  look();
});`

// sizeScript adds up what came over the wire, but for what the calls return.
const sizeScript = `performance.getEntries().filter((e) => e.initiatorType !== 'fetch')
  .reduce((sum, e) => sum + (e.encodedBodySize || 0), 0)`

// page takes how long a browser that was never here takes to show the board,
// and what it loads for it.
func page(b *bench) {
	data := b.board(many)
	var shown, size []float64
	for range rounds {
		p := b.launch(data)
		tab := b.chromium()
		tab.call("Page.enable", nil)
		tab.call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": shownScript})
		tab.call("Page.navigate", map[string]any{"url": p.URL})
		shown = append(shown, tab.number("window.boardShown")/1000)
		time.Sleep(time.Second) // for what the page fetches after it can be used
		size = append(size, tab.number(sizeScript)/1000)
		tab.close()
		p.Close()
	}
	b.print(fmt.Sprintf("serve: navigation to a board of %d cards, cold Chromium", many), median(shown), "s", atMost(1))
	b.print("serve: first load, as sent", median(size), "KB", atMost(300))
}

// profile is a new one for each browser, so that nothing is cached.
func (b *bench) profile() string { return filepath.Join(b.TempDir(), "profile") }
