package driver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"beckon/backend/agent"
	"beckon/backend/agent/acp"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/tests/acpagent"
	"beckon/tests/fixture"
)

func TestMain(m *testing.M) {
	if home := os.Getenv("KIMI_TEST_HOME"); home != "" {
		if err := acpagent.Run(os.Stdin, os.Stdout, home); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

// running is an agent at work, and what it did so far.
type running struct {
	t *testing.T
	agent.Session
	home   string
	events chan agent.Event
	log    []string // what the log keeps
}

// started starts a scripted agent, in its home where that is given.
func started(t *testing.T, l agent.Launch, home string) *running {
	t.Helper()
	return startedBy(t, new(Driver), l, home)
}

// startedBy does so with a driver of the test's.
func startedBy(t *testing.T, d *Driver, l agent.Launch, home string) *running {
	t.Helper()
	if home == "" {
		home = t.TempDir()
	}
	l.Dir = t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	k := Kind{Name: "kimi", Label: "Kimi Code", Env: []string{"KIMI_TEST_HOME=" + home}, Mode: "default", AskTool: "mcp__beckon__ask_user", SignIn: "kimi login"}
	s, err := d.start(t.Context(), k, self, l)
	if err != nil {
		t.Fatal(err)
	}
	r := &running{t: t, Session: s, home: home, events: make(chan agent.Event, 1000)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(r.events)
		for {
			out, err := s.Next()
			for _, o := range out {
				if o.Line != nil && !o.Line.Partial() {
					r.log = append(r.log, string(o.Line.Bytes()))
				}
				for _, e := range o.Events {
					r.events <- e
				}
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					t.Error(err)
				}
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = s.Stop(context.WithoutCancel(t.Context()))
		<-done
		if wrong, err := os.ReadFile(filepath.Join(home, "wrong.txt")); err == nil {
			t.Errorf("not as the schema has it: %s", wrong)
		}
	})
	return r
}

// ready starts one that can be spoken to.
func ready(t *testing.T, l agent.Launch, home string) *running {
	t.Helper()
	r := started(t, l, home)
	readied(t, r)
	return r
}

// readied waits until it can be spoken to.
func readied(t *testing.T, r *running) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), fixture.Patience)
	defer cancel()
	if _, err := r.Ready(ctx); err != nil {
		t.Fatal(err)
	}
}

// says sends a message of those lines.
func (r *running) says(lines ...string) string {
	r.t.Helper()
	id := beckon.NewUUID()
	if err := r.Send(agent.Message{ID: id, Text: strings.Join(lines, "\n")}); err != nil {
		r.t.Fatal(err)
	}
	return id
}

// await returns the next event of a kind.
func await[E agent.Event](r *running) E {
	r.t.Helper()
	late := time.After(fixture.Patience)
	for {
		select {
		case e, ok := <-r.events:
			if !ok {
				r.t.Fatalf("the agent ended without %T", *new(E))
			}
			if e, is := e.(E); is {
				return e
			}
		case <-late:
			r.t.Fatalf("no %T came", *new(E))
		}
	}
}

// leaves has the agent leave, as it does when nothing more will come.
func (r *running) leaves() {
	r.CloseInput()
	for range r.events {
	}
}

// sent returns what the agent read of a method; "" are the answers to its requests.
func (r *running) sent(method string) (found []map[string]any) {
	r.t.Helper()
	raw, err := os.ReadFile(filepath.Join(r.home, "log.ndjson"))
	if err != nil {
		r.t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			r.t.Fatal(err)
		}
		if name, _ := m["method"].(string); name == method {
			found = append(found, m)
		}
	}
	return found
}

// entries are what a transcript shows of the log.
func (r *running) entries() (shown []beckon.Entry) {
	for i, line := range r.log {
		shown = append(shown, acp.Reader{}.Entries(int64(i), 1, agent.Raw(line))...)
	}
	return shown
}

