package history_test

import (
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/runnertest"
)

func TestMain(m *testing.M) { runnertest.Main(m) }

// TestASessionIsReadWhileItsRunEnds reads over and over, so that some reading
// is under way when the run closes its log.
func TestASessionIsReadWhileItsRunEnds(t *testing.T) {
	t.Parallel()
	d := runnertest.Start(t, "flood 3000 400\n")
	task := d.Run(beckon.NewTask{Title: "Talk"})
	over, failed := make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(failed)
		for {
			if _, err := d.History.Transcript(t.Context(), task.ID, "", 500); err != nil {
				failed <- err
				return
			}
			select {
			case <-over:
				return
			default:
			}
		}
	}()
	d.Ended(task.ID)
	close(over)
	if err := <-failed; err != nil {
		t.Errorf("the session could not be read: %v", err)
	}
}
