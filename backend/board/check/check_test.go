package check

import (
	"errors"
	"slices"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/claude"
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
