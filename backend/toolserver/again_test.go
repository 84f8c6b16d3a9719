package toolserver

import (
	"bufio"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"beckon/backend/answer"
	"beckon/backend/beckon"
)

// closed waits until the next shown change is that the agent waits no more.
func (h *house) closed(t *testing.T, runID string) {
	t.Helper()
	if q := h.shown(t); q.Settlement == beckon.Open || q.Reason.String() != errStopped.Error() {
		t.Errorf("the card is %s because %q", q.Settlement, q.Reason)
	}
	if n := h.desk.Open(runID); n != 0 {
		t.Errorf("%d questions are still open", n)
	}
}

// callAgain asks, breaks the connection once the question is shown, and asks
// again with the second body, on a session of its own if reconnect is set.
func (h *house) callAgain(t *testing.T, token, first, second string, reconnect bool) (q beckon.Question, stream *bufio.Reader) {
	t.Helper()
	w := h.dial(t, token)
	res := w.post(t, first)
	q = h.shown(t)
	must(t, res.Body.Close())
	h.alone(t)
	if reconnect {
		w = h.dial(t, token)
	}
	return q, bufio.NewReader(w.post(t, second).Body)
}

// alone waits until the server saw that no connection waits on a question.
func (h *house) alone(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if h.waiting() == 0 {
			return
		}
	}
	t.Fatal("the broken connection was not noticed")
}

// waiting counts the connections that wait on a question.
func (h *house) waiting() (n int) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, c := range h.callers {
		c.mu.Lock()
		for _, same := range c.asked {
			for _, a := range same {
				n += a.waiting
			}
		}
		c.mu.Unlock()
	}
	return n
}

func TestACallWhoseConnectionBrokeMeetsItsQuestionAgain(t *testing.T) {
	t.Parallel()
	const toolUse = `{"claudecode/toolUseId":"toolu_7"}`
	for name, c := range map[string]struct {
		first, second string
		reconnect     bool
	}{
		"same tool use":                {askBody(1, toolUse), askBody(1, toolUse), false},
		"same tool use, a new session": {askBody(1, toolUse), askBody(1, toolUse), true},
		"no tool use":                  {askBody(1, `{}`), askBody(1, `{}`), false},
		"no tool use, a new session":   {askBody(1, `{}`), askBody(1, `{}`), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			token, runID := h.admit(t)
			q, stream := h.callAgain(t, token, c.first, c.second, c.reconnect)
			data(t, stream)
			must(t, h.desk.Answer(t.Context(), q.ID, words("yes")))
			if end := final(t, stream); !strings.Contains(end, `\"1\" → \"yes\"`) {
				t.Errorf("the second call reads %s", end)
			}
			h.delivered(t, q.ID)
			all, err := h.store.Questions(t.Context(), h.task.ID)
			must(t, err)
			if len(all) != 1 || h.desk.Open(runID) != 0 {
				t.Errorf("%d cards, %d of them open; want one, settled", len(all), h.desk.Open(runID))
			}
		})
	}
}

// delivered waits until the question is shown as delivered.
func (h *house) delivered(t *testing.T, id string) {
	t.Helper()
	for {
		if q := h.shown(t); q.ID == id && q.Delivered != 0 {
			return
		}
	}
}

func TestBothConnectionsOfOneToolUseGetTheAnswer(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, _ := h.admit(t)
	w := h.dial(t, token)
	meta := `{"claudecode/toolUseId":"toolu_7"}`
	first := bufio.NewReader(w.post(t, askBody(1, meta)).Body)
	q := h.shown(t)
	second := bufio.NewReader(w.post(t, strings.Replace(askBody(1, meta), `"id":1`, `"id":2`, 1)).Body)
	data(t, second)
	must(t, h.desk.Answer(t.Context(), q.ID, words("yes")))
	for _, stream := range []*bufio.Reader{first, second} {
		if end := final(t, stream); !strings.Contains(end, "yes") {
			t.Errorf("one reads %s", end)
		}
	}
	h.delivered(t, q.ID)
}

// TestAnotherQuestionUnderTheSameNumberIsAnotherCard: an agent cannot have an
// answer to one question given to another.
func TestAnotherQuestionUnderTheSameNumberIsAnotherCard(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, _ := h.admit(t)
	other, _ := h.admit(t)
	meta := `{"claudecode/toolUseId":"toolu_7"}`
	w := h.dial(t, token)
	w.post(t, askBody(1, meta))
	w.post(t, askBody(2, meta))
	h.dial(t, other).post(t, askBody(1, meta)) // of another run
	for range 3 {
		if q := h.shown(t); q.Settlement != beckon.Open {
			t.Errorf("a card is %s", q.Settlement)
		}
	}
}

