// Package notifying holds the words for what Beckon notifies the user of: the kinds, the way of
// each, the quiet hours, and one notice as the desktop and the page get it. A kind that this version
// does not know is kept in the settings and has no effect.
package notifying

import (
	"encoding/json"
	"maps"
	"time"
)

// Kind is what a notice is about.
type Kind string

// The kinds.
const (
	Question   Kind = "question"   // an agent asks, or ssh does
	Permission Kind = "permission" // an agent asks to be allowed something
	Plan       Kind = "plan"       // a plan waits
	Review     Kind = "review"     // work is ready for review
	Failed     Kind = "failed"     // a run stopped on its own
	Quiet      Kind = "quiet"      // nothing is heard of a run
	Budget     Kind = "budget"     // a budget is nearly or wholly used up
)

// Kinds lists every one, in the order in which the settings show them.
var Kinds = []Kind{Question, Permission, Plan, Review, Failed, Quiet, Budget}

// Waits reports whether a notice of the kind is about a question, which waits for an answer.
func (k Kind) Waits() bool { return k == Question || k == Permission || k == Plan || k == Budget }

// How is the way of a kind: what the user sees and hears of it.
type How string

// The ways. All of them count in the Inbox, the tray and the title.
const (
	Both    How = "both" // a banner and a sound
	Banner  How = "banner"
	Sound   How = "sound"
	Nothing How = "nothing"
)

// Hows lists every one.
var Hows = []How{Both, Banner, Sound, Nothing}

// Chimes are the sounds that the page can make.
var Chimes = []string{"bell", "knock", "rise"}

// Settings say what the user is notified of, how, and when not.
type Settings struct {
	// Tell has the way of each kind. Settings that are read or saved have a row for each of Kinds: one
	// that is missing, or has a way that is not known, is that of a fresh install.
	Tell map[Kind]How `json:"tell"`
	// Chime is which sound the page makes, one of Chimes; empty has the banner sound as the
	// desktop does.
	Chime string `json:"chime"`
	// Quiet hours, in minutes since midnight of local time; equal ones are none.
	QuietFrom int `json:"quietFrom"`
	QuietTo   int `json:"quietTo"`
	// SoonOff leaves out the reminder before a question's clock runs out.
	SoonOff bool `json:"soonOff"`
	// RemindMinutes is after how long the user hears once more of a question that nobody looked at; 0: never.
	RemindMinutes int `json:"remindMinutes"`
	// TrayHidden has Beckon start without a tray icon; TrayCount shows beside it how much waits,
	// where the desktop has a place for that.
	TrayHidden bool `json:"trayHidden"`
	TrayCount  bool `json:"trayCount"`
}

// fresh is the table of a fresh install.
var fresh = map[Kind]How{
	Question: Both, Permission: Both, Plan: Both, Review: Banner, Failed: Both, Quiet: Nothing, Budget: Both,
}

// Default returns the settings of a fresh install.
func Default() Settings { return Settings{Tell: maps.Clone(fresh)} }

// How returns the way of a kind outside quiet hours.
func (s Settings) How(k Kind) How {
	switch how := s.Tell[k]; how {
	case Both, Banner, Sound, Nothing:
		return how
	default:
		return fresh[k]
	}
}

// Whole returns the settings with a row for each of Kinds.
func (s Settings) Whole() Settings {
	tell := maps.Clone(s.Tell)
	if tell == nil {
		tell = map[Kind]How{}
	}
	for _, kind := range Kinds {
		tell[kind] = s.How(kind)
	}
	s.Tell = tell
	return s
}

// Banners reports whether a kind has a banner outside quiet hours.
func (s Settings) Banners(k Kind) bool { return s.How(k) == Both || s.How(k) == Banner }

// IsQuiet reports whether now is in the quiet hours, by the clock on the wall: they may go over
// midnight, and over the night in which the clocks change.
func (s Settings) IsQuiet(now time.Time) bool {
	minute := now.Hour()*60 + now.Minute()
	if s.QuietFrom <= s.QuietTo {
		return s.QuietFrom <= minute && minute < s.QuietTo
	}
	return minute >= s.QuietFrom || minute < s.QuietTo
}

// UnmarshalJSON also reads the settings of earlier versions, which had a switch for each of
// four kinds and one for sounds.
func (s *Settings) UnmarshalJSON(data []byte) error {
	type fields Settings
	if err := json.Unmarshal(data, (*fields)(s)); err != nil {
		return err
	}
	var old switches
	if err := json.Unmarshal(data, &old); err != nil {
		return err
	}
	if old.Questions != nil && old.Tell == nil {
		s.Tell = old.table(s.Chime)
	}
	*s = s.Whole()
	return nil
}

// switches are what earlier versions stored. Tell is only to know newer ones.
type switches struct {
	Tell      map[Kind]How `json:"tell"`
	Questions *bool        `json:"questions"`
	Failures  bool         `json:"failures"`
	Finished  bool         `json:"finished"`
	Silent    bool         `json:"silent"`
	Sounds    bool         `json:"sounds"`
}

// table returns how each kind was told.
func (w switches) table(chime string) map[Kind]How {
	how := func(on, sounds bool) How {
		switch {
		case !on:
			return Nothing
		case sounds:
			return Both
		default:
			return Banner
		}
	}
	asks := how(*w.Questions, w.Sounds || chime != "")
	return map[Kind]How{
		Question: asks, Permission: asks, Plan: asks, Budget: asks,
		Review: how(w.Finished, false), Failed: how(w.Failures, w.Sounds), Quiet: how(w.Silent, false),
	}
}
