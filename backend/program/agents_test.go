package program

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"beckon/backend/agent/process"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/tests/acpagent"
	"beckon/tests/runnertest"
)

// scriptedKimi plays the agent where this executable is started as one.
func scriptedKimi() bool {
	home := os.Getenv("KIMI_TEST_HOME")
	if home == "" {
		return false
	}
	if err := acpagent.Run(os.Stdin, os.Stdout, home); err != nil {
		panic(err)
	}
	return true
}

// withKimi opens Beckon on a machine that has the scripted agent as Kimi Code, and no
// Claude.
func withKimi(t *testing.T) (*desktopOf, string) {
	t.Helper()
	return withAgent(t, "kimi", runnertest.NoAgents)
}

// withKimiAnd does the same with the Claude that find finds.
func withKimiAnd(t *testing.T, find runnertest.Find) (*desktopOf, string) {
	t.Helper()
	return withAgent(t, "kimi", find)
}

// withAgent does so with the scripted agent as another program.
func withAgent(t *testing.T, program string, find runnertest.Find) (*desktopOf, string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home, bin := t.TempDir(), t.TempDir()
	if err := process.WriteProgram(filepath.Join(bin, program), "#!/bin/sh\n[ ! -e '"+home+"/broken' ] || exit 1\necho \"$BECKON_PORT\" > '"+home+"/port'\nKIMI_TEST_HOME='"+home+"' exec '"+self+"'\n"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Cleanup(func() {
		if wrong, err := os.ReadFile(filepath.Join(home, "wrong.txt")); err == nil {
			t.Errorf("not as the schema has it: %s", wrong)
		}
	})
	return startWith(t, find), home
}

// TestAnotherAgentDoesATask from its own questions to work that is ready to merge, where
// there is no Claude at all.
func TestAnotherAgentDoesATask(t *testing.T) {
	d, _ := withKimi(t)
	about, err := d.About()
	if err != nil || !slices.ContainsFunc(about.Agents, func(k beckon.AgentKind) bool { return k.Name == "kimi" && k.Found }) {
		t.Fatalf("Beckon knows of %+v, %v", about.Agents, err)
	}
	for _, kind := range about.Agents {
		if says := beckon.AgentSays(kind.Name); says != kind.Label {
			t.Errorf("%s is %s on the page, and %s elsewhere", kind.Name, kind.Label, says)
		}
	}
	task := d.run(beckon.NewTask{Title: "Paint", Agent: "kimi", Brief: strings.Join([]string{
		"think about it", "choose Which tone?", "ask Which colour?", "run echo x > ran.txt", "write made.txt hello", "say painted",
	}, "\n")})
	for text, a := range map[string]beckon.Answer{
		"Which tone?":    {Items: []beckon.ItemAnswer{{Labels: []string{"Red"}}}},
		"Which colour?":  {Items: []beckon.ItemAnswer{{Labels: []string{"Blue"}}}},
		"echo x > ran.t": {Verdict: beckon.AllowOnce},
	} {
		go func() {
			if err := d.AnswerQuestion(d.Question(text).ID, a); err != nil {
				t.Error(err)
			}
		}()
	}
	task, run := d.Ended(task.ID)
	if run.Outcome != beckon.Succeeded || run.Agent != "kimi" || run.Session == "" || run.Turns != 1 || run.Spent.Tokens != 42 {
		t.Errorf("the run ended %+v", run)
	}
	if task.Changes.Files != 2 {
		t.Errorf("%d files are changed, want ran.txt and made.txt", task.Changes.Files)
	}
	page, err := d.Transcript(task.ID, "", 100)
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, e := range page.Entries {
		shown = append(shown, string(e.Kind)+" "+e.Text)
	}
	all := strings.Join(shown, "\n")
	for _, want := range []string{"thinking about it", `text heard {"action":"accept","content":{"q0":"Red"}}`, "Blue", "text painted", "turn "} {
		if !strings.Contains(all, want) {
			t.Errorf("the transcript lacks %q: %s", want, all)
		}
	}
	if strings.Contains(all, "unknown") {
		t.Errorf("it shows something as unknown: %s", all)
	}
}

// TestAgentsHaveThePortsOfTheirTasks: an agent that starts a server is in nobody's way.
func TestAgentsHaveThePortsOfTheirTasks(t *testing.T) {
	d, home := withKimiAnd(t, runnertest.Agents(t, "run echo $BECKON_PORT > port\n"))
	d.project.Scripts.Setup = "echo $BECKON_PORT > ready"
	project, err := d.EditProject(d.project)
	if err != nil {
		t.Fatal(err)
	}
	d.project = project
	task := d.run(beckon.NewTask{Title: "Serve"})
	d.Ended(task.ID)
	port := d.said(task.ID, "port")
	if port == "\n" || d.said(task.ID, "ready") != port {
		t.Errorf("Claude has %q, and the setup %q", port, d.said(task.ID, "ready"))
	}
	other := d.run(beckon.NewTask{Title: "Serve too", Agent: "kimi", Brief: "say hello"})
	d.Ended(other.ID)
	text, err := os.ReadFile(filepath.Join(home, "port"))
	if err != nil || string(text) == "\n" || string(text) != d.said(other.ID, "ready") || string(text) == port {
		t.Errorf("another agent has %q, %v, its setup %q, and the first task %q", text, err, d.said(other.ID, "ready"), port)
	}
}

// TestAnotherAgentsFailureIsNotDone: it ends its turn well, and says in its words alone that
// a limit is reached.
func TestAnotherAgentsFailureIsNotDone(t *testing.T) {
	d, _ := withKimi(t)
	task := d.run(beckon.NewTask{Title: "Fail", Agent: "kimi", Brief: "trouble stream disconnected"})
	_, run := d.Ended(task.ID)
	if run.Outcome != beckon.Failed || run.Reason.String() != "stream disconnected" {
		t.Errorf("the run ended %s: %s", run.Outcome, run.Reason)
	}
	task = d.run(beckon.NewTask{Title: "Limit", Agent: "kimi", Brief: "trouble last status: 429 Too Many Requests"})
	d.Until("a limit", func() bool { return d.Seen.Runs[task.ID].Outcome == beckon.Limited })
}

// TestAnotherAgentThatDiesIsNotDone, with whatever code, in the middle of a turn.
func TestAnotherAgentThatDiesIsNotDone(t *testing.T) {
	d, _ := withKimi(t)
	for _, brief := range []string{"die 0", "say All done.\ndie 0", "say All done.\ndie 3", "free echo x > made.txt\ndie 1"} {
		task := d.run(beckon.NewTask{Title: "Die", Agent: "kimi", Brief: brief})
		if _, run := d.Ended(task.ID); run.Outcome != beckon.Failed || run.Reason == nil {
			t.Errorf("%q: the run ended %s: %s", brief, run.Outcome, run.Reason)
		}
	}
}

// TestAnAnswerToAnotherAgentOutlivesIt: Beckon ends with its question open, and a later one
// brings the answer to the session.
func TestAnAnswerToAnotherAgentOutlivesIt(t *testing.T) {
	d, home := withKimi(t)
	task := d.run(beckon.NewTask{Title: "Paint", Agent: "kimi", Policy: beckon.Wait, Brief: "choose Which tone?\nsay painted"})
	q := d.Question("Which tone?")
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, d.data, runnertest.NoAgents)
	if err := again.AnswerQuestion(q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Blue"}}}}); err != nil {
		t.Fatal(err)
	}
	_, run := again.Ended(task.ID)
	if run.Number != 2 || run.Outcome != beckon.Succeeded {
		t.Errorf("the run ended %+v", run)
	}
	log, err := os.ReadFile(filepath.Join(home, "log.ndjson"))
	if err != nil || !strings.Contains(string(log), `"session/load"`) || !strings.Contains(string(log), "Blue") {
		t.Errorf("the agent heard %s, %v", log, err)
	}
	after, err := again.Questions(task.ID)
	if err != nil || len(after) != 1 || after[0].Delivered == 0 {
		t.Errorf("the questions are %+v, %v", after, err)
	}
}

