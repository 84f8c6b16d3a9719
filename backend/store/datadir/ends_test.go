package datadir

import (
	"strings"
	"testing"
	"unicode/utf8"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

func TestTheReasonOfAnEndIsCutBetweenTwoCharacters(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e, err := OpenEnds(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.KeepEnd(beckon.Run{ID: "r", Reason: reason.Said("x" + strings.Repeat("ü", reasonKept))}); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := OpenEnds(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	run, kept := again.KeptEnd("r")
	if !kept || len(run.Reason.String()) > reasonKept || !utf8.ValidString(run.Reason.String()) ||
		strings.ContainsRune(run.Reason.String(), utf8.RuneError) ||
		!strings.HasSuffix(run.Reason.String(), "…") {
		t.Errorf("kept %t, %q", kept, run.Reason)
	}
}
