package git

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"beckon/backend/git/command"
)

// hostileTitles are what people, agents and attackers put in a title.
var hostileTitles = []string{
	"Reject overlapping bookings", "--force", "-", "$(touch canary)", "`touch canary`", "../x", "..", ".lock", "a.lock",
	"@{-1}", "@", "HEAD", "refs/heads/main", "a..b", "a\x00b", "line\nbreak", "tab\tand\rreturn",
	"~^:?*[\\", "🚀", "🚀 ship it",
	"\u202Etxt.exe", "日本語だけ", "Für Größe Ähnliches", "'; drop table --", "%s%n%d", "", "   ", strings.Repeat("long ", 800),
	strings.Repeat("x", 4096), string([]byte{0xff, 0xfe}), "-rf /", "beckon/x", "/", "con", "nul",
}

func TestBranchNameIsValidWhateverTheTitle(t *testing.T) {
	t.Parallel()
	shape := regexp.MustCompile(`^beckon/kes-47(-[a-z0-9]+)*$`)
	for _, title := range hostileTitles {
		name := command.BranchName("", "KES-47", 47, title)
		if !shape.MatchString(name) || len(name) > len("beckon/kes-47-")+40 {
			t.Errorf("title %.40q gives %q", title, name)
		}
		if out, err := exec.CommandContext(t.Context(),
			"git", "check-ref-format", "--branch", name).CombinedOutput(); err != nil {
			t.Errorf("title %.40q gives %q, which git refuses: %s", title, name, out)
		}
	}
}

func TestGitAgreesWhichBranchNamesAreValid(t *testing.T) {
	t.Parallel()
	for _, name := range append(hostileTitles, "beckon/kes-1", "a/", "/a", "a//b", "a/.b", "a.", "a./b", "a.lock/b",
		"a@", "a{b", "a\\b", "a\x7f", "-a", "a..", "ä") {
		if strings.Contains(name, "\x00") {
			continue // no program can be asked
		}
		err := exec.CommandContext(t.Context(), "git", "check-ref-format", "refs/heads/"+name).Run()
		if got := command.ValidBranch(name); got != (err == nil) {
			t.Errorf("%.40q is valid: %t, git: %v", name, got, err)
		}
	}
}

func TestBranchNameTellsWhatTheTaskIs(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"Reject overlapping bookings": "beckon/kes-47-reject-overlapping-bookings",
		"Für Größe Ähnliches":         "beckon/kes-47-fuer-groesse-aehnliches",
		"🚀":                           "beckon/kes-47",
		"Reject overlapping bookings when two people book at once": "beckon/kes-47-reject-overlapping-bookings-when-two",
	} {
		if got := command.BranchName("", "KES-47", 47, title); got != want {
			t.Errorf("%q gives %q, want %q", title, got, want)
		}
	}
}
