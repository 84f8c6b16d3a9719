package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestADeadlineIsSaidInWords: "context deadline exceeded" tells a user nothing.
func TestADeadlineIsSaidInWords(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("ask claude: %w", Slow(fmt.Errorf("initialize: %w", context.DeadlineExceeded), "it did not answer", 3*time.Minute))
	if text := err.Error(); strings.Contains(text, "context") || !strings.Contains(text, "it did not answer within 3m0s") {
		t.Errorf("it says %q", text)
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error("it is no deadline any more")
	}
	other := errors.New("another")
	if Slow(other, "it did not answer", 3*time.Minute) != other { //nolint:errorlint // The very same.
		t.Error("another error is changed")
	}
}
