package dialog

import (
	"fmt"

	"beckon/backend/beckon"
)

// Reason names why nothing was typed, or no more.
type Reason string

// The reasons.
const (
	NoTmux       Reason = "noTmux"       // it is not installed, or not on this system
	OldTmux      Reason = "oldTmux"      // the server is older than 3.0
	NotInTmux    Reason = "notInTmux"    // no pane of this user's servers has the session's terminal
	Unreachable  Reason = "unreachable"  // the server does not answer
	Gone         Reason = "gone"         // claude has ended, or is not in front
	Busy         Reason = "busy"         // another answer is being typed there
	CopyMode     Reason = "copyMode"     // keys would go to tmux
	Synchronized Reason = "synchronized" // keys would go to the neighbours too
	TooSmall     Reason = "tooSmall"     // the dialog is cut off
	NoDialog     Reason = "noDialog"     // there is none
	OtherDialog  Reason = "otherDialog"  // it is not the one that is to be answered
	Unreadable   Reason = "unreadable"   // it does not show enough, or is of a kind that is not known
	Ambiguous    Reason = "ambiguous"    // two open questions look the same there
	Begun        Reason = "begun"        // somebody has begun to answer there
	Answered     Reason = "answered"     // it was answered in the terminal meanwhile
	Closed       Reason = "closed"       // it does not wait any more
	NotTaken     Reason = "notTaken"     // the dialog did not do what the keys should make it do
	TooLong      Reason = "tooLong"      // more than maxKeys
	NoWords      Reason = "noWords"      // the dialog has no field for them
	BadText      Reason = "badText"      // it has characters that are keys
	NoChoice     Reason = "noChoice"     // the dialog has no such row
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
}

// Refusal is the error for all that keeps Beckon from typing. What was typed
// before it is said by Keys.
type Refusal struct {
	Reason Reason
	Keys   int // that were typed before
	// There is how the question was settled in the terminal, where it was.
	There *Settled
}

func refuse(r Reason) *Refusal { return &Refusal{Reason: r} }

func (r *Refusal) Error() string {
	if r.Keys > 0 && r.Reason != Answered {
		return fmt.Sprintf("%s (keys typed before: %d)", sentences[r.Reason], r.Keys)
	}
	return sentences[r.Reason]
}

// Unwrap sorts the reasons into the errors that callers know.
func (r *Refusal) Unwrap() error {
	switch r.Reason {
	case Answered, Closed, Busy:
		return beckon.ErrConflict
	case BadText, NoWords, NoChoice, TooLong:
		return beckon.ErrInvalid
	default:
		return beckon.ErrUnavailable
	}
}

// Is reports whether target is a refusal for the same reason.
func (r *Refusal) Is(target error) bool {
	other, ok := target.(*Refusal)
	return ok && other.Reason == r.Reason
}

// Because returns the error for a reason, which errors.Is finds in every refusal
// for it.
func Because(r Reason) error { return refuse(r) }