func TestATurnIsHeardFromItsMessageToItsEnd(t *testing.T) {
	t.Parallel()
	r := ready(t, agent.Launch{SystemPrompt: "Ask before you guess.", Tools: agent.ToolServer{Name: "beckon", URL: "http://localhost:1/mcp", Token: "secret"}}, "")
	id := r.says("think it over", "say hello there", "free echo done")
	if heard := await[agent.Heard](r); heard.Message() != id {
		t.Errorf("the agent has %q, want %q", heard.Message(), id)
	}
	if began := await[agent.TurnBegan](r); began.Session == "" || !began.Tools {
		t.Errorf("a turn began: %+v", began)
	}
	if end := await[agent.TurnEnded](r); end.Failed || end.Interrupted || end.Said != "hello there" || end.Tokens != 42 {
		t.Errorf("the turn ended: %+v", end)
	}
	r.leaves()
	if exit := r.Wait(); exit.Code != 0 {
		t.Errorf("the agent ended with %+v", exit)
	}
	var said []string
	for _, e := range r.entries() {
		said = append(said, string(e.Kind)+" "+e.Text)
		if e.Tool != nil {
			said[len(said)-1] += e.Tool.Target + e.Tool.Result
		}
	}
	want := []string{"thinking it over", "text hello there", "tool echo done", "tool done\n", "turn "}
	if !slices.Equal(said, want) {
		t.Errorf("the transcript shows %q, want %q", said, want)
	}
	if modes := r.sent(acp.SetMode); len(modes) != 1 {
		t.Errorf("%d modes were set", len(modes))
	}
	prompt, _ := json.Marshal(r.sent(acp.Prompt)[0])
	if !strings.Contains(string(prompt), "Ask before you guess.") {
		t.Error("the agent does not know how to ask")
	}
}

func TestMessagesWaitForTheTurnsEnd(t *testing.T) {
	t.Parallel()
	r := ready(t, agent.Launch{}, "")
	r.says("run true")
	asked := await[agent.Asks](r)
	second, third := r.says("say second"), r.says("say third")
	if inTime, err := r.TakeBack(t.Context(), third); err != nil || !inTime {
		t.Errorf("a message that waits is taken back: %t, %v", inTime, err)
	}
	r.allow(asked.Request)
	await[agent.TurnEnded](r)
	if heard := await[agent.Heard](r); heard.Message() != second {
		t.Errorf("the agent has %q, want %q", heard.Message(), second)
	}
	if end := await[agent.TurnEnded](r); end.Said != "second" {
		t.Errorf("the turn ended: %+v", end)
	}
}

// answered is a question with its answer.
func answered(q beckon.Question, a beckon.Answer) beckon.Question {
	q.Settlement, q.Answer = beckon.Answered, &a
	return q
}

func (r *running) allow(req agent.Request) {
	r.t.Helper()
	if err := r.Reply(req, answered(req.Question, beckon.Answer{Verdict: beckon.AllowOnce}), ""); err != nil {
		r.t.Fatal(err)
	}
}

func TestAPermissionSaysWhatWillHappen(t *testing.T) {
	t.Parallel()
	r := ready(t, agent.Launch{}, "")
	r.says("run echo x > made")
	asked := await[agent.Asks](r)
	p := asked.Request.Question.Permission
	if p == nil || p.Command != "echo x > made" || p.Description != "a command of mine" || p.Always != "Yes, and do not ask again" {
		t.Errorf("it is asked %+v", p)
	}
	r.allow(asked.Request)
	if err := r.Reply(asked.Request, answered(asked.Request.Question, beckon.Answer{Verdict: beckon.AllowOnce}), ""); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("a second answer: %v", err)
	}
	await[agent.TurnEnded](r)
	if chosen := r.sent(""); len(chosen) != 1 || !strings.Contains(compact(chosen[0]), `"optionId":"once"`) {
		t.Errorf("the agent heard %v", chosen)
	}
}

