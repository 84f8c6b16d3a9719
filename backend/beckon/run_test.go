package beckon

import "testing"

// TestPhaseOfEveryCombination states the rules of PhaseOf independently of
// their order there, and holds every combination of facts against them.
func TestPhaseOfEveryCombination(t *testing.T) {
	for bits := range 1 << 5 {
		for open := range 3 {
			f := Facts{
				Exited: bits&1 != 0, Initialized: bits&2 != 0, TurnOpen: bits&4 != 0, Saving: bits&8 != 0,
				Background: bits&16 != 0, OpenQuestions: open,
			}
			lives, works := !f.Exited && !f.Saving, f.TurnOpen || f.Background
			rules := map[Phase]bool{
				Ended:    f.Exited,
				Saving:   !f.Exited && f.Saving,
				Asking:   lives && open > 0,
				Starting: lives && open == 0 && !f.Initialized,
				Working:  lives && open == 0 && f.Initialized && works,
				Idle:     lives && open == 0 && f.Initialized && !works,
			}
			got := PhaseOf(f)
			for phase, holds := range rules {
				if holds != (phase == got) {
					t.Errorf("PhaseOf(%+v) = %s; the rule for %s says %v", f, got, phase, holds)
				}
			}
		}
	}
}

func TestSpentAdds(t *testing.T) {
	got := Spent{1, 0.5, 10}.Add(Spent{2, 0.25, 20})
	if want := (Spent{3, 0.75, 30}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
