//go:build linux

package main

import (
	"fmt"
	"time"
)

// undoing takes how long what was done on a full board takes to be taken back, and
// to be done again.
func undoing(b *bench) {
	s := b.serve("text Done.\n", b.TempDir())
	s.fill(many)
	tab := b.chromium()
	tab.visit(s.Program, "#/")
	tab.until("document.querySelector('[data-task]') !== null")
	tab.call("Runtime.evaluate", map[string]any{"expression": pressedScript})
	const there = "() => document.querySelector(`[data-task=\"${window.subject}\"]`) !== null"
	const gone = "() => document.querySelector(`[data-task=\"${window.subject}\"]`) === null"
	var back, again []float64
	for range keyRounds {
		tab.call("Runtime.evaluate", map[string]any{"expression": "window.subject = document.querySelector('[data-task]').dataset.task"})
		tab.focus("[data-task]")
		tab.press("a")
		tab.until("(" + gone + ")()")
		time.Sleep(keyRest)
		back = append(back, tab.pressFor("Mod z", there))
		time.Sleep(keyRest)
		again = append(again, tab.pressFor("Mod Z", gone))
		time.Sleep(keyRest)
	}
	load := fmt.Sprintf("key to frame, %d tasks: ", many)
	b.row(load+"Mod Z, an archived card comes back", back)
	b.row(load+"Mod Shift Z, it is archived again", again)
}
