package access

import (
	"errors"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
)

func paired() error { return nil }

func issue(t *testing.T, c *Codes) string {
	t.Helper()
	code, _, err := c.Issue()
	if err != nil || len(code) != 8 || strings.Trim(code, codeLetters) != "" {
		t.Fatalf("%q, %v", code, err)
	}
	return code
}

func TestACodeHoldsOnceAndForFiveMinutes(t *testing.T) {
	t.Parallel()
	now := time.Now()
	c := &Codes{Now: func() time.Time { return now }}
	code := issue(t, c)
	if err := c.Redeem(strings.ToLower(code[:4])+" - "+code[4:], paired); err != nil {
		t.Error(err)
	}
	if err := c.Redeem(code, paired); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a code holds twice: %v", err)
	}
	code = issue(t, c)
	now = now.Add(lifetime)
	if err := c.Redeem(code, paired); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a code holds too long: %v", err)
	}
	old := issue(t, c)
	issue(t, c)
	if err := c.Redeem(old, paired); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a code that was replaced holds: %v", err)
	}
	code = issue(t, c)
	c.Cancel()
	if err := c.Redeem(code, paired); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a cancelled code holds: %v", err)
	}
}

func TestACodeIsNotSpentWhereItPairedNobody(t *testing.T) {
	t.Parallel()
	c := &Codes{}
	code, full := issue(t, c), errors.New("the disk is full")
	if err := c.Redeem(code, func() error { return full }); !errors.Is(err, full) {
		t.Error(err)
	}
	if err := c.Redeem(code, paired); err != nil {
		t.Error(err)
	}
}

func TestGuessingEndsACodeAndThenPairing(t *testing.T) {
	t.Parallel()
	now := time.Now()
	c := &Codes{Now: func() time.Time { return now }}
	guess := func(times int) {
		for range times {
			if err := c.Redeem("AAAAAAAA", paired); !errors.Is(err, beckon.ErrInvalid) {
				t.Error(err)
			}
		}
	}
	code := issue(t, c)
	guess(maxTries)
	if err := c.Redeem(code, paired); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a code outlives %d wrong tries", maxTries)
	}
	guess(100) // no code holds, so that none is guessed
	if c.Off() {
		t.Error("guesses at nothing end pairing")
	}
	issue(t, c)
	guess(maxTries)
	if _, _, err := c.Issue(); !c.Off() || !errors.Is(err, beckon.ErrUnavailable) {
		t.Errorf("%d wrong tries within an hour change nothing: %v", maxAnHour, err)
	}
	c.On()
	issue(t, c)
	guess(maxTries)
	now = now.Add(2 * time.Hour)
	issue(t, c)
	guess(maxTries)
	if c.Off() {
		t.Error("wrong tries of long ago count")
	}
}
