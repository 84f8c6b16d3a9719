package real

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

func post(s *fixture.Fixture, taskID, text string, manner beckon.Manner) beckon.Message {
	return client.Must[beckon.Message](s.Program, "SendMessage", taskID, beckon.NewMessage{Text: text, Manner: manner, Images: []beckon.Image{}})
}

// doing waits until a task's agent is at something.
func doing(s *fixture.Fixture, taskID string, verb beckon.Verb) {
	s.Until("the agent is "+string(verb), patience, func() bool {
		runs := client.Must[[]beckon.Run](s.Program, "Runs", taskID)
		return runs[len(runs)-1].Activity.Verb == verb
	})
}

// runs waits until a command is a process. The newest CLI blocks a sleep that stands alone.
func runs(s *fixture.Fixture, command string) {
	line := strings.ReplaceAll(command, " ", "\x00") + "\x00"
	s.Until(command+" runs", patience, func() bool {
		files, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is valid
		return slices.ContainsFunc(files, func(file string) bool {
			is, err := os.ReadFile(file)
			return err == nil && string(is) == line
		})
	})
}

// conversation returns what a task's transcript shows: what was said to the
// agent behind ">", by it, and "." for the end of a turn, "!" for one that
// was interrupted, "?" for a failed one.
func conversation(s *fixture.Fixture, taskID string) string {
	var said []string
	for _, e := range client.Must[beckon.TranscriptPage](s.Program, "Transcript", taskID, "", 200).Entries {
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

// queued returns the texts of what a task's agent has not taken yet.
func queued(s *fixture.Fixture, taskID string) string {
	var texts []string
	for _, e := range client.Must[beckon.Frame](s.Program, "Attach", "queue").Events {
		if e.Queue == nil || e.Queue.TaskID != taskID {
			continue
		}
		for _, m := range e.Queue.Messages {
			texts = append(texts, m.Text)
		}
	}
	return strings.Join(texts, ", ")
}

var atLength = fixture.Turn{"text": strings.Repeat("There is much to say about it. ", 100), "delay_ms": 100, "chunk": 10}

func TestTwoTurnsOfAChatHaveOneContext(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, fixture.Turn{"text": "I will remember it."}, fixture.Turn{"text": "It was 42."})
	task := chat(t, s)
	post(s, task.ID, "The number is 42.", beckon.Redirect)
	idle(t, s, task.ID, 1)
	post(s, task.ID, "What was the number?", beckon.Queue)
	idle(t, s, task.ID, 2)
	asked := string(newest(t, s).Messages)
	for _, text := range []string{"The number is 42.", "I will remember it.", "What was the number?"} {
		if !strings.Contains(asked, text) {
			t.Errorf("the second turn's model was not told %q: %.3000s", text, asked)
		}
	}
	want := "> The number is 42.\nI will remember it.\n.\n> What was the number?\nIt was 42.\n."
	if got := conversation(s, task.ID); got != want {
		t.Errorf("the transcript shows\n%s", got)
	}
}

func TestARedirectEndsWhatTheAgentIsAt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		turn fixture.Turn
		busy func(s *fixture.Fixture, taskID string)
	}{
		"text": {atLength, func(s *fixture.Fixture, id string) { doing(s, id, beckon.Writing) }},
		"tool": {bash("until test -e never; do sleep 2.25; done"), func(s *fixture.Fixture, _ string) { runs(s, "sleep 2.25") }},
		"question": {
			fixture.Turn{"tool": "AskUserQuestion", "input": fixture.Questions(fixture.Question("Which way?", "Way", "Left", "Right"))},
			func(s *fixture.Fixture, id string) { s.Asked(id, "Which way?") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fixture.New(t, c.turn, fixture.Turn{"text": "That instead."})
			task := chat(t, s)
			post(s, task.ID, "go", beckon.Redirect)
			c.busy(s, task.ID)
			if m := post(s, task.ID, "do that instead", beckon.Redirect); m.Sent == 0 {
				t.Errorf("the redirect waits: %+v", m)
			}
			run := idle(t, s, task.ID, 2)
			if run.Outcome != "" || run.Reason != nil {
				t.Errorf("the run: %s, %s", run.Outcome, run.Reason)
			}
			if got := conversation(s, task.ID); !strings.HasPrefix(got, "> go\n") || !strings.HasSuffix(got, "\n!\n> do that instead\nThat instead.\n.") {
				t.Errorf("the transcript shows\n%s", got)
			}
			for _, q := range client.Must[[]beckon.Question](s.Program, "Questions", task.ID) {
				if q.Kind != beckon.Ask || q.Settlement != beckon.Withdrawn {
					t.Errorf("a question (%s) is %s", q.Kind, q.Settlement)
				}
			}
			s.Heard("[Request interrupted by user")
			if left := queued(s, task.ID); left != "" {
				t.Errorf("still in the queue: %s", left)
			}
		})
	}
}

