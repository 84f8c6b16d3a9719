package program

import (
	"os"
	"path/filepath"
	"testing"

	"beckon/backend/agent/trial"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/tests/runnertest"
)

// kindsOf are the steps that a trial took.
func kindsOf(one beckon.AgentTrial) []beckon.TrialKind {
	kinds := []beckon.TrialKind{}
	for _, s := range one.Steps {
		kinds = append(kinds, s.Kind)
	}
	return kinds
}

// own changes the settings.
func own(t *testing.T, d *desktopOf, change func(*beckon.Settings)) {
	t.Helper()
	s := beckon.DefaultSettings()
	change(&s)
	if err := d.SaveSettings(s); err != nil {
		t.Fatal(err)
	}
}

// tried tries an agent and sees that nothing of the trial is left.
func tried(t *testing.T, d *desktopOf, name string) beckon.AgentTrial {
	t.Helper()
	one, err := d.TryAgent(name)
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(trial.Dir(d.data), "*")); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
	about, err := d.About()
	if err != nil || len(about.Trials) == 0 {
		t.Fatalf("no trial is remembered: %v, %v", about.Trials, err)
	}
	return one
}

func TestAnAgentIsTriedInAnEmptyFolder(t *testing.T) {
	d, _ := withKimi(t)
	if err := os.MkdirAll(filepath.Join(trial.Dir(d.data), "trial-of-a-killed-beckon", "work"), 0o700); err != nil {
		t.Fatal(err)
	}
	one := tried(t, d, "kimi")
	if len(one.Steps) != len(beckon.TrialKinds) || one.Why != nil || one.Tokens != 42 {
		t.Errorf("the trial went %+v: %s", kindsOf(one), one.Why)
	}
}

func TestClaudeCodeIsTriedToo(t *testing.T) {
	d := startWith(t, runnertest.Agents(t, "text ready\n"))
	one := tried(t, d, beckon.ClaudeCode)
	if len(one.Steps) != len(beckon.TrialKinds) || one.Why != nil || one.Agent != beckon.ClaudeCode {
		t.Errorf("the trial went %+v: %s", kindsOf(one), one.Why)
	}
}

// TestATrialSaysWhereItEnded of a program that is not there, and of one that leaves at once.
func TestATrialSaysWhereItEnded(t *testing.T) {
	d, _ := withKimi(t)
	own(t, d, func(s *beckon.Settings) {
		s.OwnAgents = []beckon.OwnAgent{
			{Name: "own-gone", Label: "Gone", Command: "/no/such/agent"},
			{Name: "own-short", Label: "Short", Command: "sh -c 'echo no licence >&2; exit 3'"},
		}
	})
	if one := tried(t, d, "own-gone"); len(one.Steps) != 0 || !one.Why.Is(reason.AgentMissing) {
		t.Errorf("the trial went %+v: %s", kindsOf(one), one.Why)
	}
	one := tried(t, d, "own-short")
	if len(one.Steps) != 1 || one.Why.String() == "" || !one.Why.Names("no licence") && one.Why.String() != "no licence" {
		t.Errorf("the trial went %+v: %+v", kindsOf(one), one.Why)
	}
}

// TestAnAgentOfTheUsersOwnDoesTheTasksOfAProject that names it as its default.
func TestAnAgentOfTheUsersOwnDoesTheTasksOfAProject(t *testing.T) {
	d, home := withKimi(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	own(t, d, func(s *beckon.Settings) {
		s.Agent = "own-mine"
		s.OwnAgents = []beckon.OwnAgent{{Name: "own-mine", Label: "My agent", Command: "'" + self + "'", Variables: []string{"KIMI_TEST_*"}}}
	})
	t.Setenv("KIMI_TEST_HOME", home)
	task := d.run(beckon.NewTask{Title: "Paint", Brief: "write made.txt hello\nsay painted"})
	task, run := d.Ended(task.ID)
	if run.Outcome != beckon.Succeeded || run.Agent != "own-mine" || task.Changes.Files != 1 {
		t.Errorf("the run of %s ended %s: %s", run.Agent, run.Outcome, run.Reason)
	}
}
