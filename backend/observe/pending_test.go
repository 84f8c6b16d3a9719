package observe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"beckon/backend/agent/claude/sessionfile"
)

func made(id, tool string, at int64) call {
	return call{Call: sessionfile.Call{ID: id, Tool: tool, Input: json.RawMessage(`{}`)}, at: at}
}

// TestWhatASessionWaitsFor is the table of what is pending: calls without a result,
// the status, and whether the process lives.
func TestWhatASessionWaitsFor(t *testing.T) {
	t.Parallel()
	one := func(calls_ ...call) []calls { return []calls{{open: calls_}} }
	agent := Agent{ID: "a1", Type: "Explore", Description: "look around"}
	waits := facts{alive: true, status: Waiting, statusAt: 50, started: 1}
	with := func(change func(*facts)) facts { f := waits; change(&f); return f }
	busy := with(func(f *facts) { f.status = Busy })
	idle := with(func(f *facts) { f.status = Idle })
	silent := with(func(f *facts) { f.status = Unknown })
	dead := with(func(f *facts) { f.alive = false })
	question, plan, bash := made("q", "AskUserQuestion", 10), made("p", "ExitPlanMode", 10), made("b", "Bash", 10)
	for name, c := range map[string]struct {
		files []calls
		facts facts
		want  string
	}{
		"a question":                                       {one(question), waits, "question q"},
		"a plan":                                           {one(plan), waits, "plan p"},
		"a permission":                                     {one(bash), waits, "permission b"},
		"a question before the status tells":               {one(question), busy, "question q"},
		"a tool that runs":                                 {one(bash), busy, ""},
		"a plan that was approved":                         {one(plan), busy, ""},
		"a tool of a turn that is over":                    {one(bash), idle, ""},
		"a question of a turn that is over":                {one(question), idle, ""},
		"a question after the last word that it was idle":  {one(made("q", "AskUserQuestion", 60)), idle, "question q"},
		"died with a question":                             {one(question), dead, ""},
		"died with a permission":                           {one(bash), dead, ""},
		"-p asks":                                          {one(question), silent, "question q"},
		"-p has a plan":                                    {one(plan), silent, "plan p"},
		"-p runs a tool or asks, which cannot be told":     {one(bash), silent, ""},
		"a question of the process before":                 {one(made("q", "AskUserQuestion", 0)), waits, ""},
		"two questions":                                    {one(question, made("q2", "AskUserQuestion", 11)), waits, "question q, question q2"},
		"two commands, of which the first is asked for":    {one(bash, made("b2", "Bash", 11)), waits, "permission b"},
		"two fetches beside each other":                    {one(made("f", "WebFetch", 10), made("g", "WebFetch", 11)), waits, "permission f, permission g"},
		"a command, then a question":                       {one(bash, made("q2", "AskUserQuestion", 11)), waits, "permission b, question q2"},
		"a sub-agent's command":                            {[]calls{{open: []call{made("t", "Agent", 5)}}, {agent: agent, parent: "t", open: []call{bash}}}, waits, "permission b of Explore"},
		"a sub-agent that runs while a dialog is open":     {[]calls{{open: []call{bash}}, {agent: agent, parent: "t", open: []call{made("r", "Read", 70)}}}, waits, "permission b"},
		"a sub-agent that is to be allowed":                {one(made("t", "Agent", 5)), waits, "permission t"},
		"nothing":                                          {nil, waits, ""},
		"a dialog that the CLI drew without a call, as /x": {one(), waits, ""},
	} {
		var got []string
		for _, a := range pending(c.files, c.facts) {
			line := string(a.Kind) + " " + a.ID
			if !a.MayShow {
				line += ", which is not drawn"
			}
			if a.Agent != (Agent{}) {
				line += " of " + a.Agent.Type
			}
			got = append(got, line)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q, want %q", name, strings.Join(got, ", "), c.want)
		}
	}
}

