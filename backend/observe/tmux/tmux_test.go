package tmux

import "testing"

func TestOldVersionsOfTmuxAreNotOffered(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]bool{
		"3.0": true, "3.0a": true, "3.3a": true, "3.6": true, "next-3.5": true, "master": true, "10.1": true,
		"2.9a": false, "1.8": false, "": false, "unknown": false,
	} {
		if recent(version) != want {
			t.Errorf("%q: %v, want %v", version, !want, want)
		}
	}
}
