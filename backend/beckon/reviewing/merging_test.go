package reviewing

import (
	"strings"
	"testing"
)

func TestASquashSaysWhatItReplacesAndWhoWroteIt(t *testing.T) {
	t.Parallel()
	claude := "Claude <noreply@anthropic.com>"
	for name, c := range map[string]struct {
		commits []MergedCommit
		want    string
	}{
		"one that says the title": {[]MergedCommit{{Subject: "Reject overlaps"}}, "KES-4: Reject overlaps"},
		"one that says more":      {[]MergedCommit{{Subject: "Sort spans first"}}, "KES-4: Reject overlaps\n\n- Sort spans first"},
		"two of one author": {
			[]MergedCommit{{"Sort spans", []string{claude}}, {"Reject overlaps", []string{claude, "Ann <ann@example.com>"}}},
			"KES-4: Reject overlaps\n\n- Sort spans\n- Reject overlaps\n\nCo-authored-by: " + claude + "\nCo-authored-by: Ann <ann@example.com>",
		},
	} {
		if got := ProposeMerge(Squash, MergedTask{Key: "KES-4", Title: "Reject overlaps"}, c.commits).Squash; got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestAMessageOfManyCommitsEndsWithAWholeLine(t *testing.T) {
	t.Parallel()
	got := ProposeMerge(Squash, MergedTask{Key: "KES-4", Title: "Much"}, make([]MergedCommit, 0, 1)).Squash
	if got != "KES-4: Much" {
		t.Errorf("nothing to squash says %q", got)
	}
	many := make([]MergedCommit, 3000)
	for i := range many {
		many[i].Subject = strings.Repeat("x", 70)
	}
	got = ProposeMerge(Squash, MergedTask{Key: "KES-4", Title: "Much"}, many).Squash
	if last := got[strings.LastIndexByte(got, '\n')+1:]; len(got) > MostMessage || last != "- "+many[0].Subject {
		t.Errorf("%d bytes that end with %q", len(got), last)
	}
}

func TestAMergeClosesTheIssueThatItIsFor(t *testing.T) {
	t.Parallel()
	got := ProposeMerge(MergeCommit, MergedTask{"KES-4", "Reject overlaps", 388}, []MergedCommit{{Subject: "Reject overlaps", Authors: []string{"Ada <a@x>"}}})
	if want := "Merge KES-4: Reject overlaps\n\nCloses #388"; got.Merge != want {
		t.Errorf("got %q, want %q", got.Merge, want)
	}
	if want := "KES-4: Reject overlaps\n\nCloses #388\n\nCo-authored-by: Ada <a@x>"; got.Squash != want {
		t.Errorf("got %q, want %q", got.Squash, want)
	}
}
