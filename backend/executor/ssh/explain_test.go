package ssh

import (
	"errors"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/executor/helper"
)

func TestWhatSSHSaysBecomesASentence(t *testing.T) {
	t.Parallel()
	for said, words := range map[string]string{
		"@@@@@@@\r\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\nOffending ED25519 key in /home/ada/.ssh/known_hosts:41\r\nHost key verification failed.\r\n": "farm shows a different key than before. It was set up again, or someone sits in between: ask its owner, then delete line 41 of /home/ada/.ssh/known_hosts yourself.",
		"Host key verification failed.\r\n":                                 "shows a key that this computer has never seen",
		"ada@farm: Permission denied (publickey,password).\r\n":             "does not let you in",
		"ssh: Could not resolve hostname farm: Name or service not known\n": "There is no host farm",
		"ssh: connect to host farm port 22: Connection refused\n":           "farm does not answer: ssh: connect to host farm port 22: Connection refused",
		"sh: cannot create x: Read-only file system\n":                      "is read-only",
		"cat: write error: No space left on device\n":                       "The disk of farm is full.",
		"first\nlast \x1b[31mwords\u202e\n":                                 "farm: last",
		"":                                                                  "ssh ended without a word",
	} {
		err := Explain("farm", said, errors.New("exit status 255"))
		if !strings.Contains(err.Error(), words) || !errors.Is(err, beckon.ErrUnavailable) || strings.ContainsAny(err.Error(), "\x1b\u202e\n") {
			t.Errorf("%q became %q", said, err)
		}
	}
}

func TestAScriptFitsEveryShell(t *testing.T) {
	t.Parallel()
	if way := (*connection)(nil).git("farm", "/x"); strings.Contains(way.Command, "!") {
		t.Errorf("%q", way.Command)
	}
	if got := sh(`echo "$HOME"`); got != `sh -c 'echo "$HOME"'` {
		t.Errorf("%q", got)
	}
	if got := helper.Quoted("it's"); got != `'it'\''s'` {
		t.Errorf("%q", got)
	}
}

func TestTheAddressOfARepository(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"farm": "ssh://farm/home/a%20b/x.git", "ada@farm": "ssh://ada@farm/home/a%20b/x.git"} {
		way := (*connection)(nil).git(name, "/home/a b/x.git")
		if way.Address != want || !strings.HasPrefix(way.Command, "ssh -o ControlMaster=no") {
			t.Errorf("%+v", way)
		}
	}
}
