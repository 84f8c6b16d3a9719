package feed_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/feed"
	"beckon/tests/timeout"
)

// page is a client that keeps what it is sent.
type page struct {
	mu     sync.Mutex
	frames []beckon.Frame
}

func (p *page) sink(f beckon.Frame) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frames = append(p.frames, f)
}

// got returns the frames since the last call.
func (p *page) got() []beckon.Frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	frames := p.frames
	p.frames = nil
	return frames
}

// text says what a frame holds, as "task/a=1 run/b=2".
func text(f beckon.Frame) string {
	words := []string{}
	for _, e := range f.Events {
		word := e.Key()
		switch {
		case e.Task != nil:
			word += "=" + e.Task.Title
		case e.Entry != nil:
			word += "=" + e.Entry.Text
		case e.Run != nil:
			word += "=" + e.Run.Reason.String()
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func task(id, title string) beckon.Event {
	return beckon.Event{Task: &beckon.Task{ID: id, Title: title}}
}

func run(id, text string) beckon.Event {
	return beckon.Event{Run: &beckon.Run{ID: id, Reason: reason.Said(text)}}
}

func entry(taskID, id, text string) beckon.Event {
	return beckon.Event{TaskID: taskID, Entry: &beckon.Entry{ID: id, RunID: "r", Text: text}}
}

// bubble runs f with a feed and an attached page, and detaches it at the end;
// the bubble then fails if anything still runs.
func bubble(t *testing.T, f func(t *testing.T, feed *feed.Feed, p *page)) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fd, p := feed.New(), &page{}
		detach := fd.Attach("p", p.sink)
		defer detach()
		f(t, fd, p)
	})
}

func settle() {
	time.Sleep(time.Second)
	synctest.Wait()
}

// justSent sends the page a frame that it does not take, so that the next one waits for a second,
// and for what comes meanwhile.
func justSent(f *feed.Feed, p *page) {
	f.Taken("p", 0) // it gives credit
	f.Publish(run("sent", ""))
	synctest.Wait()
	p.got()
}

func TestAFrameHasTheNewestValueOfEachThingInOrder(t *testing.T) {
	bubble(t, func(t *testing.T, f *feed.Feed, p *page) {
		justSent(f, p)
		for i := range 1000 {
			f.Publish(run("a", fmt.Sprint(i)))
			f.Publish(task("b", fmt.Sprint(i)))
		}
		f.Publish(run("c", "once"))
		settle()
		frames := p.got()
		if len(frames) != 1 || text(frames[0]) != "run/a=999 task/b=999 run/c=once" {
			t.Fatalf("got %d frames, the first %q", len(frames), text(frames[0]))
		}
		if frames[0].Whole || frames[0].Lost || frames[0].Seq != f.Seq() {
			t.Errorf("got %+v, want a part with the number %d", frames[0], f.Seq())
		}
	})
}

func TestWhatOnlyGoesOnChangingComesTwentyTimesASecond(t *testing.T) {
	bubble(t, func(t *testing.T, f *feed.Feed, p *page) {
		for i := range 1000 {
			f.Publish(run("a", fmt.Sprint(i)))
			time.Sleep(time.Millisecond)
		}
		settle()
		frames := p.got()
		if n := len(frames); n < 19 || n > 22 {
			t.Errorf("%d frames in a second", n)
		}
		if last := text(frames[len(frames)-1]); last != "run/a=999" {
			t.Errorf("the last frame has %q", last)
		}
	})
}

// A client that draws takes a frame when it has drawn it: it gets the next one then, with all that
// came meanwhile, however much that is.
func TestAClientThatSaysWhenItHasTakenAFrameSetsThePace(t *testing.T) {
	for _, drawing := range []time.Duration{0, time.Millisecond, 16 * time.Millisecond, 80 * time.Millisecond} {
		t.Run(drawing.String(), func(t *testing.T) {
			bubble(t, func(t *testing.T, f *feed.Feed, p *page) {
				detach := f.Attach("p", func(frame beckon.Frame) {
					p.sink(frame)
					time.AfterFunc(drawing, func() { f.Taken("p", frame.Seq) })
				})
				defer detach()
				if err := f.Watch("p", []string{"t"}); err != nil {
					t.Fatal(err)
				}
				f.Publish(run("first", ""))
				settle()
				p.got()
				for i := range 1000 {
					f.Publish(entry("t", fmt.Sprint(i), strings.Repeat("x", 2600)))
					time.Sleep(time.Millisecond)
				}
				settle()
				frames, events := p.got(), 0
				for _, frame := range frames {
					events += len(frame.Events)
				}
				most := 1000/max(int(drawing.Milliseconds()), 1) + 2
				if n := len(frames); n > most || n < most*9/10 || events != 1000 {
					t.Errorf("%d frames in a second, at most %d, with %d of 1000 lines", n, most, events)
				}
			})
		})
	}
}

