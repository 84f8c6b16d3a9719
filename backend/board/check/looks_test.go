package check

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"beckon/backend/beckon"
)

func TestLooksThatThePageDoesNotKnowAreRefused(t *testing.T) {
	t.Parallel()
	for l, want := range map[beckon.Looks]bool{
		{}:             true,
		{TextSize: 12}: true,
		{TextSize: 20, Density: "comfortable", CodeFont: "system", Contrast: "more", Motion: "off"}: true,
		{TextSize: 11}:      false,
		{TextSize: 21}:      false,
		{TextSize: -13}:     false,
		{Density: "loose"}:  false,
		{CodeFont: "Comic"}: false,
		{Contrast: "less"}:  false,
		{Motion: "on"}:      false,
	} {
		s := beckon.DefaultSettings()
		s.Looks = l
		if err := Settings(s); (err == nil) != want || err != nil && !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%+v: %v, want it taken: %v", l, err, want)
		}
	}
}

func TestColoursThatNoLabelCanHaveAreRefused(t *testing.T) {
	t.Parallel()
	many := map[string]int{}
	for i := range tonesMost + 1 {
		many[strconv.Itoa(i)] = 1
	}
	for name, c := range map[string]struct {
		tones map[string]int
		want  bool
	}{
		"none":           {nil, true},
		"all there are":  {map[string]int{"perf": 0, "docs": 4}, true},
		"another colour": {map[string]int{"perf": 5}, false},
		"less than none": {map[string]int{"perf": -1}, false},
		"no label":       {map[string]int{"": 1}, false},
		"a long label":   {map[string]int{strings.Repeat("x", maxLabel+1): 1}, false},
		"too many":       {many, false},
	} {
		s := beckon.DefaultSettings()
		s.LabelTones = c.tones
		if err := Settings(s); (err == nil) != c.want || err != nil && !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%s: %v, want it taken: %v", name, err, c.want)
		}
	}
}

func TestKeysThatAreNoneAreRefused(t *testing.T) {
	t.Parallel()
	many := map[string][]string{}
	for i := range keysMost + 1 {
		many["row."+strconv.Itoa(i)] = []string{"X"}
	}
	for name, c := range map[string]struct {
		keys  map[string][]string
		taken bool
	}{
		"some":      {map[string][]string{"board.walk": {"N", "G>P"}}, true},
		"none":      {nil, true},
		"empty":     {map[string][]string{"board.walk": {}}, false},
		"no key":    {map[string][]string{"board.walk": {""}}, false},
		"a control": {map[string][]string{"board.walk": {"\x1b"}}, false},
		"long":      {map[string][]string{"board.walk": {strings.Repeat("x", keyMost+1)}}, false},
		"no row":    {map[string][]string{"": {"X"}}, false},
		"too many":  {many, false},
	} {
		s := beckon.DefaultSettings()
		s.Keys = c.keys
		if err := Settings(s); (err == nil) != c.taken || err != nil && !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%s: %v, want it taken: %v", name, err, c.taken)
		}
	}
}

func TestWhatNotificationsCannotBeIsRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*beckon.Settings){
		"a sound":        func(s *beckon.Settings) { s.Notify.Chime = "gong" },
		"before zero":    func(s *beckon.Settings) { s.QuietMinutes = -1 },
		"more than days": func(s *beckon.Settings) { s.QuietMinutes = 24 * 60 },
	} {
		s := beckon.DefaultSettings()
		change(&s)
		if err := Settings(s); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
