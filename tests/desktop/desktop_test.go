//go:build window

package desktop

import (
	"slices"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
)

const ask = `
text I look around first.
ask_user {"questions":[{"question":"Which side_of <b>it</b>?","header":"Side","options":[{"label":"Left_or","description":""},{"label":"Right","description":""}]}]}
write side.txt ${answer}
text It is done.
`

const inMenu = "TRY-1: Which side__of <b>it</b>?"

func TestAnAnswerFromTheTrayLetsTheAgentGoOn(t *testing.T) {
	s := run(t, ask, nil)
	s.until("the icon with the dot", s.dotted)
	s.until("the tooltip", func() bool { return s.tooltip() == "1 question" })
	if title, _ := property[string](s.fake, "Title"); title != "Beckon" {
		t.Errorf("the icon is called %q", title)
	}
	shown := s.told("TRY-1 asks")
	want := []string{
		"1 needs you", inMenu, inMenu + " > Open", inMenu + " > Left__or", inMenu + " > Right",
		"New task…", "Hold all clocks", "Open Beckon", "Quit Beckon…",
	}
	s.until("the menu", func() bool { return slices.Equal(s.labels(), want) })
	if head, _ := s.find("1 needs you"); head.enabled {
		t.Error("the menu's heading can be chosen")
	}

	s.click(inMenu + " > Right")
	if text := s.wrote(); text != "Right" {
		t.Errorf("the agent wrote %q, want what was chosen", text)
	}
	if q := s.question(); q.Settlement != beckon.Answered || q.Answer.Items[0].Labels[0] != "Right" {
		t.Errorf("the question is %s, %+v", q.Settlement, q.Answer)
	}
	s.until("the icon without the dot", func() bool { return !s.dotted() && s.tooltip() == "Beckon" })
	ready := s.told("TRY-1 is ready for review")
	if slices.ContainsFunc(s.shown(), func(n note) bool { return n.id == shown.id }) {
		t.Error("the question is answered and its notification is still there")
	}
	if !strings.Contains(ready.body, "1 file, +1 −0") || ready.hints["sound-name"].Value() != nil {
		t.Errorf("the notification of what is ready is %+v", ready)
	}
	s.press(ready, "default")
	s.route("#/task/TRY-1")
}

func TestAnAnswerFromANotificationLetsTheAgentGoOn(t *testing.T) {
	s := set(t, ask, nil)
	address := bus(t)
	f := newFake(t, address)
	f.quick = func(n note) { // in the half second in which no answer is taken, on any machine
		if key := n.key("Right"); key != "" && n.replaces == 0 {
			f.press(n, key)
		}
	}
	f.watch()
	f.announce()
	s.open(f, address)
	n := s.told("TRY-1 asks")
	if n.body != "Which side_of &lt;b&gt;it&lt;/b&gt;?" {
		t.Errorf("the body is %q, want no markup of the agent's", n.body)
	}
	if n.hints["urgency"].Value() != byte(2) || n.hints["desktop-entry"].Value() != "beckon" || n.hints["sound-name"].Value() == nil {
		t.Errorf("the hints are %v", n.hints)
	}
	s.until("the press that came too soon to be shown again", func() bool { return len(s.ever()) == 2 })
	if again := s.ever()[1]; again.replaces != n.id || len(s.shown()) != 1 {
		t.Errorf("shown again as %+v beside %+v, want it replaced", again, s.shown())
	}
	if q := s.question(); q.Settlement != beckon.Open {
		t.Fatalf("a press in the first half second settled the question: %+v", q)
	}
	time.Sleep(calm)
	s.press(n, n.key("Left_or"))
	if text := s.wrote(); text != "Left_or" {
		t.Errorf("the agent wrote %q, want what was pressed", text)
	}
	s.until("the notification to go", func() bool {
		return !slices.ContainsFunc(s.shown(), func(o note) bool { return o.id == n.id })
	})
	s.until("the icon without the dot", func() bool { return !s.dotted() })
}

// A desktop may send what was pressed before it has returned the number of what
// it shows.
func TestAPressIsHeardHoweverSoonItComes(t *testing.T) {
	s := set(t, "text Done at once.\n", nil)
	address := bus(t)
	f := newFake(t, address)
	f.quick = func(n note) { f.press(n, "default") }
	f.watch()
	f.announce()
	s.open(f, address)
	s.told("TRY-1 is ready for review")
	s.route("#/task/TRY-1")
}

func TestADismissalIsNoAnswer(t *testing.T) {
	s := run(t, ask, nil)
	n := s.told("TRY-1 asks")
	time.Sleep(calm)
	s.dismiss(n)
	s.press(n, n.key("Right")) // of a notification that is gone
	s.click("Hold all clocks") // a sign that what came before was heard
	s.until("all clocks to be held", func() bool { e, _ := s.find("Hold all clocks"); return e.checked })
	if q := s.question(); q.Settlement != beckon.Open || !s.dotted() {
		t.Errorf("after a dismissal the question is %s, %+v", q.Settlement, q.Answer)
	}
	s.click(inMenu + " > Open")
	s.route("#/inbox/" + s.question().ID)
	if q := s.question(); q.Settlement != beckon.Open {
		t.Errorf("after it was opened the question is %s", q.Settlement)
	}
}

