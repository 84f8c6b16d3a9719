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
