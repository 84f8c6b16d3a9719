package program

import (
	"errors"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/problem"
	"beckon/backend/terminal"
)

// TestNoTerminalIsOpenedAtAPublicAddress: `serve -public` refuses it before it looks at the task.
func TestNoTerminalIsOpenedAtAPublicAddress(t *testing.T) {
	t.Parallel()
	terminals := terminal.New((&program{}).shells(Options{Public: ":8443"}))
	_, err := terminals.Open(t.Context(), "t1", executing.TerminalSize{})
	if kind, _ := problem.From(err); kind != problem.TerminalsOff || !errors.Is(err, beckon.ErrUnavailable) {
		t.Errorf("%v", err)
	}
}
