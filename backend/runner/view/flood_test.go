package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"beckon/backend/agent"
	"beckon/backend/beckon"
)

// TestAFloodIsToldOfAndNothingIsMissingAfterIt: of nine agents that are
// watched at once, one says more than can be shown; a client then fetches the end, and has every line from
// there on.
func TestAFloodIsToldOfAndNothingIsMissingAfterIt(t *testing.T) {
	t.Parallel()
	const flood, after = 1000, 3
	synctest.Test(t, func(t *testing.T) {
		v, events := watchedView(t, 9)
		say := func(n int, every time.Duration) {
			for i := range n {
				appendSaid(t, v, fmt.Sprintf("line %d", i))
				time.Sleep(every)
			}
		}
		say(flood, 2*time.Millisecond)
		time.Sleep(time.Second)
		synctest.Wait()
		shown, told := shownOf(*events)
		if len(shown) > 100 || told == 0 {
			t.Errorf("of a flood of %d lines %d are shown one by one, and its end is to be read %d times", flood, len(shown), told)
		}
		if last := (*events)[len(*events)-1]; last.Reload != "0" {
			t.Errorf("after the flood the last event is %+v", last)
		}
		*events = nil
		say(after, 50*time.Millisecond)
		if shown, told := shownOf(*events); !slices.Equal(shown, []int64{flood, flood + 1, flood + 2}) || told > 0 {
			t.Errorf("after the flood the lines %d are shown, and the end is to be read %d times", shown, told)
		}
	})
}

// TestAFloodOfHugeLinesIsNotSentWhole: pages would be sent megabytes to show for a moment.
// A huge line that comes alone is shown, however many transcripts are watched.
func TestAFloodOfHugeLinesIsNotSentWhole(t *testing.T) {
	t.Parallel()
	const flood = 50
	synctest.Test(t, func(t *testing.T) {
		v, events := watchedView(t, 1)
		huge := strings.Repeat("x", 1<<20)
		for range flood {
			appendSaid(t, v, huge)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if shown, told := shownOf(*events); len(shown) == 0 || len(shown) > 10 || told == 0 {
			t.Errorf("of a flood of %d huge lines %d are shown one by one, and its end is to be read %d times", flood, len(shown), told)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		v, events := watchedView(t, 20)
		for range flood {
			appendSaid(t, v, strings.Repeat("x", 1<<20))
			time.Sleep(time.Second)
		}
		if shown, told := shownOf(*events); len(shown) != flood || told > 0 {
			t.Errorf("of %d huge lines a second apart %d are shown, and the end is to be read %d times", flood, len(shown), told)
		}
	})
}

// watchedView is of a run that a client watches, among so many, and what it publishes.
func watchedView(t *testing.T, watched int) (*View, *[]beckon.Event) {
	t.Helper()
	var events []beckon.Event
	v := New("0", "r", Clients{
		Publish: func(e beckon.Event) { events = append(events, e) },
		Watched: func(string) bool { return true },
		Count:   func() int { return watched },
	})
	if err := v.Open(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	return v, &events
}

// appendSaid appends a line in which the agent says something.
func appendSaid(t *testing.T, v *View, text string) {
	t.Helper()
	line := fmt.Sprintf(`{"type":"assistant","message":{"role":"assistant","id":"m","content":[{"type":"text","text":"%s"}]},"parent_tool_use_id":null,"session_id":"s","uuid":"u"}`, text)
	if err := v.Append(agent.Raw(line)); err != nil {
		t.Fatal(err)
	}
}

// shownOf returns which lines events show, and how often they have the end read.
func shownOf(events []beckon.Event) (lines []int64, told int) {
	for _, e := range events {
		if e.Entry != nil {
			lines = append(lines, e.Entry.Pos)
		}
		if e.Reload != "" {
			told++
		}
	}
	return lines, told
}