func TestTheQuestionOfACallThatDoesNotComeBackIsClosed(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.grace = 50 * time.Millisecond
	token, runID := h.admit(t)
	ctx, cancel := context.WithCancel(t.Context())
	callAsk(ctx, h.connect(t, token), plain("Which?"))
	h.shown(t)
	cancel()
	h.closed(t, runID)
	callAsk(t.Context(), h.connect(t, token), plain("Which?"))
	if q := h.shown(t); q.Settlement != beckon.Open {
		t.Errorf("asked again it is %s", q.Settlement)
	}
}

func TestACancellationAfterTheConnectionBrokeIsHeard(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, runID := h.admit(t)
	w := h.dial(t, token)
	res := w.post(t, askBody(7, `{}`))
	h.shown(t)
	must(t, res.Body.Close())
	h.alone(t)
	w.post(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	h.closed(t, runID)
}

// TestAnAnswerIsDeliveredWhenItWasWritten: one that met nobody is kept for who
// comes back, and counts as delivered only then.
func TestAnAnswerIsDeliveredWhenItWasWritten(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, _ := h.admit(t)
	w := h.dial(t, token)
	ctx, breaks := context.WithCancel(t.Context())
	defer breaks()
	broken := w.request(t, http.MethodPost, askBody(1, `{}`)).WithContext(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		h.known(http.HandlerFunc(h.serveMCP)).ServeHTTP(httptest.NewRecorder(), broken)
	}()
	q := h.shown(t)
	breaks()
	h.alone(t)
	must(t, h.desk.Answer(t.Context(), q.ID, words("yes")))
	h.shown(t)
	select {
	case <-over: // a wrong note has been made by now
	case <-time.After(patience):
		t.Fatal("the broken call was never over")
	}
	if q, err := h.store.Question(t.Context(), q.ID); err != nil || q.Delivered != 0 {
		t.Fatalf("delivered at %d, to nobody: %v", q.Delivered, err)
	}
	if end := final(t, bufio.NewReader(w.post(t, askBody(1, `{}`)).Body)); !strings.Contains(end, "yes") {
		t.Errorf("who came back reads %s", end)
	}
	h.delivered(t, q.ID)
}

// TestAnAnswerThatNobodyCameBackForIsOwed: the run lives and hears it another
// way.
func TestAnAnswerThatNobodyCameBackForIsOwed(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.grace = 500 * time.Millisecond
	token, _ := h.admit(t)
	res := h.dial(t, token).post(t, askBody(1, `{}`))
	q := h.shown(t)
	must(t, res.Body.Close())
	h.alone(t)
	must(t, h.desk.Answer(t.Context(), q.ID, words("yes")))
	select {
	case owed := <-h.owed:
		if owed.ID != q.ID || answer.Text(owed) != `"1" → "yes"` {
			t.Errorf("owed is %+v", owed)
		}
	case <-time.After(patience):
		t.Fatal("the answer is lost")
	}
}

// TestAnAnswerThatCouldNotBeWrittenIsNotDelivered: the handler had it, the
// client had not.
func TestAnAnswerThatCouldNotBeWrittenIsNotDelivered(t *testing.T) {
	t.Parallel()
	for name, fails := range map[string]bool{"broken": true, "sound": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			delivered := make(chan string, 1)
			h.Server.desk.Ask = func(_ context.Context, q beckon.Question) (beckon.Question, error) { return answered(q), nil }
			h.Server.desk.OnAnswerWritten = func(_ context.Context, id string) error { delivered <- id; return nil }
			token, _ := h.admit(t)
			w := h.dial(t, token)
			h.known(http.HandlerFunc(h.serveMCP)).ServeHTTP(&severed{httptest.NewRecorder(), fails}, w.request(t, http.MethodPost, askBody(1, `{}`)))
			if noted := len(delivered) == 1; noted == fails {
				t.Errorf("write fails: %t; delivery noted: %t", fails, noted)
			}
		})
	}
}

// severed is a connection that takes no more, if it is cut.
type severed struct {
	*httptest.ResponseRecorder
	cut bool
}

func (s *severed) Write(b []byte) (int, error) {
	if s.cut {
		return 0, errors.New("broken pipe")
	}
	return s.ResponseRecorder.Write(b)
}
