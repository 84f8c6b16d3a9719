package runner_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/runner/outbox"
)

// images are what messages bring along.
func (d driver) images() outbox.Images { return outbox.Images{Store: d.Store} }

// reopen opens the chat of a task that ended.
func (d driver) reopen(taskID string) {
	d.T.Helper()
	if _, err := d.Runner.StartInteractive(d.T.Context(), taskID); err != nil {
		d.T.Fatal(err)
	}
}

// post sends a message and returns it as it then stands.
func (d driver) post(taskID, text string, manner beckon.Manner) beckon.Message {
	d.T.Helper()
	m, err := d.Runner.SendMessage(d.T.Context(), taskID, beckon.NewMessage{Text: text, Manner: manner})
	if err != nil {
		d.T.Fatal(err)
	}
	return m
}

// doing waits until the agent is at something.
func (d driver) doing(taskID string, verb beckon.Verb) {
	d.T.Helper()
	d.Until("the agent is "+string(verb), func() bool { return d.Runs[taskID].Activity.Verb == verb })
}

// waiting waits until the queue holds these texts, in this order.
func (d driver) waiting(taskID string, want ...string) {
	d.T.Helper()
	d.Until("the queue "+strings.Join(want, ", "), func() bool {
		var texts []string
		for _, m := range d.Queued[taskID] {
			texts = append(texts, m.Text)
		}
		return strings.Join(texts, "|") == strings.Join(want, "|")
	})
}

// conversation returns what the transcript shows: what was said to the agent
// behind ">", by it, and "." for the end of a turn, "!" for one that was
// interrupted, "?" for a failed one.
func (d driver) conversation(taskID string) string {
	d.T.Helper()
	page, err := d.History.Transcript(d.T.Context(), taskID, "", 500)
	if err != nil {
		d.T.Fatal(err)
	}
	var said []string
	for _, e := range page.Entries {
		switch {
		case e.Kind == beckon.UserEntry:
			said = append(said, "> "+e.Text)
		case e.Kind == beckon.TextEntry:
			said = append(said, e.Text)
		case e.Turn != nil && e.Turn.Failed:
			said = append(said, "?")
		case e.Turn != nil && e.Turn.Interrupted:
			said = append(said, "!")
		case e.Turn != nil:
			said = append(said, ".")
		}
	}
	return strings.Join(said, "\n")
}