// A page that is hidden draws nothing, and one that was loaded again knows nothing of what was sent.
func TestAFrameThatIsNotTakenHoldsTheNextForASecondAndAQuestionNotAtAll(t *testing.T) {
	bubble(t, func(t *testing.T, f *feed.Feed, p *page) {
		justSent(f, p)
		f.Publish(task("b", "1"))
		time.Sleep(900 * time.Millisecond)
		synctest.Wait()
		if n := len(p.got()); n != 0 {
			t.Fatalf("%d frames to a client that has not taken the one before", n)
		}
		f.Publish(beckon.Event{Question: &beckon.Question{ID: "q"}})
		synctest.Wait()
		if frames := p.got(); len(frames) != 1 || len(frames[0].Events) != 2 {
			t.Fatalf("a question waits: %v", frames)
		}
		f.Publish(task("b", "2"))
		f.Taken("p", f.Seq()-1) // not the latest
		time.Sleep(900 * time.Millisecond)
		synctest.Wait()
		if n := len(p.got()); n != 0 {
			t.Errorf("%d frames as an older one was taken", n)
		}
		time.Sleep(100 * time.Millisecond)
		synctest.Wait()
		if n := len(p.got()); n != 1 {
			t.Errorf("%d frames after a second", n)
		}
		f.Publish(task("b", "3"))
		f.Taken("p", f.Seq())
		synctest.Wait()
		if n := len(p.got()); n != 1 {
			t.Errorf("%d frames as the latest was taken", n)
		}
	})
	feed.New().Taken("stranger", 1)
}

// A client that is slow to read has time for itself, and is sent all.
func TestAClientThatReadsSlowlyIsSentLittle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, frames := feed.New(), 0
		defer f.Attach("slow", func(beckon.Frame) { frames++; time.Sleep(30 * time.Millisecond) })()
		if err := f.Watch("slow", []string{"t"}); err != nil {
			t.Fatal(err)
		}
		for i := range 1000 {
			f.Publish(entry("t", fmt.Sprint(i), "x"))
			time.Sleep(time.Millisecond)
		}
		settle()
		if frames < 20 || frames > 23 {
			t.Errorf("%d frames in a second", frames)
		}
	})
}

// Nothing is waited for that a person waits for.
func TestWhatAPersonWaitsForIsShownAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		event  beckon.Event
		within time.Duration
	}{
		"a question in a stream": {beckon.Event{Question: &beckon.Question{ID: "q"}}, 0},
		"a change of a card":     {task("q", ""), 0},
		"a line":                 {entry("t", "q", ""), 0},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, f *feed.Feed, p *page) {
				if err := f.Watch("p", []string{"t"}); err != nil {
					t.Fatal(err)
				}
				f.Publish(c.event)
				synctest.Wait()
				if frames := p.got(); len(frames) != 1 || text(frames[0]) != text(beckon.Frame{Events: []beckon.Event{c.event}}) {
					t.Fatalf("after silence: %d frames", len(frames))
				}
				f.Publish(run("a", "1"))
				f.Publish(c.event)
				time.Sleep(c.within)
				synctest.Wait()
				if frames := p.got(); len(frames) != 1 || len(frames[0].Events) != 2 {
					t.Errorf("%v after it: %d frames", c.within, len(frames))
				}
			})
		})
	}
}

func TestNothingTicksWhileNothingHappens(t *testing.T) {
	bubble(t, func(t *testing.T, f *feed.Feed, p *page) {
		f.Publish(task("a", "1"))
		settle()
		p.got()
		began := time.Now()
		time.Sleep(24 * time.Hour) // a timer that ticks would make this slow, and send
		synctest.Wait()
		if n := len(p.got()); n != 0 || time.Since(began) != 24*time.Hour {
			t.Errorf("%d frames while nothing was published", n)
		}
	})
}

