// Package real holds Beckon against the real Claude Code CLI.
package real

import (
	"testing"

	"beckon/tests/stage"
)

func TestMain(m *testing.M) { stage.Main(m) }