func compact(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func TestWordsOfADenialFollowTheTurn(t *testing.T) {
	t.Parallel()
	r := ready(t, agent.Launch{}, "")
	r.says("run rm -rf made")
	asked := await[agent.Asks](r)
	if err := r.Reply(asked.Request, answered(asked.Request.Question, beckon.Answer{Verdict: beckon.Deny, Text: "say never"}), ""); err != nil {
		t.Fatal(err)
	}
	if end := await[agent.TurnEnded](r); end.Said != "never" || end.Interrupted {
		t.Errorf("after the words: %+v", end)
	}
	r.says("run rm -rf made")
	asked = await[agent.Asks](r)
	if err := r.Reply(asked.Request, answered(asked.Request.Question, beckon.Answer{Verdict: beckon.Deny}), ""); err != nil {
		t.Fatal(err)
	}
	if end := await[agent.TurnEnded](r); !end.Interrupted || end.Failed {
		t.Errorf("a turn that was refused without words ended: %+v", end)
	}
}

func TestTheAgentsOwnQuestionsAreAskedAsChoices(t *testing.T) {
	t.Parallel()
	r := ready(t, agent.Launch{}, "")
	r.says("choose Which colour?")
	asked := await[agent.Asks](r).Request
	if q := asked.Question; q.Kind != beckon.Ask || len(q.Items) != 1 || q.Items[0].Text != "Which colour?" || len(q.Items[0].Options) != 2 || q.Items[0].Options[0].Description != "warm" {
		t.Fatalf("it is asked %+v", q)
	}
	if err := r.Reply(asked, answered(asked.Question, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Blue"}}}}), ""); err != nil {
		t.Fatal(err)
	}
	if end := await[agent.TurnEnded](r); !strings.Contains(end.Said, `{"action":"accept","content":{"q0":"Blue"}}`) {
		t.Errorf("the agent heard %s", end.Said)
	}
	r.says("form How many?")
	asked = await[agent.Asks](r).Request
	if q := asked.Question; q.Kind != beckon.Elicitation || q.Message != "How many?" || !strings.Contains(q.Form, "amount") {
		t.Fatalf("it is asked %+v", q)
	}
	if err := r.Reply(asked, answered(asked.Question, beckon.Answer{Content: `{"amount":3}`}), ""); err != nil {
		t.Fatal(err)
	}
	if end := await[agent.TurnEnded](r); !strings.Contains(end.Said, `{"action":"accept","content":{"amount":3}}`) {
		t.Errorf("the agent heard %s", end.Said)
	}
}

func TestBeckonsOwnToolNeedsNoPermission(t *testing.T) {
	t.Parallel()
	r := ready(t, agent.Launch{}, "")
	r.says("permit", "say asked")
	for e := range r.events {
		if _, asks := e.(agent.Asks); asks {
			t.Fatal("a person is asked whether they may be asked")
		}
		if _, over := e.(agent.TurnEnded); over {
			break
		}
	}
	if answer := r.sent(""); len(answer) != 1 || !strings.Contains(compact(answer[0]), `"optionId":"once"`) {
		t.Errorf("the agent heard %v", answer)
	}
}

func TestATurnThatFailedIsNotDone(t *testing.T) {
	t.Parallel()
	r := ready(t, agent.Launch{}, "")
	for script, want := range map[string]agent.TurnEnded{
		"trouble exceeded retry limit, last status: 429 Too Many Requests": {Failed: true, Limited: true, Setback: beckon.Overload},
		"trouble stream disconnected before completion":                    {Failed: true},
		"error -32603 Internal error":                                      {Failed: true},
		"error -32000 Authentication required":                             {Failed: true, Why: reason.Of(reason.AgentSignedOut, "agent", "Kimi Code", "command", "kimi login")},
		"stop refusal":                                                     {Failed: true},
		"stop max_tokens":                                                  {Failed: true},
		"stop max_turn_requests":                                           {Failed: true},
		"stop unheard_of":                                                  {Failed: true},
		"":                                                                 {Failed: true},
		"say fine":                                                         {},
	} {
		r.says(script)
		end := await[agent.TurnEnded](r)
		if end.Failed != want.Failed || end.Limited != want.Limited || !end.Why.Equal(want.Why) || end.Setback != want.Setback || end.Interrupted || (end.Said == "") != (script == "") {
			t.Errorf("%s: the turn ended %+v", script, end)
		}
	}
}

func TestAnInterruptAnswersWhatIsOpen(t *testing.T) {
	t.Parallel()
	r := ready(t, agent.Launch{}, "")
	r.says("run true")
	asked := await[agent.Asks](r)
	ctx, cancel := context.WithTimeout(t.Context(), fixture.Patience)
	defer cancel()
	if err := r.Interrupt(ctx); err != nil {
		t.Fatal(err)
	}
	if end := await[agent.TurnEnded](r); !end.Interrupted {
		t.Errorf("the turn ended %+v", end)
	}
	if err := r.Reply(asked.Request, answered(asked.Request.Question, beckon.Answer{Verdict: beckon.AllowOnce}), ""); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("an answer after the turn's end: %v", err)
	}
	r.says("say again")
	if end := await[agent.TurnEnded](r); end.Said != "again" {
		t.Errorf("the next turn ended %+v", end)
	}
}

func TestWhatIsNotKnownIsShownAndRefused(t *testing.T) {
	t.Parallel()
	r := ready(t, agent.Launch{}, "")
	r.says("noise Loading models…", "update brand_new", "request _vendor/thing", "late behind the end", "say on")
	await[agent.TurnEnded](r)
	r.says("say next")
	await[agent.TurnEnded](r)
	r.leaves()
	var unknown []string
	for _, e := range r.entries() {
		if e.Notice == "unknown" {
			unknown = append(unknown, e.Text)
		}
	}
	if want := []string{"Loading models…", "brand_new", "_vendor/thing"}; !slices.Equal(unknown, want) {
		t.Errorf("as unknown it shows %q, want %q", unknown, want)
	}
	if !strings.Contains(strings.Join(r.log, "\n"), `"secret":"kept"`) || !strings.Contains(strings.Join(r.log, "\n"), "behind the end") {
		t.Errorf("the log has lost something: %q", r.log)
	}
	if refused := r.sent(""); len(refused) != 1 || !strings.Contains(compact(refused[0]), "-32601") {
		t.Errorf("the agent heard %v", refused)
	}
}

func TestASessionIsLoadedWithoutBeingToldAgain(t *testing.T) {
	t.Parallel()
	first := ready(t, agent.Launch{}, "")
	first.says("say one")
	session := await[agent.TurnBegan](first).Session
	await[agent.TurnEnded](first)
	first.leaves()
	second := ready(t, agent.Launch{Session: session}, first.home)
	second.says("say two")
	if began := await[agent.TurnBegan](second); began.Session != session {
		t.Errorf("it goes on with %q, want %q", began.Session, session)
	}
	await[agent.TurnEnded](second)
	if strings.Contains(strings.Join(second.log, "\n"), "user_message_chunk") {
		t.Errorf("the log has again what was said: %q", second.log)
	}
	third := started(t, agent.Launch{Session: "gone"}, first.home)
	if _, err := third.Ready(t.Context()); err == nil {
		t.Error("a session that is gone was loaded")
	}
	third.CloseInput()
	if !third.Wait().NoSession {
		t.Error("it is not known that the session is gone")
	}
}

func TestHalfATextIsKept(t *testing.T) {
	t.Parallel()
	r := ready(t, agent.Launch{}, "")
	r.says("say the first words", "die 3")
	for range r.events {
	}
	if exit := r.Wait(); exit.Code != 3 {
		t.Errorf("the agent ended with %+v", exit)
	}
	entries := r.entries()
	if len(entries) != 1 || entries[0].Text != "the first words" {
		t.Errorf("the log has %+v", entries)
	}
}

func TestStopLeavesNothing(t *testing.T) {
	t.Parallel()
	r := ready(t, agent.Launch{}, "")
	r.says("run true")
	await[agent.Asks](r)
	r.says("free echo must not run > " + filepath.Join(r.home, "ran"))
	if err := r.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range r.events {
	}
	if _, err := os.Stat(filepath.Join(r.home, "ran")); !os.IsNotExist(err) {
		t.Error("it went on with what waited")
	}
}

func TestTheLogIsTheRecordOfWhatWasTaken(t *testing.T) {
	t.Parallel()
	d := &Driver{Logs: t.TempDir()}
	record, err := d.Record(beckon.Run{ID: "r1"})
	if err != nil {
		t.Fatal(err)
	}
	proofs := []agent.Proof{{ID: "m1"}, {ID: "m2"}}
	if has, err := record.Has(proofs, 0); !errors.Is(err, os.ErrNotExist) || len(has) > 0 {
		t.Errorf("a run that never wrote has %v, %v", has, err)
	}
	f, err := os.Create(filepath.Join(d.Logs, "r1.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for i, line := range []string{string(acp.TookLine("m1")), `{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"_beckon/took m2"}}}}`, string(acp.TookLine("m2"))} {
		w := bufio.NewWriter(f)
		if _, err := w.WriteString(line + "\n"); err != nil || w.Flush() != nil {
			t.Fatal(err)
		}
		if has, err := record.Has(proofs, 0); errors.Is(err, errSilent) != (i < 2) || has["m1"] != true || has["m2"] != (i == 2) {
			t.Errorf("after line %d it has %v, %v", i, has, err)
		}
	}
}

// TestAnAnswerIsHeardOnceTheModelGoesOn, and a denial when its words are.
func TestAnAnswerIsHeardOnceTheModelGoesOn(t *testing.T) {
	t.Parallel()
	r := ready(t, agent.Launch{}, "")
	r.says("run echo 1", "say on")
	q := await[agent.Asks](r).Request
	denied := answered(q.Question, beckon.Answer{Verdict: beckon.Deny, Text: "say not so"})
	denied.Proof = denied.ToolUseID
	if err := r.Reply(q, denied, ""); err != nil || denied.Proof == "" {
		t.Fatal(err)
	}
	if heard := await[agent.Heard](r); heard.HasResult(denied.Proof) || !heard.HasResult("another") {
		t.Error("a denial is heard before its words are")
	}
	if heard := await[agent.Heard](r); !heard.HasResult(denied.Proof) || heard.Message() != denied.Proof {
		t.Errorf("its words are heard as %q", heard.Message())
	}
	await[agent.TurnEnded](r)
	r.says("choose Which colour?")
	await[agent.Heard](r) // the message
	q = await[agent.Asks](r).Request
	if err := r.Reply(q, answered(q.Question, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Blue"}}}}), ""); err != nil {
		t.Fatal(err)
	}
	witness, keeps := await[agent.Heard](r).Given.(agent.Witness)
	if !keeps || acp.TookOf(witness.Line(q.Question.ToolUseID)) != q.Question.ToolUseID {
		t.Error("the log has no word of the answer")
	}
}

// TestALineOfFiveMegabytesIsKeptWhole, and shown cut.
func TestALineOfFiveMegabytesIsKeptWhole(t *testing.T) {
	t.Parallel()
	r := ready(t, agent.Launch{}, "")
	r.says("free head -c 5000000 /dev/zero | tr '\\0' x", "say done")
	if end := await[agent.TurnEnded](r); end.Failed || end.Said != "done" {
		t.Errorf("the turn ended: %+v", end)
	}
	r.leaves()
	if !slices.ContainsFunc(r.log, func(line string) bool { return len(line) > 5_000_000 }) {
		t.Error("the log has not the whole line")
	}
	if !slices.ContainsFunc(r.entries(), func(e beckon.Entry) bool { return e.Tool != nil && e.Tool.Done && e.Tool.Cut > 4_900_000 }) {
		t.Error("nothing is shown of it")
	}
}

// TestACommandIsShownWhereItStands: Gemini CLI has it as the title, and the model's own words
// as the text. Where nothing is known of a call, its title is shown with its text.
func TestACommandIsShownWhereItStands(t *testing.T) {
	t.Parallel()
	const asked = `{"toolCall":{"toolCallId":"c","kind":"execute","title":"rm -rf made","content":[{"type":"content","content":{"type":"text","text":"(look around)"}}]},"options":[]}`
	for _, c := range []struct {
		inTitle              bool
		command, description string
	}{
		{true, "rm -rf made", "(look around)"},
		{false, "", "rm -rf made\n(look around)"},
	} {
		s := &session{kind: Kind{CommandInTitle: c.inTitle}, open: map[string]refusal{}}
		r := reader{session: s}
		p := r.permission("1", json.RawMessage(asked))[0].(agent.Asks).Request.Question.Permission
		if p.Command != c.command || p.Description != c.description {
			t.Errorf("in its title %t: it is asked %+v", c.inTitle, p)
		}
	}
}