func TestAnAnswerIsWrittenIntoANotification(t *testing.T) {
	s := run(t, ask, nil)
	n := s.told("TRY-1 asks")
	if n.key("Answer") != "inline-reply" {
		t.Fatalf("the actions are %q", n.actions)
	}
	time.Sleep(calm)
	s.reply(n, "Neither, go round")
	if text := s.wrote(); !strings.Contains(text, "Neither, go round") {
		t.Errorf("the agent wrote %q", text)
	}
	if q := s.question(); q.Answer == nil || q.Answer.Items[0].Other != "Neither, go round" {
		t.Errorf("the answer is %+v", q.Answer)
	}
}

func TestAPermissionIsNotGivenFromOutside(t *testing.T) {
	s := run(t, "permit Bash {\"command\":\"rm -rf /tmp/nothing\"}\n", func(set *beckon.Settings) { set.Language = "de" })
	n := s.told("TRY-1 möchte einen Befehl ausführen")
	if !strings.HasPrefix(n.body, "rm -rf /tmp/nothing") || !slices.Equal(n.actions, []string{"default", "Öffnen", "open", "Öffnen"}) {
		t.Errorf("told as %+v, want the command and nothing but to open it", n)
	}
	entry := "TRY-1: rm -rf /tmp/nothing erlauben?"
	s.until("it in the menu, without more", func() bool {
		return slices.Index(s.labels(), entry) == 1 && s.labels()[2] == "Neue Aufgabe…"
	})
	s.press(n, "open")
	s.route("#/inbox/" + s.question().ID)
	if q := s.question(); q.Settlement != beckon.Open {
		t.Errorf("after it was opened the permission is %s", q.Settlement)
	}
}

func TestQuietHoursAreQuietAndTheTrayStillShowsWhoWaits(t *testing.T) {
	s := run(t, ask, func(set *beckon.Settings) {
		now := time.Now().Hour()*60 + time.Now().Minute()
		set.Notify.QuietFrom, set.Notify.QuietTo = (now+1440-60)%1440, (now+60)%1440
	})
	s.until("the dot", s.dotted)
	s.until("the answers in the menu", func() bool { return slices.Contains(s.labels(), inMenu+" > Right") })
	s.click(inMenu + " > Right")
	s.wrote()
	s.until("an idle tray", func() bool { return s.tooltip() == "Beckon" && !slices.Contains(s.labels(), "1 working") })
	if all := s.ever(); len(all) > 0 {
		t.Errorf("in quiet hours there was %+v", all)
	}
}

func TestADesktopThatComesLaterIsFound(t *testing.T) {
	s := set(t, "ask First? | a | b\n"+ask, nil)
	address := bus(t)
	f := newFake(t, address)
	s.open(f, address)
	s.until("the question", func() bool { return s.isAsked() })
	f.watch()
	s.until("the icon to register", s.dotted)
	f.announce()
	first := "TRY-1: First?"
	s.until("the first question in the menu", func() bool { return slices.Contains(s.labels(), first+" > a") })
	s.click(first + " > a")
	s.told("TRY-1 asks")
	if said := strings.Count(s.said.String(), "systray error"); said > 1 {
		t.Errorf("a tray that nobody shows is complained of %d times:\n%s", said, s.said.String())
	}
}

func TestWithoutABusThereIsAWindowAndNothingElse(t *testing.T) {
	s := set(t, ask, nil)
	f := &fake{t: t, notes: map[uint32]note{}}
	s.open(f, "unix:path="+s.At("none"))
	s.until("the question", func() bool { return s.isAsked() })
	s.close()
	s.ended <- nil
	if strings.Contains(s.said.String(), "panic") || strings.Contains(s.said.String(), "SIGSEGV") {
		t.Errorf("without a bus Beckon says:\n%s", s.said.String())
	}
}

func TestQuitFromTheTrayEndsBeckon(t *testing.T) {
	s := run(t, "text Done at once.\n", nil)
	s.told("TRY-1 is ready for review")
	s.until("a menu without agents", func() bool { return slices.Index(s.labels(), "New task…") == 0 })
	s.click("Quit Beckon…")
	s.untilEnded()
	if left := s.shown(); len(left) > 0 {
		t.Errorf("left behind: %+v", left)
	}
}

func TestAClickOnTheIconOpensTheOneThatWaits(t *testing.T) {
	s := run(t, ask, nil)
	s.until("the dot", s.dotted)
	s.activate()
	s.route("#/inbox/" + s.question().ID)
}

// isAsked reports whether there is a question, by the database alone.
func (s *stage) isAsked() bool {
	s.t.Helper()
	return s.count("SELECT count(*) FROM question WHERE settlement = 'open'") > 0
}
