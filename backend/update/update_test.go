package update

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/channel/egress"
	"beckon/tests/timeout"
)

const (
	repository = "someone/beckon"
	page       = "https://github.com/someone/beckon/releases/tag/v1.3.0"
	answer     = `{"tag_name": "v1.3.0", "html_url": "` + page + `", "body": "<script>", "assets": [{}]}`
)

// user is what the user set, and what Beckon kept, on a disk of a test.
type user struct {
	mu       sync.Mutex
	settings beckon.Settings
	kept     beckon.ReleaseState
	told     []beckon.ReleaseNotice
	asked    []*http.Request
	answers  http.HandlerFunc
	now      time.Time
}

func (u *user) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	u.mu.Lock()
	u.asked = append(u.asked, r)
	answers := u.answers
	u.mu.Unlock()
	answers(w, r)
}

// watch returns a Watch of version 1.2.0 that asks a server of this test.
func watch(t *testing.T, u *user) *Watch {
	t.Helper()
	if u.answers == nil {
		u.answers = func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(answer)) }
	}
	if u.now.IsZero() {
		u.now = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	}
	s := httptest.NewServer(u)
	t.Cleanup(s.Close)
	w := New(Config{
		Version: "1.2.0", Repository: repository,
		Settings: func(context.Context) (beckon.Settings, error) {
			u.mu.Lock()
			defer u.mu.Unlock()
			return u.settings, nil
		},
		Kept: func(context.Context) (beckon.ReleaseState, error) {
			u.mu.Lock()
			defer u.mu.Unlock()
			return u.kept, nil
		},
		Keep: func(_ context.Context, kept beckon.ReleaseState) error {
			u.mu.Lock()
			defer u.mu.Unlock()
			u.kept = kept
			return nil
		},
		Publish: func(e beckon.Event) {
			u.mu.Lock()
			defer u.mu.Unlock()
			u.told = append(u.told, *e.Release)
		},
	})
	w.server, w.client = s.URL, egress.Client(egress.Own, patience)
	w.now = func() time.Time {
		u.mu.Lock()
		defer u.mu.Unlock()
		return u.now
	}
	t.Cleanup(w.Close)
	return w
}

// turn switches it on or off, as the user does in Settings.
func (u *user) turn(w *Watch, on bool) {
	u.mu.Lock()
	u.settings.Updates = on
	u.mu.Unlock()
	w.OnEvent(beckon.Event{Settings: &beckon.Settings{}})
}

// passed has time pass, and Beckon look at its clock.
func (u *user) passed(w *Watch, d time.Duration) {
	u.mu.Lock()
	u.now = u.now.Add(d)
	u.mu.Unlock()
	w.OnEvent(beckon.Event{Settings: &beckon.Settings{}})
}

// until waits until a number of requests and events came.
func (u *user) until(t *testing.T, asked, told int) {
	t.Helper()
	for end := time.Now().Add(timeout.For(10 * time.Second)); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		u.mu.Lock()
		done := len(u.asked) >= asked && len(u.told) >= told
		u.mu.Unlock()
		if done {
			return
		}
	}
	t.Fatalf("asked %d times, told %d times; want %d and %d", len(u.asked), len(u.told), asked, told)
}

// settled returns how often it asked, once it has looked at all that was changed.
func (u *user) settled(t *testing.T, w *Watch) int {
	t.Helper()
	w.Close()
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.asked)
}

func TestNobodyIsAskedForUpdatesUnlessTheUserWantsIt(t *testing.T) {
	t.Parallel()
	u := &user{}
	w := watch(t, u)
	w.Start()
	w.OnEvent(beckon.Event{Settings: &beckon.Settings{}})
	if n := u.settled(t, w); n != 0 {
		t.Errorf("asked %d times while it is off", n)
	}
	u.settings.Updates = true
	w.Repository = ""
	w.Start()
	if n := u.settled(t, w); n != 0 {
		t.Errorf("a build that knows no repository asked %d times", n)
	}
}

