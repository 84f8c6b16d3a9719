package dialog

import (
	"context"
	"errors"
	"strings"
	"time"

	"beckon/backend/answer"
	"beckon/backend/beckon"
)

// explain says that a question was answered in the terminal, where that is why
// it is not on the screen.
func (a *attempt) explain(ctx context.Context, err error) error {
	if a.pending.Open() || ctx.Err() != nil {
		return err
	}
	if s, ok := a.settled(ctx); ok {
		a.eraseLate(ctx)
		return &Refusal{Reason: Answered, There: &s}
	}
	if errors.Is(err, refuse(Gone)) {
		return err
	}
	return refuse(Closed)
}

// settled waits for the record of what ended the question.
func (a *attempt) settled(ctx context.Context) (Settled, bool) {
	s, ok := a.pending.Settled()
	for end := time.Now().Add(settling); !ok && time.Now().Before(end) && pause(ctx) == nil; {
		s, ok = a.pending.Settled()
	}
	return s, ok
}

// outcome waits until the record says how the question ended. What was typed is
// never typed again.
func (a *attempt) outcome(ctx context.Context) error {
	var left time.Time // when the session was seen to wait no longer
	for end := time.Now().Add(taking); ; {
		if s, ok := a.pending.Settled(); ok {
			if !a.script.made(s) {
				a.eraseLate(ctx)
				return &Refusal{Reason: Answered, There: &s}
			}
			a.erase(ctx) // the same answer may have been given there
			return nil
		}
		switch now := time.Now(); {
		case a.goesOn(ctx) && left.IsZero():
			left = now
		case !left.IsZero() && now.Sub(left) > straying:
			return nil
		case now.After(end):
			a.erase(ctx)
			return refuse(NotTaken)
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// goesOn reports whether the session went on without a result: a tool that was
// allowed has one only when it is done. A denial is written down at once, so that
// the record is read for a moment longer.
func (a *attempt) goesOn(ctx context.Context) bool {
	return a.script.question.Kind != beckon.Ask && a.script.reply.Verdict != beckon.Deny && !a.pending.Open() && a.offScreen(ctx)
}

// offScreen reports whether the question has left the screen of a claude that is
// there: it was taken, and only its record may be late.
func (a *attempt) offScreen(ctx context.Context) bool {
	_, err := a.checkScreen(ctx)
	return err != nil && !errors.Is(err, refuse(Gone)) && !errors.Is(err, refuse(Unreachable))
}

// made reports whether the record has exactly what was to be answered.
func (sc *script) made(s Settled) bool {
	if sc.question.Kind != beckon.Ask || sc.reply.Verdict == beckon.Skip {
		return s.Declined == (sc.reply.Verdict == beckon.Deny || sc.reply.Verdict == beckon.Skip)
	}
	for i, item := range sc.question.Items {
		if answer.LineEnds(s.Answers[item.Text]) != sc.want[i] {
			return false
		}
	}
	return !s.Declined && len(s.Answers) == len(sc.question.Items)
}

// eraseLate erases a digit as long as drawing it may take: the question is settled first,
// then the prompt line is drawn, and then the digit.
func (a *attempt) eraseLate(ctx context.Context) {
	end := time.Now().Add(taking)
	for there := false; time.Now().Before(end); {
		drawn, goesOn := a.erase(ctx)
		if !goesOn {
			return
		}
		if drawn && !there {
			there, end = true, time.Now().Add(showing)
		}
		if pause(ctx) != nil {
			return
		}
	}
}

// erase takes a digit back that came after the question was settled and went into the
// prompt line, if that was empty. It reports whether the prompt line is there, and whether
// the digit may still come.
func (a *attempt) erase(ctx context.Context) (there, goesOn bool) {
	if len(a.lastKey) != 1 || a.typed >= maxKeys {
		return false, false
	}
	screen, err := a.on.Screen(ctx)
	if err != nil || screen.takesKeys() != nil {
		return false, false
	}
	text, there := screen.prompt()
	if !there || strings.TrimSpace(text) != a.lastKey {
		return there, true
	}
	a.typed++
	_ = a.on.Key(ctx, KeyErase) // the answer stands either way
	return true, false
}