func TestATranscriptGoesOnlyToThoseWhoShowIt(t *testing.T) {
	bubble(t, func(t *testing.T, f *feed.Feed, p *page) {
		other := &page{}
		defer f.Attach("other", other.sink)()
		if err := f.Watch("p", []string{"t1"}); err != nil {
			t.Fatal(err)
		}
		if !f.Watched("t1") || f.Watched("t2") || f.Watched("") {
			t.Errorf("watched: t1 %v, t2 %v, none %v", f.Watched("t1"), f.Watched("t2"), f.Watched(""))
		}
		justSent(f, p)
		other.got()
		f.Publish(entry("t1", "e1", "seen"))
		f.Publish(entry("t2", "e2", "not shown"))
		f.Publish(entry("", "e3", "of no task"))
		f.Publish(beckon.Event{TaskID: "t1", Live: &beckon.Live{RunID: "r"}})
		f.Publish(beckon.Event{TaskID: "t2", Live: &beckon.Live{RunID: "x"}})
		f.Publish(beckon.Event{Reload: "t1"})
		f.Publish(beckon.Event{Reload: "t2"})
		f.Publish(beckon.Event{Gone: "g"})
		settle()
		if got := text(p.got()[0]); got != "entry/r/e1=seen live/r reload/t1 gone/g" {
			t.Errorf("the watching page has %q", got)
		}
		if got := text(other.got()[0]); got != "gone/g" {
			t.Errorf("the other page has %q", got)
		}
		if err := f.Watch("p", nil); err != nil || f.Watched("t1") {
			t.Errorf("after watching nothing: %v, t1 watched: %v", err, f.Watched("t1"))
		}
	})
}

func TestWatchingIsRefusedToStrangersAndGluttons(t *testing.T) {
	bubble(t, func(t *testing.T, f *feed.Feed, _ *page) {
		if err := f.Watch("nobody", []string{"t"}); !errors.Is(err, beckon.ErrNotFound) {
			t.Errorf("a client that is not attached: %v", err)
		}
		if err := f.Watch("p", make([]string, 1000)); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("a thousand tasks: %v", err)
		}
	})
}

func TestAClientThatLeavesWatchesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := feed.New()
		detach := f.Attach("p", (&page{}).sink)
		if err := f.Watch("p", []string{"t"}); err != nil {
			t.Fatal(err)
		}
		detach()
		if f.Watched("t") {
			t.Error("its transcript is still folded")
		}
		detach() // a second time does no harm
	})
}

func TestAPageThatReconnectsKeepsWatchingAndItsOldSelfIsSilent(t *testing.T) {
	bubble(t, func(t *testing.T, f *feed.Feed, old *page) {
		if err := f.Watch("p", []string{"t"}); err != nil {
			t.Fatal(err)
		}
		p := &page{}
		detach := f.Attach("p", p.sink)
		f.Publish(entry("t", "e", "x"))
		settle()
		if got := p.got(); len(got) != 1 || len(old.got()) != 0 {
			t.Errorf("the new page has %d frames and the old one some", len(got))
		}
		detach()
		if f.Watched("t") {
			t.Error("watched by nobody")
		}
	})
}

func TestAClientThatFellBehindIsToldAndFindsEverythingAgain(t *testing.T) {
	for name, publish := range map[string]func(*feed.Feed){
		"keys": func(f *feed.Feed) {
			for i := range 5000 {
				f.Publish(task(fmt.Sprint(i), "x"))
			}
		},
		"bytes": func(f *feed.Feed) {
			for i := range 40 {
				f.Publish(beckon.Event{Task: &beckon.Task{ID: fmt.Sprint(i), Brief: strings.Repeat("x", beckon.MaxBrief)}})
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, f *feed.Feed, p *page) {
				justSent(f, p)
				publish(f)
				settle()
				frames := p.got()
				if len(frames) != 1 || !frames[0].Lost || len(frames[0].Events) != 0 || frames[0].Events == nil {
					t.Fatalf("got %d frames, the first %.200v; want one that says lost", len(frames), frames[0])
				}
				whole, err := f.Snapshot(func() ([]beckon.Event, error) { return []beckon.Event{task("all", "state")}, nil })
				if err != nil || !whole.Whole || whole.Seq <= frames[0].Seq {
					t.Fatalf("attaching again: %+v, %v", whole, err)
				}
				f.Publish(task("a", "later"))
				settle()
				if got := p.got(); len(got) != 1 || got[0].Lost || got[0].Seq <= whole.Seq || text(got[0]) != "task/a=later" {
					t.Errorf("after it: %+v", got)
				}
			})
		})
	}
}

func TestReplacingALongValueManyTimesLosesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, f *feed.Feed, p *page) {
		justSent(f, p)
		for i := range 1000 {
			f.Publish(beckon.Event{Task: &beckon.Task{ID: "a", Title: fmt.Sprint(i), Brief: strings.Repeat("x", 64<<10)}})
		}
		settle()
		if got := p.got(); len(got) != 1 || got[0].Lost || text(got[0]) != "task/a=999" {
			t.Errorf("got %d frames, lost: %v", len(got), got[0].Lost)
		}
	})
}