// says fails the test unless the transcript shows exactly that.
func (d driver) says(taskID string, want ...string) {
	d.T.Helper()
	if got := d.conversation(taskID); got != strings.Join(want, "\n") {
		d.T.Errorf("the transcript shows\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

var slowly = "pace: 30ms\ntext " + strings.Repeat("All that there is to say about it. ", 200) + "\nturn\n"

func TestARedirectEndsTheTurnAndBeginsTheNext(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script string
		busy   func(driver, string)
	}{
		"text":     {slowly, func(d driver, id string) { d.doing(id, beckon.Writing) }},
		"tool":     {"run sleep 60\nturn\n", func(d driver, id string) { d.doing(id, beckon.Executing) }},
		"question": {"ask Which? | A | B\nturn\n", func(d driver, _ string) { d.Question("Which?") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := start(t, c.script+"text I do ${message}\n")
			task := d.chat("")
			d.post(task.ID, "go", beckon.Redirect)
			c.busy(d, task.ID)
			if m := d.post(task.ID, "that instead", beckon.Redirect); m.Sent == 0 {
				t.Errorf("the redirect waits: %+v", m)
			}
			d.idle(task.ID, 2)
			d.waiting(task.ID)
			got := d.conversation(task.ID)
			if !strings.HasPrefix(got, "> go\n") || !strings.HasSuffix(got, "\n!\n> that instead\nI do that instead\n.") {
				t.Errorf("the transcript shows\n%s\nwant an interrupted turn, then the other message's", got)
			}
			d.Lock()
			defer d.Unlock()
			for _, q := range d.Asked {
				if q.Settlement != beckon.Withdrawn || q.Reason.String() != "You sent a message instead." {
					t.Errorf("the question is %s (%s), want withdrawn", q.Settlement, q.Reason)
				}
			}
			if run := d.Runs[task.ID]; run.Outcome != "" || run.Reason != nil {
				t.Errorf("the run: %s, %s", run.Outcome, run.Reason)
			}
		})
	}
}

func TestARedirectedTaskRunGoesOnAndSucceeds(t *testing.T) {
	t.Parallel()
	d := start(t, "run sleep 60\nturn\nwrite done.txt ${message}\n")
	task := d.Run(beckon.NewTask{Title: "Wait"})
	d.doing(task.ID, beckon.Executing)
	d.post(task.ID, "no, write", beckon.Redirect)
	task, run := d.Ended(task.ID)
	if run.Outcome != beckon.Succeeded || run.Turns != 2 || task.Trouble != nil {
		t.Errorf("run %s (%s) after %d turns, trouble %q; want success after two", run.Outcome, run.Reason, run.Turns, task.Trouble)
	}
	if text := d.said(task.ID, "done.txt"); text != "no, write" {
		t.Errorf("the agent wrote %q", text)
	}
}

func TestAMessageThatNamesNoMannerRedirects(t *testing.T) {
	t.Parallel()
	d := start(t, slowly+"text I do ${message}\n")
	task := d.chat("")
	d.post(task.ID, "go", "")
	d.doing(task.ID, beckon.Writing)
	if _, err := d.Runner.SendMessage(t.Context(), task.ID, beckon.NewMessage{Text: "shout", Manner: "loudly"}); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("an unknown manner: %v", err)
	}
	d.post(task.ID, "that instead", "")
	d.idle(task.ID, 2)
	if got := d.conversation(task.ID); !strings.HasSuffix(got, "\n!\n> that instead\nI do that instead\n.") {
		t.Errorf("the transcript shows\n%s\nwant an interrupted turn, then the other message's", got)
	}
}

func TestARedirectThatIsNotHeardWaits(t *testing.T) {
	t.Parallel()
	d := start(t, "deaf\nask Which? | A | B\nrun sleep 0.3\nturn\ntext I do ${message}\n")
	task := d.chat("")
	d.post(task.ID, "go", beckon.Redirect)
	d.Question("Which?")
	if m := d.post(task.ID, "that instead", beckon.Redirect); m.Sent != 0 {
		t.Errorf("a message that the agent cannot have was sent: %+v", m)
	}
	d.idle(task.ID, 2)
	d.says(task.ID, "> go", ".", "> that instead", "I do that instead", ".")
}

func TestQueuedMessagesGoOutOneATurnAsEditedAndOrdered(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Ready? | Yes | No\nturn\ntext A ${message}\nturn\ntext B ${message}\n")
	task := d.chat("")
	d.post(task.ID, "go", beckon.Queue)
	q := d.Question("Ready?")
	one := d.post(task.ID, "one", beckon.Queue)
	two := d.post(task.ID, "two", beckon.Queue)
	three := d.post(task.ID, "three", beckon.Queue)
	d.waiting(task.ID, "one", "two", "three")
	edited, err := d.Runner.EditMessage(t.Context(), two.ID, beckon.NewMessage{Text: "two!"})
	if err := errors.Join(err, d.Runner.MoveMessage(t.Context(), three.ID, 0), d.Runner.RemoveMessage(t.Context(), one.ID)); err != nil {
		t.Fatal(err)
	}
	if edited.ID != two.ID || edited.Text != "two!" {
		t.Errorf("edited to %+v", edited)
	}
	d.waiting(task.ID, "three", "two!")
	d.Choose(q, "Yes")
	d.idle(task.ID, 3)
	d.waiting(task.ID)
	d.says(task.ID, "> go", ".", "> three", "A three", ".", "> two!", "B two!", ".")
	for what, err := range map[string]error{
		"removed": d.Runner.RemoveMessage(t.Context(), three.ID), "moved": d.Runner.MoveMessage(t.Context(), two.ID, 0), "edited": d.edit(two.ID),
	} {
		if !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), "already read this message") {
			t.Errorf("%s after it was read: %v", what, err)
		}
	}
}

