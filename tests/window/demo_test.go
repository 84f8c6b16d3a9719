//go:build window

package window

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheDemoIsShownInTheWindowAndLeavesNothing: it is entered and left without
// another window, and what it was made of is gone with the window that shows it.
func TestTheDemoIsShownInTheWindowAndLeavesNothing(t *testing.T) {
	s := newStage(t)
	temp := t.TempDir()
	s.more = append(s.more, "TMPDIR="+temp)
	p := s.openPage()
	enter := func() {
		t.Helper()
		p.untilSays("the first page", `[...document.querySelectorAll("button")].some((b) => b.textContent.includes("Try the demo"))`, "true")
		p.do(`[...document.querySelectorAll("button")].find((b) => b.textContent.includes("Try the demo")).click()`)
		p.untilSays("the demo", `document.querySelectorAll(".demo li").length`, "3")
		p.untilSays("an agent that asks", `document.querySelector(".card.needs") !== null`, "true")
	}
	enter()
	p.do(`[...document.querySelectorAll(".demo button")].at(-1).click()`)
	enter()
	if left, err := filepath.Glob(filepath.Join(temp, "beckon-demo-*")); err != nil || len(left) != 1 {
		t.Errorf("the demo that was left is still there: %q %v", left, err)
	}
	p.untilEnded()
	p.until("the demo's data is gone", func() bool {
		entries, err := os.ReadDir(temp)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), "beckon-demo-") {
				return false
			}
		}
		return true
	})
}