// TestHowWhatWasRecordedEnded replays files that the CLI wrote: up to the call its
// session waits, and the rest says how that ended.
func TestHowWhatWasRecordedEnded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ask  string
		how  How
		more string
	}{
		"answered": {"question AskUserQuestion", Answered, "Which database?=SQLite"},
		"declined": {"question AskUserQuestion", Declined, ""},
		"chat":     {"question AskUserQuestion", Declined, "The user wants to clarify these questions."},
		"bash":     {"permission Bash", Allowed, ""},
		"bashno":   {"permission Bash", Declined, ""},
		"write":    {"permission Write", Allowed, ""},
		"writeno":  {"permission Write", Declined, ""},
		"planno":   {"plan ExitPlanMode", Declined, ""},
		"two":      {"question AskUserQuestion", Answered, "First?=B"},
	} {
		lines := recorded(t, name)
		last := slices.IndexFunc(lines, func(l []byte) bool { return bytes.Contains(l, []byte(`"type":"tool_result"`)) })
		s := &session{Session: Session{Status: Waiting}}
		s.presence.StatusUpdatedAt = time.Now().Add(24 * time.Hour).UnixMilli()
		feed(&s.main.conversation, lines[:last])
		events, _ := s.update(true, time.Now(), 0)
		if len(events) == 0 || events[0].Kind != Opened || string(events[0].Ask.Kind)+" "+events[0].Ask.Tool != c.ask {
			t.Errorf("%s: opened %+v", name, events)
			continue
		}
		feed(&s.main.conversation, lines[last:])
		s.Status = Idle
		events, _ = s.update(true, time.Now(), 0)
		if len(events) == 0 || events[0].Kind != Settled || events[0].How != c.how || len(s.Asks) > 0 {
			t.Errorf("%s: settled %+v", name, events)
			continue
		}
		more := events[0].Words
		for _, a := range events[0].Answers {
			more += a.Question + "=" + a.Answer
		}
		if c.more != "" && !strings.HasPrefix(more, c.more) {
			t.Errorf("%s: %q, want %q", name, more, c.more)
		}
	}
}

// TestAResultMayComeAfterTheStatus: what is no longer asked is held open until it
// is known how it ended, or that nothing says.
func TestAResultMayComeAfterTheStatus(t *testing.T) {
	t.Parallel()
	began := time.Now()
	for name, c := range map[string]struct {
		status Status
		want   How
		after  time.Duration
	}{"it runs": {Busy, Allowed, time.Second}, "the turn is over": {Idle, Interrupted, 10 * time.Second}} {
		s := &session{Session: Session{Status: Waiting}}
		s.presence.StatusUpdatedAt = 20
		s.main.open = []call{made("b", "Bash", 10)}
		s.update(true, began, time.Second)
		s.Status = c.status
		events, again := s.update(true, began, time.Second)
		if len(events) > 0 || !again.Equal(began.Add(c.after)) || len(s.Asks) != 1 {
			t.Errorf("%s: at once %+v, again %v", name, events, again)
		}
		events, _ = s.update(true, again, time.Second)
		if len(events) != 1 || events[0].How != c.want {
			t.Errorf("%s: %+v, want %s", name, events, c.want)
		}
	}
}

// TestAPromptEndsWhatWasOpen: a resumed session has calls of a process that was
// killed, and asks nothing again.
func TestAPromptEndsWhatWasOpen(t *testing.T) {
	t.Parallel()
	lines := recorded(t, "answered")
	call := slices.IndexFunc(lines, func(l []byte) bool { return bytes.Contains(l, useMark) })
	var c conversation
	feed(&c, lines[:call+1])
	if len(c.open) != 1 {
		t.Fatalf("%d calls are open", len(c.open))
	}
	feed(&c, [][]byte{[]byte(`{"type":"user","message":{"role":"user","content":"earlier"},"timestamp":"2020-01-01T00:00:00.000Z"}`)})
	if len(c.open) != 1 {
		t.Error("an earlier prompt, which the CLI writes later, ended the call")
	}
	feed(&c, [][]byte{[]byte(`{"type":"user","message":{"role":"user","content":"go on"},"timestamp":"2099-01-01T00:00:00.000Z"}`)})
	if len(c.open) != 0 || c.last.Text != "go on" || !c.last.User {
		t.Errorf("open %+v, last %+v", c.open, c.last)
	}
}

// TestTheLastMessageIsWhatWasSaidLast, and not a command or a mark of the CLI's.
func TestTheLastMessageIsWhatWasSaidLast(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"answered": "Noted.", "declined": "Let me ask.", "clear": "Noted."} {
		var c conversation
		feed(&c, recorded(t, name))
		if c.last.Text != want || c.last.User || c.last.At == 0 {
			t.Errorf("%s: %+v, want %q", name, c.last, want)
		}
	}
}

// TestAHostileFileKeepsLittle: calls without end, and labels without end.
func TestAHostileFileKeepsLittle(t *testing.T) {
	t.Parallel()
	var c conversation
	for i := range 2 * callsMost {
		c.begin(sessionfile.Call{ID: fmt.Sprint(i), Tool: strings.Repeat("x", 1<<20), Input: json.RawMessage(`{"a":"` + strings.Repeat("y", 1<<20) + `"}`)}, 1)
	}
	if len(c.open) != callsMost || len(c.open[0].Tool) > 200 || len(c.open[0].Input) > 200<<10 {
		t.Errorf("%d calls, a name of %d bytes, an input of %d", len(c.open), len(c.open[0].Tool), len(c.open[0].Input))
	}
}

// feed gives lines to a conversation, as a read does.
func feed(c *conversation, lines [][]byte) {
	for _, l := range lines {
		c.add(l)
	}
	c.catchUp()
}

// recorded returns the lines of a file that the CLI wrote.
func recorded(t *testing.T, name string) [][]byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(text), []byte("\n"))
}