func TestAStuckPageDelaysNobody(t *testing.T) {
	bubble(t, func(t *testing.T, f *feed.Feed, p *page) {
		stuck, seen := make(chan struct{}), 0
		detach := f.Attach("stuck", func(beckon.Frame) { seen++; <-stuck })
		for i := range 100 {
			f.Publish(task("a", fmt.Sprint(i)))
			time.Sleep(10 * time.Millisecond)
		}
		synctest.Wait()
		if frames := p.got(); len(frames) < 50 || text(frames[len(frames)-1]) != "task/a=99" {
			t.Errorf("the other page has %d frames", len(frames))
		}
		if seen != 1 {
			t.Errorf("the stuck page was sent %d frames at once", seen)
		}
		gone := make(chan struct{})
		go func() { detach(); close(gone) }()
		synctest.Wait()
		select {
		case <-gone:
			t.Error("detach did not wait for the sink")
		default:
		}
		close(stuck)
		<-gone
	})
}

func TestDetachingWhileAFrameWaitsSendsNothingMore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, p := feed.New(), &page{}
		detach := f.Attach("p", p.sink)
		justSent(f, p)
		f.Publish(task("a", "1"))
		detach()
		settle()
		if n := len(p.got()); n != 0 {
			t.Errorf("%d frames after detach", n)
		}
	})
}

// What is committed while the whole state is being read must be in the
// snapshot or in a later frame, whatever the order of arrival.
func TestNothingPublishedDuringASnapshotIsLost(t *testing.T) {
	bubble(t, func(t *testing.T, f *feed.Feed, p *page) {
		f.Publish(task("a", "before"))
		settle()
		early := p.got()[0]
		whole, err := f.Snapshot(func() ([]beckon.Event, error) {
			read := []beckon.Event{task("a", "before")}
			f.Publish(task("a", "during"))
			settle() // its frame arrives before the snapshot does
			return read, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		during := p.got()
		if len(during) != 1 || during[0].Seq <= whole.Seq || early.Seq >= whole.Seq {
			t.Errorf("numbers: before %d, whole %d, during %+v", early.Seq, whole.Seq, during)
		}
	})
}

func TestAFailedSnapshotSaysWhy(t *testing.T) {
	bubble(t, func(t *testing.T, f *feed.Feed, _ *page) {
		why := errors.New("disk full")
		frame, err := f.Snapshot(func() ([]beckon.Event, error) { return nil, why })
		if !errors.Is(err, why) || frame.Events == nil {
			t.Errorf("got %+v, %v", frame, err)
		}
		frame, err = f.Snapshot(func() ([]beckon.Event, error) { return nil, nil })
		if err != nil || frame.Events == nil || !frame.Whole {
			t.Errorf("of nothing: %+v, %v", frame, err)
		}
	})
}

// Eight publishers at full speed, three pages: each value is newer than the
// one before it, and each page ends with the last.
func TestValuesNeverGoBackUnderConcurrentPublishers(t *testing.T) {
	t.Parallel()
	const publishers, values = 8, 2000
	f := feed.New()
	pages := []*page{{}, {}, {}}
	for i, p := range pages {
		defer f.Attach(fmt.Sprint("p", i), p.sink)()
	}
	var wg sync.WaitGroup
	for id := range publishers {
		wg.Go(func() {
			for i := range values {
				f.Publish(beckon.Event{Task: &beckon.Task{ID: fmt.Sprint(id), Number: i}})
			}
		})
	}
	wg.Wait()
	deadline := time.Now().Add(timeout.For(10 * time.Second))
	for i, p := range pages {
		newest := map[string]int{}
		for complete := 0; complete < publishers; runtime.Gosched() {
			if time.Now().After(deadline) {
				t.Fatalf("page %d: %d of %d tasks have their last value", i, complete, publishers)
			}
			for _, frame := range p.got() {
				for _, e := range frame.Events {
					if e.Task.Number < newest[e.Task.ID] {
						t.Errorf("page %d: task %s went back to %d", i, e.Task.ID, e.Task.Number)
					}
					if newest[e.Task.ID] = e.Task.Number; e.Task.Number == values-1 {
						complete++
					}
				}
			}
		}
	}
}

func BenchmarkPublish(b *testing.B) {
	f := feed.New()
	for i := range 3 {
		id := fmt.Sprint("p", i)
		defer f.Attach(id, func(beckon.Frame) {})()
		if err := f.Watch(id, []string{"t"}); err != nil {
			b.Fatal(err)
		}
	}
	events := make([]beckon.Event, 512)
	for i := range events {
		events[i] = entry("t", fmt.Sprint(i), "some text")
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		f.Publish(events[i%len(events)])
	}
}
