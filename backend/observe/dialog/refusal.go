package dialog

import (
	"fmt"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
)

// Reason names why nothing was typed, or no more: the page has its sentence.
type Reason = problem.Kind

// The reasons.
const (
	NoTmux       Reason = "keysNoTmux"       // it is not installed, or not on this system
	OldTmux      Reason = "keysOldTmux"      // the server is older than 3.0
	NotInTmux    Reason = "keysNotInTmux"    // no pane of this user's servers has the session's terminal
	Unreachable  Reason = "keysUnreachable"  // the server does not answer
	Gone         Reason = "keysGone"         // claude has ended, or is not in front
	Busy         Reason = "keysBusy"         // another answer is being typed there
	CopyMode     Reason = "keysCopyMode"     // keys would go to tmux
	Synchronized Reason = "keysSynchronized" // keys would go to the neighbours too
	TooSmall     Reason = "keysTooSmall"     // the dialog is cut off
	NoDialog     Reason = "keysNoDialog"     // there is none
	OtherDialog  Reason = "keysOtherDialog"  // it is not the one that is to be answered
	Unreadable   Reason = "keysUnreadable"   // it does not show enough, or is of a kind that is not known
	Ambiguous    Reason = "keysAmbiguous"    // two open questions look the same there
	Begun        Reason = "keysBegun"        // somebody has begun to answer there
	Answered     Reason = "keysAnswered"     // it was answered in the terminal meanwhile
	Closed       Reason = "keysClosed"       // it does not wait any more
	NotTaken     Reason = "keysNotTaken"     // the dialog did not do what the keys should make it do
	TooLong      Reason = "keysTooLong"      // more than maxKeys
	NoWords      Reason = "keysNoWords"      // the dialog has no field for them
	BadText      Reason = "keysBadText"      // it has characters that are keys
	NoChoice     Reason = "keysNoChoice"     // the dialog has no such row
	Untested     Reason = "keysUntested"     // the screens of the CLI's version are not known, and the user has not allowed it
)

// sentences say what happened and what to do about it.
var sentences = map[Reason]string{
	NoTmux:       "tmux is not installed here. Answer in the terminal",
	OldTmux:      "that tmux is older than 3.0, which Beckon needs to see what it types into. Answer in the terminal",
	NotInTmux:    "that session is not in a tmux that Beckon can reach. Answer in its terminal",
	Unreachable:  "tmux did not answer, so nothing more was typed. Look at the terminal, then try again",
	Gone:         "claude is not in front in that terminal any more, so nothing more was typed. Look at the terminal",
	Busy:         "another answer is being typed into that terminal. Wait until it is done",
	CopyMode:     "that pane is in copy mode, which would take the keys. Leave it with q, then answer again",
	Synchronized: "that pane passes its keys on to others. Switch synchronize-panes off, or answer in the terminal",
	TooSmall:     "the whole question is not visible in that terminal. Make it larger, then answer again, or answer there",
	NoDialog:     "no dialog is on that screen at the moment. Look at the terminal",
	OtherDialog:  "another dialog is on that screen. Answer that first, or answer in the terminal",
	Unreadable:   "that screen does not show enough of the question for Beckon to be sure that it is this one. Answer in the terminal",
	Ambiguous:    "two open questions look the same in that terminal. Answer there",
	Begun:        "somebody has begun to answer in the terminal. Finish it there",
	Answered:     "it was answered in the terminal meanwhile",
	Closed:       "the session does not wait for an answer any more",
	NotTaken:     "the terminal did not take the answer as expected, and Beckon does not type it a second time. Look at the terminal",
	TooLong:      "that answer takes more keys than Beckon types. Answer in the terminal",
	NoWords:      "the dialog in the terminal takes no words with that. Answer without them, or answer there",
	BadText:      "the text has control characters, which would be keys in a terminal. Remove them, then answer again",
	NoChoice:     "the dialog in the terminal does not offer that. Answer there",
	Untested:     "Beckon has not been tried with the screens of that version of Claude Code. Allow it to type there all the same, or answer in the terminal",
}

// Refusal is the error for all that keeps Beckon from typing. What was typed
// before it is said by Keys.
type Refusal struct {
	Reason  Reason
	Keys    int      // that were typed before
	There   *Settled // how the question was settled in the terminal, where it was
	Version string   // of the session, where it is Untested
}

func refuse(r Reason) *Refusal { return &Refusal{Reason: r} }

func (r *Refusal) Error() string {
	if r.Keys > 0 && r.Reason != Answered {
		return fmt.Sprintf("%s (keys typed before: %d)", sentences[r.Reason], r.Keys)
	}
	return sentences[r.Reason]
}

// Unwrap sorts the reasons into the errors that callers know, under the names by
// which the page says them.
func (r *Refusal) Unwrap() error {
	kind := beckon.ErrUnavailable
	switch r.Reason {
	case Answered, Closed:
		kind = beckon.ErrConflict
	case BadText, NoWords, NoChoice, TooLong:
		kind = beckon.ErrInvalid
	default: // the session may still be answered
	}
	return problem.New(r.Reason, kind, "version", r.Version, "tested", strings.Join(testedVersions, ", "))
}

// Is reports whether target is a refusal for the same reason.
func (r *Refusal) Is(target error) bool {
	other, ok := target.(*Refusal)
	return ok && other.Reason == r.Reason
}

// Because returns the error for a reason: errors.Is finds it in each refusal.
func Because(r Reason) error { return refuse(r) }
