package check

import (
	"errors"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/looks"
)

func TestLooksThatThePageDoesNotKnowAreRefused(t *testing.T) {
	t.Parallel()
	for l, want := range map[looks.Looks]bool{
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
