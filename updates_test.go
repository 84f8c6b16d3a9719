package main

import (
	"testing"

	"beckon/backend/update"
)

// TestWhoBringsUpdatesDecidesWhoIsAsked: a build that nobody publishes has nobody to ask,
// nor has one whose updates come with the system; their Settings have no switch for it.
func TestWhoBringsUpdatesDecidesWhoIsAsked(t *testing.T) {
	built := repository
	t.Cleanup(func() { repository = built })
	for _, c := range []struct {
		repository, variable string
		demo                 bool
		want                 string
	}{
		{repository: "someone/beckon", want: "someone/beckon"},
		{repository: "someone/beckon", variable: "1"},
		{repository: "someone/beckon", demo: true},
		{repository: "beckon.invalid/beckon"},
		{repository: ""},
	} {
		repository = c.repository
		t.Setenv("BECKON_NO_UPDATE_CHECK", c.variable)
		got := releasesAt(options{demo: c.demo})
		if got != c.want || update.New(update.Config{Repository: got}).Asks() != (c.want != "") {
			t.Errorf("%+v: it asks %q", c, got)
		}
	}
}

// TestSettingsHaveNoSwitchThatDoesNothing, as in the programs of these tests, which
// nobody publishes.
func TestSettingsHaveNoSwitchThatDoesNothing(t *testing.T) {
	t.Parallel()
	d := start(t, asking)
	if about, err := d.About(); err != nil || about.Updates {
		t.Errorf("%+v, %v", about, err)
	}
}