func (d driver) edit(id string) error {
	_, err := d.Runner.EditMessage(d.T.Context(), id, beckon.NewMessage{Text: "late"})
	return err
}

func TestATaskRunIsNotOverWhileItsQueueHoldsAny(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Ready? | Yes | No\nturn\nwrite a.txt ${message}\nturn\nwrite b.txt ${message}\n")
	task := d.Run(beckon.NewTask{Title: "Write"})
	q := d.Question("Ready?")
	d.post(task.ID, "first", beckon.Queue)
	d.post(task.ID, "second", beckon.Queue)
	d.Choose(q, "Yes")
	_, run := d.Ended(task.ID)
	if a, b := d.said(task.ID, "a.txt"), d.said(task.ID, "b.txt"); a != "first" || b != "second" || run.Turns != 3 {
		t.Errorf("after %d turns the agent wrote %q and %q", run.Turns, a, b)
	}
	d.waiting(task.ID)
}

func TestAnInterruptLetsTheNextMessageGo(t *testing.T) {
	t.Parallel()
	d := start(t, "run sleep 60\nturn\ntext I do ${message}\n")
	task := d.chat("")
	d.post(task.ID, "go", beckon.Queue)
	d.doing(task.ID, beckon.Executing)
	d.post(task.ID, "next", beckon.Queue)
	if err := d.Runner.Interrupt(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	d.idle(task.ID, 2)
	d.says(task.ID, "> go", "!", "> next", "I do next", ".")
}

// TestAFailureKeepsTheQueue: behind a spent quota all the others would be
// spent too.
func TestAFailureKeepsTheQueue(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Ready? | Yes | No\nerror 400 Bad\nturn\ntext Again ${message}\nturn\ntext Then ${message}\n")
	task := d.chat("")
	d.post(task.ID, "go", beckon.Queue)
	q := d.Question("Ready?")
	d.post(task.ID, "kept", beckon.Queue)
	d.Choose(q, "Yes")
	d.idle(task.ID, 1)
	d.waiting(task.ID, "kept")
	d.post(task.ID, "try again", beckon.Queue)
	d.idle(task.ID, 3)
	if got := d.conversation(task.ID); !strings.HasSuffix(got, "?\n> try again\nAgain try again\n.\n> kept\nThen kept\n.") {
		t.Errorf("the transcript shows\n%s", got)
	}
}

func TestTheQueueOutlivesBeckonAndIsWhatTheChatGoesOnWith(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "ask Ready? | Yes | No\n", "text A ${message}\nturn\ntext B ${message}\n")
	task := d.chat("")
	d.post(task.ID, "go", beckon.Queue)
	d.Question("Ready?")
	d.post(task.ID, "one", beckon.Queue)
	d.post(task.ID, "two", beckon.Queue)
	if err := d.Board.SaveMessageDraft(t.Context(), task.ID, "half a th"); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, d.DataDir, d.Find)
	events, _, err := again.History.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	again.Take(events...)
	again.waiting(task.ID, "one", "two")
	drafts, err := again.Board.Drafts(t.Context())
	if err != nil || len(drafts) != 1 || drafts[0] != (beckon.Draft{TaskID: task.ID, Text: "half a th"}) {
		t.Errorf("drafts %+v, %v", drafts, err)
	}
	again.reopen(task.ID)
	again.idle(task.ID, 2)
	if got := again.conversation(task.ID); !strings.HasSuffix(got, "> one\nA one\n.\n> two\nB two\n.") {
		t.Errorf("the transcript shows\n%s", got)
	}
}

