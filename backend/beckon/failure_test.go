package beckon

import (
	"fmt"
	"testing"

	"beckon/backend/beckon/problem"
)

func TestAProblemKeepsItsNameAndItsCodeWhenItIsWrapped(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("KES-1: %w", problem.New(problem.KeyTaken, fmt.Errorf("taken: %w", ErrConflict), "name", "kestrel", "key", "KES"))
	f := FailureOf(err)
	if f.Code != "conflict" || f.Problem != problem.KeyTaken || f.Data["name"] != "kestrel" || f.Data["key"] != "KES" || f.Message != "KES-1: taken: conflict" {
		t.Errorf("the page gets %+v", f)
	}
	if f := FailureOf(ErrInvalid); f.Problem != "" || f.Data != nil {
		t.Errorf("an error without a name becomes %+v", f)
	}
}