func TestAQueueGoesOutAsEditedAndOrdered(t *testing.T) {
	t.Parallel()
	s := fixture.New(t,
		fixture.Turn{"tool": "AskUserQuestion", "input": fixture.Questions(fixture.Question("Ready?", "Ready", "Yes", "No"))},
		fixture.Turn{"text": "Ready."}, fixture.Turn{"text": "First."}, fixture.Turn{"text": "Second."}, fixture.Turn{"text": "Third."})
	task := chat(t, s)
	post(s, task.ID, "go", beckon.Queue)
	q := s.Asked(task.ID, "Ready?")
	post(s, task.ID, "one", beckon.Queue)
	two := post(s, task.ID, "two", beckon.Queue)
	three := post(s, task.ID, "three", beckon.Queue)
	client.Must[beckon.Message](s.Program, "EditMessage", two.ID, beckon.NewMessage{Text: "two, edited", Images: []beckon.Image{}})
	client.Must[any](s.Program, "MoveMessage", three.ID, 0)
	if got := queued(s, task.ID); got != "three, one, two, edited" {
		t.Errorf("the queue is %s", got)
	}
	s.Answer(q, "Yes")
	idle(t, s, task.ID, 4)
	want := "> go\nReady.\n.\n> three\nFirst.\n.\n> one\nSecond.\n.\n> two, edited\nThird.\n."
	if got := conversation(s, task.ID); got != want {
		t.Errorf("the transcript shows\n%s\nwant\n%s", got, want)
	}
}

// TestASentMessageIsTakenBack: what waits in the CLI for the next boundary can
// be taken back and edited; what it has read cannot.
func TestASentMessageIsTakenBack(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, atLength, fixture.Turn{"text": "As corrected."})
	task := chat(t, s)
	post(s, task.ID, "go", beckon.Redirect)
	doing(s, task.ID, beckon.Writing)
	post(s, task.ID, "with a typo", beckon.Steer)
	var sent beckon.Message
	for _, e := range client.Must[beckon.Frame](s.Program, "Attach", "queue").Events {
		if e.Queue != nil {
			sent = e.Queue.Messages[0]
		}
	}
	if sent.Text != "with a typo" || sent.Sent == 0 {
		t.Fatalf("the queue begins with %+v", sent)
	}
	client.Must[beckon.Message](s.Program, "EditMessage", sent.ID, beckon.NewMessage{Text: "corrected", Images: []beckon.Image{}})
	client.Must[any](s.Program, "Interrupt", task.ID)
	idle(t, s, task.ID, 2)
	if got := conversation(s, task.ID); !strings.HasSuffix(got, "\n!\n> corrected\nAs corrected.\n.") || strings.Contains(s.Told(), "with a typo") {
		t.Errorf("the transcript shows\n%s", got)
	}
}

// TestAChatGoesOnAfterItsAgentWasKilled: with what was said before, and with
// what was queued meanwhile, once.
func TestAChatGoesOnAfterItsAgentWasKilled(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, fixture.Turn{"text": "I will remember it."}, atLength, fixture.Turn{"text": "Still there."}, fixture.Turn{"text": "Next."})
	task := chat(t, s)
	post(s, task.ID, "The number is 42.", beckon.Redirect)
	idle(t, s, task.ID, 1)
	post(s, task.ID, "Tell me more.", beckon.Redirect)
	doing(s, task.ID, beckon.Writing)
	post(s, task.ID, "And then?", beckon.Queue)
	s.WrittenDown("Tell me more.")
	killAgents(t, s.Dir)
	s.Until("the run is lost", patience, func() bool {
		runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)
		return runs[0].Phase == beckon.Ended
	})
	if got := queued(s, task.ID); got != "And then?" {
		t.Errorf("the queue is %q", got)
	}
	client.Must[beckon.Run](s.Program, "StartInteractive", task.ID)
	idle(t, s, task.ID, 1)
	asked := string(newest(t, s).Messages)
	for _, text := range []string{"The number is 42.", "I will remember it.", "Tell me more.", "And then?"} {
		if n := strings.Count(asked, text); n != 1 {
			t.Errorf("the resumed model read %q %d times: %.3000s", text, n, asked)
		}
	}
	if got := conversation(s, task.ID); strings.Count(got, "> And then?") != 1 || strings.Count(got, "> Tell me more.") != 1 {
		t.Errorf("the transcript shows\n%s", got)
	}
}

func TestAnImageReachesTheModel(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, fixture.Turn{"text": "A grey square."})
	task := chat(t, s)
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	data := base64.StdEncoding.EncodeToString(picture.Bytes())
	kept := client.Must[beckon.Image](s.Program, "KeepImage", beckon.NewImage{Name: "square.png", Data: data})
	client.Must[beckon.Message](s.Program, "SendMessage", task.ID, beckon.NewMessage{
		Text: "What is it?", Images: []beckon.Image{kept}, Manner: beckon.Redirect,
	})
	idle(t, s, task.ID, 1)
	asked := string(newest(t, s).Messages)
	for _, part := range []string{`"type":"image"`, `"media_type":"image/png"`, "What is it?"} {
		if !strings.Contains(strings.ReplaceAll(asked, `": "`, `":"`), part) {
			t.Errorf("the model was not sent %s: %.3000s", part, asked)
		}
	}
}