func TestAMessageToAnEndedChatGoesOutWhenItIsResumed(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "text Hello.\n", "text A ${message}\n")
	task := d.chat("")
	d.post(task.ID, "go", beckon.Redirect)
	d.idle(task.ID, 1)
	if err := d.Runner.Stop(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	d.Until("the chat ends", func() bool { return d.Runs[task.ID].Phase == beckon.Ended })
	if m := d.post(task.ID, "later", beckon.Redirect); m.Sent != 0 {
		t.Errorf("sent to nobody: %+v", m)
	}
	d.waiting(task.ID, "later")
	d.reopen(task.ID)
	d.idle(task.ID, 1)
	d.says(task.ID, "> go", "Hello.", ".", "> later", "A later", ".")
}

// TestAMessageThatADeadAgentNeverTookIsSentAgain: it is in no transcript, so
// it waits again, before the others.
func TestAMessageThatADeadAgentNeverTookIsSentAgain(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "ask Ready? | Yes | No\nkill\n", "text A ${message}\nturn\ntext B ${message}\n")
	task := d.chat("")
	d.post(task.ID, "go", beckon.Queue)
	q := d.Question("Ready?")
	d.post(task.ID, "queued", beckon.Queue)
	d.post(task.ID, "sent", beckon.Steer)
	d.waiting(task.ID, "sent", "queued")
	d.Choose(q, "Yes")
	d.Until("the agent is dead", func() bool { return d.Runs[task.ID].Phase == beckon.Ended })
	got := d.conversation(task.ID)
	d.Lock()
	kept := len(d.Queued[task.ID])
	d.Unlock()
	if taken := strings.Count(got, "> sent"); taken+kept != 2 {
		t.Errorf("%d messages wait, and the transcript shows\n%s", kept, got)
	}
	d.reopen(task.ID)
	d.Until("all is said", func() bool { return len(d.Queued[task.ID]) == 0 && d.Runs[task.ID].Phase == beckon.Idle })
	if got := d.conversation(task.ID); strings.Count(got, "> sent") != 1 || strings.Count(got, "> queued") != 1 {
		t.Errorf("the transcript shows\n%s\nwant each message once", got)
	}
}