func TestANewerVersionIsSaidOnceAndGoneWhenItIsSwitchedOff(t *testing.T) {
	t.Parallel()
	u := &user{}
	w := watch(t, u)
	w.Start()
	u.turn(w, true)
	u.until(t, 1, 1)
	want := beckon.ReleaseNotice{Version: "1.3.0", Page: page}
	if got, err := w.State(t.Context()); err != nil || *got[0].Release != want {
		t.Errorf("the page has %+v, %v", got[0].Release, err)
	}
	u.turn(w, false)
	u.until(t, 1, 2)
	if got, err := w.State(t.Context()); err != nil || *got[0].Release != (beckon.ReleaseNotice{}) {
		t.Errorf("switched off, the page has %+v, %v", got[0].Release, err)
	}
	u.turn(w, true)
	u.until(t, 1, 3)
	if n := u.settled(t, w); n != 1 {
		t.Errorf("asked %d times within a day", n)
	}
	if u.told[0] != want || u.told[1] != (beckon.ReleaseNotice{}) || u.told[2] != want {
		t.Errorf("told %+v", u.told)
	}
	// After a restart, and after an update.
	next := watch(t, u)
	if got, err := next.State(t.Context()); err != nil || *got[0].Release != want {
		t.Errorf("after a restart: %+v, %v", got[0].Release, err)
	}
	next.Version = "1.3.0"
	if got, err := next.State(t.Context()); err != nil || *got[0].Release != (beckon.ReleaseNotice{}) {
		t.Errorf("after the update: %+v, %v", got[0].Release, err)
	}
}

// TestASkippedVersionIsSaidNoMore, also after a restart; the next one is said.
func TestASkippedVersionIsSaidNoMore(t *testing.T) {
	t.Parallel()
	u := &user{settings: beckon.Settings{Updates: true}}
	w := watch(t, u)
	w.Start()
	u.until(t, 1, 1)
	if err := w.Skip(t.Context(), "9.9.9"); err != nil || u.kept.Skipped != "" {
		t.Errorf("a version that is not shown is skipped: %+v, %v", u.kept, err)
	}
	if err := w.Skip(t.Context(), "1.3.0"); err != nil {
		t.Fatal(err)
	}
	u.until(t, 1, 2)
	u.settled(t, w)
	if u.told[1] != (beckon.ReleaseNotice{}) {
		t.Errorf("told %+v", u.told)
	}
	u.answers = func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(strings.ReplaceAll(answer, "v1.3.0", "v1.4.0")))
	}
	next := watch(t, u)
	if got, err := next.State(t.Context()); err != nil || *got[0].Release != (beckon.ReleaseNotice{}) {
		t.Errorf("after a restart: %+v, %v", got[0].Release, err)
	}
	next.Start()
	u.passed(next, every+spread+time.Minute)
	u.until(t, 2, 3)
	u.settled(t, next)
	if u.told[2].Version != "1.4.0" {
		t.Errorf("told %+v", u.told)
	}
}

// TestOneQuestionADayAndNothingWithIt: whatever was answered, and whenever the program
// starts.
func TestOneQuestionADayAndNothingWithIt(t *testing.T) {
	t.Parallel()
	u := &user{settings: beckon.Settings{Updates: true}, answers: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }}
	w := watch(t, u)
	w.Start()
	u.until(t, 1, 0)
	w.Close()
	again := watch(t, u)
	again.Start()
	u.passed(again, every-time.Minute)
	again.Close()
	if len(u.asked) != 1 {
		t.Fatalf("asked %d times within a day", len(u.asked))
	}
	third := watch(t, u)
	third.Start()
	u.passed(third, spread+time.Minute)
	u.until(t, 2, 0)
	u.passed(third, -48*time.Hour) // the clock was wrong
	u.until(t, 3, 0)
	for _, r := range u.asked {
		r.Header.Del("Accept-Encoding") // Go's own
		r.Header.Del("Connection")
		header, err := json.Marshal(r.Header)
		if want := `{"Accept":["application/vnd.github+json"],"User-Agent":["beckon"]}`; err != nil || string(header) != want || r.Method != http.MethodGet || r.URL.String() != "/repos/someone/beckon/releases/latest" {
			t.Errorf("sent %s %s %s, %v", r.Method, r.URL, header, err)
		}
	}
}

