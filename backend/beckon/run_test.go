package beckon

import "testing"

// TestPhaseOfEveryCombination states the rules of PhaseOf independently of
// their order there, and holds every combination of facts against them.
func TestPhaseOfEveryCombination(t *testing.T) {
	for bits := range 1 << 3 {
		for open := range 3 {
			f := Facts{Exited: bits&1 != 0, Initialized: bits&2 != 0, TurnOpen: bits&4 != 0, OpenQuestions: open}
			rules := map[Phase]bool{
				Ended:    f.Exited,
				Asking:   !f.Exited && open > 0,
				Starting: !f.Exited && open == 0 && !f.Initialized,
				Working:  !f.Exited && open == 0 && f.Initialized && f.TurnOpen,
				Idle:     !f.Exited && open == 0 && f.Initialized && !f.TurnOpen,
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