// TestMergedMessagesAreEachShownOnce: two that are sent into streaming text
// become one turn, but stay two messages.
func TestMergedMessagesAreEachShownOnce(t *testing.T) {
	t.Parallel()
	d := start(t, slowly+"text Both.\n")
	task := d.chat("")
	d.post(task.ID, "go", beckon.Redirect)
	d.doing(task.ID, beckon.Writing)
	d.post(task.ID, "this", beckon.Steer)
	d.post(task.ID, "and that", beckon.Steer)
	if err := d.Runner.Interrupt(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	d.idle(task.ID, 2)
	d.waiting(task.ID)
	if got := d.conversation(task.ID); !strings.HasSuffix(got, "\n!\n> this\n> and that\nBoth.\n.") {
		t.Errorf("the transcript shows\n%s", got)
	}
}

func TestASentMessageIsTakenBackWhileTheAgentHasNotReadIt(t *testing.T) {
	t.Parallel()
	d := start(t, slowly+"text I do ${message}\n")
	task := d.chat("")
	d.post(task.ID, "go", beckon.Redirect)
	d.doing(task.ID, beckon.Writing)
	d.post(task.ID, "wrong", beckon.Steer)
	d.post(task.ID, "typo", beckon.Steer)
	d.waiting(task.ID, "wrong", "typo")
	d.Lock()
	wrong, typo := d.Queued[task.ID][0], d.Queued[task.ID][1]
	d.Unlock()
	edited, err := d.Runner.EditMessage(t.Context(), typo.ID, beckon.NewMessage{Text: "right"})
	if err := errors.Join(err, d.Runner.RemoveMessage(t.Context(), wrong.ID), d.Runner.Interrupt(t.Context(), task.ID)); err != nil {
		t.Fatal(err)
	}
	if edited.Sent == 0 || edited.ID == typo.ID {
		t.Errorf("edited to %+v; want it sent again", edited)
	}
	d.idle(task.ID, 2)
	d.waiting(task.ID)
	if got := d.conversation(task.ID); !strings.HasSuffix(got, "\n!\n> right\nI do right\n.") || strings.Contains(got, "typo") {
		t.Errorf("the transcript shows\n%s", got)
	}
}

func TestATurnThatBeginsByItselfIsShownAsOne(t *testing.T) {
	t.Parallel()
	d := start(t, "wake 200ms\ntext Started.\nturn\nask Well? | A | B\ntext Finished.\nturn\ntext I do ${message}\n")
	task := d.chat("")
	d.post(task.ID, "go", beckon.Redirect)
	q := d.Question("Well?")
	d.post(task.ID, "next", beckon.Queue)
	d.Choose(q, "A")
	d.idle(task.ID, 3)
	d.says(task.ID, "> go", "Started.", ".", "Finished.", ".", "> next", "I do next", ".")
}

func TestACommandIsATurnAndClearBeginsAnotherSession(t *testing.T) {
	t.Parallel()
	d := startAgents(t, "text Hello.\n", "text I do ${message} in ${session}\n")
	task := d.chat("")
	d.post(task.ID, "go", beckon.Redirect)
	d.idle(task.ID, 1)
	d.Lock()
	before := d.Runs[task.ID].Session
	d.Unlock()
	d.post(task.ID, "/clear", beckon.Redirect)
	d.idle(task.ID, 2)
	d.waiting(task.ID)
	d.Lock()
	after := d.Runs[task.ID].Session
	d.Unlock()
	if after == before || after == "" {
		t.Fatalf("the session is %q, after %q; want another", after, before)
	}
	if err := d.Runner.Stop(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	d.Until("the chat ends", func() bool { return d.Runs[task.ID].Phase == beckon.Ended })
	d.post(task.ID, "more", beckon.Redirect)
	d.reopen(task.ID)
	d.idle(task.ID, 1)
	if got := d.conversation(task.ID); !strings.Contains(got, "> /clear\n") || !strings.HasSuffix(got, "I do more in "+after+"\n.") {
		t.Errorf("the transcript shows\n%s\nwant it to go on in session %s", got, after)
	}
}

func TestAnImageGoesAlong(t *testing.T) {
	t.Parallel()
	d := start(t, "text I see ${images}\n")
	task := d.chat("")
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	data := base64.StdEncoding.EncodeToString(picture.Bytes())
	kept, err := d.images().KeepImage(beckon.NewImage{Name: "a\nshot.jpg", Data: data})
	if err != nil || kept.Type != "image/png" || kept.Name != "a shot.jpg" || kept.Size != picture.Len() {
		t.Fatalf("kept %+v, %v", kept, err)
	}
	if url, err := d.images().Image(kept.ID); err != nil || url != "data:image/png;base64,"+data {
		t.Errorf("shown as %.80s, %v", url, err)
	}
	file, err := os.Stat(filepath.Join(d.DataDir, "images", kept.ID))
	if err != nil || file.Mode().Perm()&0o077 != 0 {
		t.Errorf("the image's file: %v, %v; want it for the user alone", file, err)
	}
	if _, err := d.Runner.SendMessage(t.Context(), task.ID, beckon.NewMessage{Text: "look", Images: []beckon.Image{kept}, Manner: beckon.Redirect}); err != nil {
		t.Fatal(err)
	}
	d.idle(task.ID, 1)
	if got := d.conversation(task.ID); !strings.HasPrefix(got, "> look") || !strings.Contains(got, "I see image/png of ") {
		t.Errorf("the transcript shows\n%s", got)
	}
}

func TestWhatIsNoImageIsRefused(t *testing.T) {
	t.Parallel()
	d := start(t, "text Hello.\n")
	encode := base64.StdEncoding.EncodeToString
	for name, data := range map[string]string{
		"page.png": encode([]byte("<html><script>alert(1)</script>")),
		"draw.svg": encode([]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`)),
		"half.png": encode([]byte("\x89PNG\r\n\x1a\n")),
		"big.png":  encode(make([]byte, beckon.MaxImageBytes+1)),
		"odd.png":  "no base64!",
		"none.png": "",
	} {
		if kept, err := d.images().KeepImage(beckon.NewImage{Name: name, Data: data}); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%s: kept as %+v, %v", name, kept, err)
		}
	}
	for id, want := range map[string]error{"../beckon.db": beckon.ErrInvalid, "": beckon.ErrInvalid, strings.Repeat("0", 64): beckon.ErrNotFound} {
		if url, err := d.images().Image(id); !errors.Is(err, want) {
			t.Errorf("image %q is %.40s, %v; want %v", id, url, err, want)
		}
	}
}

func TestOldImagesGoUnlessAMessageOrADraftNeedsThem(t *testing.T) {
	t.Parallel()
	d := start(t, "text Hello.\n")
	task, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Talk"})
	if err != nil {
		t.Fatal(err)
	}
	var kept []beckon.Image
	for width := range 4 {
		var picture bytes.Buffer
		err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, width+1, 1)))
		i, keepErr := d.images().KeepImage(beckon.NewImage{Name: "i.png", Data: base64.StdEncoding.EncodeToString(picture.Bytes())})
		if err := errors.Join(err, keepErr); err != nil {
			t.Fatal(err)
		}
		kept = append(kept, i)
	}
	old, fresh, queued, drafted := kept[0], kept[1], kept[2], kept[3]
	long := time.Now().Add(-8 * 24 * time.Hour)
	for _, i := range []beckon.Image{old, queued, drafted} {
		if err := os.Chtimes(filepath.Join(d.DataDir, "images", i.ID), long, long); err != nil {
			t.Fatal(err)
		}
	}
	_, err = d.Runner.SendMessage(t.Context(), task.ID, beckon.NewMessage{Images: []beckon.Image{queued}, Manner: beckon.Queue})
	if err := errors.Join(err, d.Board.SaveMessageDraft(t.Context(), task.ID, `{"images":[{"id":"`+drafted.ID+`"}]}`), d.Close()); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, d.DataDir, d.Find)
	for _, i := range []beckon.Image{fresh, queued, drafted} {
		if _, err := again.images().Image(i.ID); err != nil {
			t.Errorf("an image that is needed: %v", err)
		}
	}
	if _, err := again.images().Image(old.ID); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("an old image that nothing needs: %v", err)
	}
}

func TestAChatWaitsForItsPerson(t *testing.T) {
	t.Parallel()
	d := start(t, "text hello\nturn\nask Which? | A | B\ntext You said ${answer}\n")
	task, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Talk"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Runner.StartInteractive(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	d.idle(task.ID, 0) // it does not set out to do the brief on its own
	for turn, message := range []string{"hello", "ask me"} {
		d.post(task.ID, message, beckon.Redirect)
		if turn == 0 {
			d.idle(task.ID, 1)
		}
	}
	q := d.Question("Which?")
	if q.Deadline != 0 || q.Policy != beckon.Wait {
		t.Errorf("a chat's question has a clock: %+v", q)
	}
	d.Choose(q, "B")
	d.idle(task.ID, 2)
	if err := d.Runner.Stop(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	d.Until("the chat ends", func() bool { return d.Runs[task.ID].Phase == beckon.Ended })
	d.Lock()
	defer d.Unlock()
	if s := d.Tasks[task.ID].Status; s != beckon.Backlog {
		t.Errorf("a chat moved the card to %s", s)
	}
}