// TestWhatWasAllowedOnceIsDoneOnce by an agent that asks again after its death: the same call
// needs no second answer, and any other does, as does the same call behind another.
func TestWhatWasAllowedOnceIsDoneOnce(t *testing.T) {
	d, _ := withKimi(t)
	const again = "next run echo again >> made.txt\n"
	tasks := map[string]beckon.Task{}
	for name, next := range map[string]string{
		"same": again, "twice": again + again, "other": "next run echo other >> made.txt\n" + again,
	} {
		tasks[name] = d.run(beckon.NewTask{Title: name, Agent: "kimi", Policy: beckon.Wait, Brief: next + "run echo again >> made.txt"})
		d.Until("its question", func() bool { return len(waiting(t, d, tasks[name].ID)) == 1 })
	}
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	d = openAt(t, d.data, runnertest.NoAgents)
	allowNext := func(task beckon.Task) string {
		t.Helper()
		var q beckon.Question
		d.Until("a question of "+task.Title, func() bool {
			found := waiting(t, d, task.ID)
			if len(found) == 1 {
				q = found[0]
			}
			return len(found) == 1
		})
		if err := d.AnswerQuestion(q.ID, beckon.Answer{Verdict: beckon.AllowOnce}); err != nil {
			t.Fatal(err)
		}
		return q.Permission.Command
	}
	for name, want := range map[string][]string{
		"same":  {"echo again >> made.txt"},
		"twice": {"echo again >> made.txt", "echo again >> made.txt"},
		"other": {"echo again >> made.txt", "echo other >> made.txt", "echo again >> made.txt"},
	} {
		var asked []string
		for range want {
			asked = append(asked, allowNext(tasks[name]))
		}
		if _, run := d.Ended(tasks[name].ID); run.Outcome != beckon.Succeeded || !slices.Equal(asked, want) {
			t.Errorf("%s: it was asked %q, want %q; the run ended %+v", name, asked, want, run)
		}
	}
}

