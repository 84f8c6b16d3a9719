package driver

import (
	"testing"

	"beckon/backend/beckon"
)

// TestAKindHasOneName on each surface.
func TestAKindHasOneName(t *testing.T) {
	t.Parallel()
	for _, k := range kinds {
		if says := beckon.AgentSays(k.Name); says != k.Label || len(k.Sign) != 2 || k.Install == "" || k.SignIn == "" {
			t.Errorf("%s is called %q and %q", k.Name, k.Label, says)
		}
	}
}

func TestASignIsTwoLetters(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]string{"My agent": "My", "x": "Ag", "": "Ag", "1-élan": "Él"} {
		if got := sign(label); got != want {
			t.Errorf("%q has the sign %q, want %q", label, got, want)
		}
	}
}
