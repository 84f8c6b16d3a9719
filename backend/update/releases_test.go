package update

import "testing"

// TestWhoBringsUpdatesDecidesWhoIsAsked: a build that nobody publishes has nobody to ask,
// nor has one whose updates come with the system; their Settings have no switch for it.
func TestWhoBringsUpdatesDecidesWhoIsAsked(t *testing.T) {
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
		t.Setenv("BECKON_NO_UPDATE_CHECK", c.variable)
		got := ReleasesAt(c.repository, c.demo)
		if got != c.want || New(Config{Repository: got}).Asks() != (c.want != "") {
			t.Errorf("%+v: it asks %q", c, got)
		}
	}
}