// waiting returns the questions of a task that wait for an answer.
func waiting(t *testing.T, d *desktopOf, taskID string) []beckon.Question {
	t.Helper()
	all, err := d.Questions(taskID)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(q beckon.Question) bool {
		return q.Settlement != beckon.Open && q.Settlement != beckon.Orphaned
	})
}

// TestAnotherAgentIsQuiet where its turn is open and nothing is heard of it: some say nothing
// while they try again to reach a model.
func TestAnotherAgentIsQuiet(t *testing.T) {
	d, _ := withKimi(t)
	d.p.runner.QuietAfter = func() time.Duration { return 200 * time.Millisecond }
	task := d.run(beckon.NewTask{Title: "Wait", Agent: "kimi", Brief: "say first\nwait"})
	d.Until("it is quiet", func() bool { return d.Seen.Runs[task.ID].Quiet != 0 })
	if run := d.Seen.Runs[task.ID]; run.Phase != beckon.Working || run.Activity.Verb != beckon.Waiting {
		t.Errorf("the run is %s, and its agent at %+v", run.Phase, run.Activity)
	}
	if err := d.Stop(task.ID); err != nil {
		t.Fatal(err)
	}
	if _, run := d.Ended(task.ID); run.Outcome != beckon.Stopped || run.Quiet != 0 {
		t.Errorf("the run ended %+v", run)
	}
}

// TestATurnThatEndsWithAQuestionWaits where its agent has no other way to ask: the answer
// begins the next turn of the same session.
func TestATurnThatEndsWithAQuestionWaits(t *testing.T) {
	d, home := withAgent(t, "gemini", runnertest.NoAgents)
	task := d.run(beckon.NewTask{Title: "Greet", Agent: "gemini", Brief: "next say Then I use it.\nsay I looked. Which greeting do you want?"})
	q := d.Question("Which greeting")
	d.Until("it waits", func() bool { return d.Seen.Runs[task.ID].Phase == beckon.Asking })
	if q.Kind != beckon.Ask || len(q.Items) != 1 || len(q.Items[0].Options) != 0 || d.Seen.Tasks[task.ID].Status != beckon.Running {
		t.Errorf("it is asked %+v, and the card is %s", q, d.Seen.Tasks[task.ID].Status)
	}
	if err := d.AnswerQuestion(q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{}, Other: "Good day"}}}); err != nil {
		t.Fatal(err)
	}
	if _, run := d.Ended(task.ID); run.Outcome != beckon.Succeeded || run.Number != 1 || run.Turns != 2 {
		t.Errorf("the run ended %+v", run)
	}
	log, err := os.ReadFile(filepath.Join(home, "log.ndjson"))
	if err != nil || strings.Count(string(log), "Good day") != 1 || !strings.Contains(string(log), "end your turn with the question") {
		t.Errorf("the agent heard %s, %v", log, err)
	}
	if after, err := d.Questions(task.ID); err != nil || len(after) != 1 || after[0].Delivered == 0 {
		t.Errorf("the questions are %+v, %v", after, err)
	}
}