// TestOddAnswersAboutUpdatesDoNothing: what a server says is shown only where it is a
// version, and led to only where releases are.
func TestOddAnswersAboutUpdatesDoNothing(t *testing.T) {
	t.Parallel()
	say := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) }
	}
	named := func(tag string) http.HandlerFunc {
		return say(strings.ReplaceAll(answer, "v1.3.0", tag))
	}
	for name, answers := range map[string]http.HandlerFunc{
		"nothing":                 say(""),
		"a page":                  say("<html>"),
		"a list":                  say("[" + answer + "]"),
		"a number":                say(`{"tag_name": 13}`),
		"deep":                    say(strings.Repeat("[", 500_000)),
		"huge":                    say(strings.Replace(answer, "<script>", strings.Repeat("x", 2*most), 1)),
		"no link":                 say(`{"tag_name": "v1.3.0"}`),
		"elsewhere":               say(strings.Replace(answer, "github.com/", "github.com.example.org/", 1)),
		"another repository":      say(strings.Replace(answer, "someone/", "else/", 1)),
		"another version's page":  say(strings.Replace(answer, "v1.3.0\"", "v1.4.0\"", 1)),
		"a script":                say(strings.Replace(answer, "https://github.com", "javascript:alert(1)//github.com", 1)),
		"this version":            named("v1.2.0"),
		"an older one":            named("v1.1.9"),
		"something tried out":     named("v1.3.0-rc.1"),
		"no version":              named("latest"),
		"half a version":          named("v2"),
		"a version with text":     named("v1.3.0+Run curl example.org in a terminal"),
		"a version without end":   named("v" + strings.Repeat("9", 100) + ".0.0"),
		"a version of numbers":    named("1.3.0"),
		"a version with a path":   named("v1.3.0/../../../x"),
		"a version with a hidden": named("v1.3.0\u202e"),
		"a draft":                 say(strings.Replace(answer, "{", `{"draft": true, `, 1)),
		"a prerelease":            say(strings.Replace(answer, "{", `{"prerelease": true, `, 1)),
		"not found":               func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) },
		"a redirect": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/moved" {
				_, _ = w.Write([]byte(answer))
				return
			}
			http.Redirect(w, r, "/moved", http.StatusFound)
		},
		"an end": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10000")
			_, _ = w.Write([]byte(answer))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := &user{settings: beckon.Settings{Updates: true}, answers: answers}
			w := watch(t, u)
			if kept, err := w.ask(t.Context()); err == nil && w.shown(true, kept).Version != "" {
				t.Errorf("%+v is believed", kept)
			}
			if got, err := w.State(t.Context()); err != nil || *got[0].Release != (beckon.ReleaseNotice{}) {
				t.Errorf("the page has %+v, %v", got[0].Release, err)
			}
		})
	}
}

// TestAServerThatNeverAnswersDoesNotHoldBeckonUp, nor one that is never done.
func TestAServerThatNeverAnswersDoesNotHoldBeckonUp(t *testing.T) {
	t.Parallel()
	u := &user{settings: beckon.Settings{Updates: true}, answers: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }}
	w := watch(t, u)
	w.Start()
	u.until(t, 1, 0)
	began := time.Now()
	w.Close()
	if took := time.Since(began); took > patience/2 {
		t.Errorf("it ended after %s", took)
	}
	slow := egress.Client(egress.Own, 100*time.Millisecond)
	w.client = slow
	if _, err := w.latest(t.Context()); err == nil || err.Error() != "no answer in time" {
		t.Errorf("without an answer: %v", err)
	}
}

// TestWhatCannotBeKeptAsksNobody: else each start would ask.
func TestWhatCannotBeKeptAsksNobody(t *testing.T) {
	t.Parallel()
	u := &user{settings: beckon.Settings{Updates: true}}
	w := watch(t, u)
	full := errors.New("the disk is full")
	w.Keep = func(context.Context, beckon.ReleaseState) error { return full }
	if _, err := w.ask(t.Context()); !errors.Is(err, full) || len(u.asked) != 0 {
		t.Errorf("%v, asked %d times", err, len(u.asked))
	}
}

func TestABuildOfNoVersionHasNothingNewer(t *testing.T) {
	t.Parallel()
	for own, want := range map[string]bool{"1.2.0": true, "1.3.0-rc.1": true, "0.0.0+1234.g0123456": true, "1.3.0+5.g0123456": false, "1.3.0": false, "2.0.0": false, "dev": false, "": false} {
		if newer("1.3.0", own) != want {
			t.Errorf("1.3.0 is newer than %q: %v", own, !want)
		}
	}
}
