package review

import (
	"context"
	"strings"
	"testing"

	"beckon/backend/beckon/reviewing"
)

func TestUnchangedLinesAreShownWithinBounds(t *testing.T) {
	t.Parallel()
	long := make([]string, 5000)
	wide := []string{"short", strings.Repeat("x", 600<<10), "never"}
	comments := New(Config{Shown: func(context.Context, string, reviewing.Stretch) (map[string][]string, error) {
		return map[string][]string{"three": {"a", "b", "c"}, "long": long, "wide": wide}, nil
	}})
	defer comments.Close()
	for _, c := range []struct {
		of           reviewing.Stretch
		first, lines int
		total        int
	}{
		{reviewing.Stretch{Path: "three", First: 2, Last: 2}, 2, 1, 3},
		{reviewing.Stretch{Path: "three", First: -4, Last: 900}, 1, 3, 3},
		{reviewing.Stretch{Path: "three", First: 9, Last: 12}, 9, 0, 3},
		{reviewing.Stretch{Path: "three", First: 3, Last: 2}, 3, 0, 3},
		{reviewing.Stretch{Path: "long", First: 1, Last: 5000}, 1, 2000, 5000},
		{reviewing.Stretch{Path: "gone", First: 1, Last: 20}, 1, 0, 0},
		{reviewing.Stretch{Path: "wide", First: 1, Last: 3}, 1, 1, 3},
	} {
		got, err := comments.Stretch(t.Context(), "t1", c.of)
		if err != nil || got.First != c.first || len(got.Lines) != c.lines || got.Total != c.total {
			t.Errorf("%+v: from %d on %d lines of %d, %v", c.of, got.First, len(got.Lines), got.Total, err)
		}
	}
}