// TestAQuestionInWordsIsNotLost: it is withdrawn where the user says something else, told
// that nobody answered, once, and kept where the run ends.
func TestAQuestionInWordsIsNotLost(t *testing.T) {
	d, home := withAgent(t, "gemini", runnertest.NoAgents)
	said := d.run(beckon.NewTask{Title: "Message", Agent: "gemini", Policy: beckon.Wait, Brief: "say Which way?"})
	d.Question("Which way?")
	if _, err := d.SendMessage(said.ID, beckon.NewMessage{Text: "say Left then."}); err != nil {
		t.Fatal(err)
	}
	if _, run := d.Ended(said.ID); run.Outcome != beckon.Succeeded {
		t.Errorf("after a message the run ended %+v", run)
	}
	if qs, err := d.Questions(said.ID); err != nil || len(qs) != 1 || qs[0].Settlement != beckon.Withdrawn {
		t.Errorf("the questions are %+v, %v", qs, err)
	}

	unheard, err := d.CreateTask(beckon.NewTask{
		ProjectID: d.project.ID, Title: "Silence", Agent: "gemini", Policy: beckon.Proceed, Brief: "next say Which one then?\nsay Which one?",
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.p.store.UpdateTask(t.Context(), unheard.ID, func(t *beckon.Task) error { t.WaitMs = 500; return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := d.MoveTask(unheard.ID, beckon.Running, 0); err != nil {
		t.Fatal(err)
	}
	if _, run := d.Ended(unheard.ID); run.Outcome != beckon.Parked {
		t.Errorf("a run that nobody answered twice ended %+v", run)
	}
	q := waiting(t, d, unheard.ID)
	if len(q) != 1 || q[0].Items[0].Text != "Which one then?" {
		t.Fatalf("there wait %+v", q)
	}
	log, err := os.ReadFile(filepath.Join(home, "log.ndjson"))
	if err != nil || strings.Count(string(log), "No response received within 500") != 1 {
		t.Errorf("the agent heard %s, %v", log, err)
	}

	open := d.run(beckon.NewTask{Title: "Quit", Agent: "gemini", Policy: beckon.Wait, Brief: "next say Red it is.\nsay Which colour?"})
	asked := d.Question("Which colour?")
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	d = openAt(t, d.data, runnertest.NoAgents)
	if err := d.AnswerQuestion(asked.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{}, Other: "Red"}}}); err != nil {
		t.Fatal(err)
	}
	if _, run := d.Ended(open.ID); run.Outcome != beckon.Succeeded || run.Number != 2 {
		t.Errorf("the run ended %+v", run)
	}
}

// TestAnAgentThatIsNotHereIsRefusedBeforeThereIsACard, as is a kind that no Beckon knows.
func TestAnAgentThatIsNotHereIsRefusedBeforeThereIsACard(t *testing.T) {
	t.Parallel()
	d := start(t, "text hello\n")
	for _, kind := range []string{"codex", "unheard-of"} {
		_, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "x", Agent: kind, Status: beckon.Running})
		if err == nil {
			t.Errorf("%s: it is started", kind)
		}
	}
}

// TestAnotherAgentWorksWithTheModelOfItsTask, from the models that a trial found, and with
// none that it does not have.
func TestAnotherAgentWorksWithTheModelOfItsTask(t *testing.T) {
	d, home := withKimi(t)
	offered := func() (values []string) {
		about, err := d.About()
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range about.Agents {
			for _, m := range k.Models {
				values = append(values, k.Name+" "+m.Value)
			}
		}
		return values
	}
	if known := offered(); known != nil {
		t.Errorf("before any session: %q", known)
	}
	if trial, err := d.TryAgent("kimi"); err != nil || trial.Why != nil {
		t.Fatalf("the trial: %+v, %v", trial, err)
	}
	if known := offered(); !slices.Equal(known, []string{"kimi fast", "kimi deep"}) {
		t.Errorf("after a trial: %q", known)
	}

	task := d.run(beckon.NewTask{Title: "Paint", Agent: "kimi", Model: "deep", Brief: "say painted"})
	if _, run := d.Ended(task.ID); run.Outcome != beckon.Succeeded || run.Model != "deep" {
		t.Errorf("the run ended %+v", run)
	}
	log, err := os.ReadFile(filepath.Join(home, "log.ndjson"))
	if set, at := strings.Index(string(log), `"session/set_config_option"`), strings.LastIndex(string(log), `"session/prompt"`); err != nil || set < 0 || set > at {
		t.Errorf("the agent heard %s, %v", log, err)
	}

	before := len(promptsOf(t, home))
	task = d.run(beckon.NewTask{Title: "Paint", Agent: "kimi", Model: "opus", Brief: "say painted"})
	if _, run := d.Ended(task.ID); run.Outcome != beckon.Failed || !run.Reason.Is(reason.AgentNoModel) {
		t.Errorf("with a model that it does not have the run ended %s: %s", run.Outcome, run.Reason)
	}
	if len(promptsOf(t, home)) != before {
		t.Error("the agent got a message all the same")
	}
}
