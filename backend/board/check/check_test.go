package check

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
)

// TestARuleIsOneRule: neither the page nor an agent gets two in as one.
func TestARuleIsOneRule(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{"Bash(a),Bash(*)", "Bash(x) Bash(y)", "Read,Bash", "Read Bash", "Bash(touch /w/y #),Bash(*)"} {
		if err := Rules([]string{rule}); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%q is taken for one rule: %v", rule, err)
		}
		if left, _ := claude.SoundRules([]string{"Read", rule}); !slices.Equal(left, []string{"Read"}) {
			t.Errorf("of what an older version kept, %q is passed on", left)
		}
	}
}

// TestThePageCanSayWhatIsWrongWithATask: what a user can write has a name and
// the values of its sentence.
func TestThePageCanSayWhatIsWrongWithATask(t *testing.T) {
	t.Parallel()
	sound := beckon.Task{Title: "Work", Mode: beckon.ModeDefault, Policy: beckon.Policies[0], WaitMs: beckon.MinWaitMs}
	if err := Task(sound); err != nil {
		t.Fatal(err)
	}
	for kind, c := range map[problem.Kind]struct {
		change func(*beckon.Task)
		data   map[string]string
	}{
		problem.NoTitle:    {func(t *beckon.Task) { t.Title = "" }, nil},
		problem.LongTitle:  {func(t *beckon.Task) { t.Title = strings.Repeat("x", beckon.MaxTitle+1) }, map[string]string{"most": strconv.Itoa(beckon.MaxTitle)}},
		problem.ManyLabels: {func(t *beckon.Task) { t.Labels = make([]string, 21) }, map[string]string{"most": "20"}},
		problem.Label: {
			func(t *beckon.Task) { t.Labels = []string{strings.Repeat("x", 99)} },
			map[string]string{"most": "80", "label": strings.Repeat("x", 80)},
		},
		problem.Wait: {func(t *beckon.Task) { t.WaitMs = 1 }, nil},
	} {
		task := sound
		c.change(&task)
		err := Task(task)
		if said := beckon.FailureOf(err); !errors.Is(err, beckon.ErrInvalid) || said.Problem != kind || !maps.Equal(said.Data, c.data) {
			t.Errorf("the page is given %+v, want %s with %v", said, kind, c.data)
		}
	}
}

func TestAgentsOfTheUsersOwn(t *testing.T) {
	t.Parallel()
	good := beckon.OwnAgent{Name: "own-mine", Label: "My agent", Command: `"/opt/my agent/run" --acp`, Variables: []string{"MY_KEY", "MY_*"}}
	for name, wrong := range map[string]func(*beckon.OwnAgent){
		"":                     func(*beckon.OwnAgent) {},
		"no name":              func(a *beckon.OwnAgent) { a.Name = "" },
		"Claude's name":        func(a *beckon.OwnAgent) { a.Name = beckon.ClaudeCode },
		"a name with a space":  func(a *beckon.OwnAgent) { a.Name = "own mine" },
		"a label of two lines": func(a *beckon.OwnAgent) { a.Label = "My\nagent" },
		"no label":             func(a *beckon.OwnAgent) { a.Label = " " },
		"no command":           func(a *beckon.OwnAgent) { a.Command = " " },
		"half a quote":         func(a *beckon.OwnAgent) { a.Command = `run "` },
		"a value":              func(a *beckon.OwnAgent) { a.Variables = []string{"KEY=secret"} },
		"every variable":       func(a *beckon.OwnAgent) { a.Variables = []string{"*"} },
	} {
		s := beckon.DefaultSettings()
		mine := good
		wrong(&mine)
		s.OwnAgents = []beckon.OwnAgent{mine}
		if err := Settings(s); (err != nil) != (name != "") {
			t.Errorf("%q: %v", name, err)
		}
	}
	s := beckon.DefaultSettings()
	s.OwnAgents = []beckon.OwnAgent{good, good}
	if Settings(s) == nil {
		t.Error("two agents of one name are kept")
	}
}

// TestAgentsHereAreRefusedWithTheReason: as many work here as on any executor, and who asks
// for more reads why.
func TestAgentsHereAreRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	s := beckon.DefaultSettings()
	for slots, ok := range map[int]bool{0: false, 1: true, 64: true, 65: false} {
		s.Slots = slots
		if err := Settings(s); (err == nil) != ok || !ok && !strings.Contains(err.Error(), "MB of memory") {
			t.Errorf("%d: %v", slots, err)
		}
	}
}
