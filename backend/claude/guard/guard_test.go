package guard_test

import (
	"errors"
	"testing"

	"beckon/backend/claude/guard"
)

// This package's tests have no TestMain, and so are a program that forgot to
// call Main. A guardian of it would run these tests, start guardians, and so
// on.
func TestProgramWithoutMainCanNotStartGuardians(t *testing.T) {
	t.Parallel()
	if _, err := guard.Start(guard.Spec{Path: "/bin/true"}); !errors.Is(err, guard.ErrUnarmed) {
		t.Errorf("start: %v", err)
	}
}
