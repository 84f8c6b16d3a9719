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
