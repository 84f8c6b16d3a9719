package hooks

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
)

// TestOnlyTheChangeThatWasShownIsMade: a look writes nothing, and settings that were
// changed after the look stay as they are.
func TestOnlyTheChangeThatWasShownIsMade(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, fileName)
	const before = "{\n  \"model\": \"opus\"\n}\n"
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stands := func(what, want string) {
		t.Helper()
		if text, err := os.ReadFile(file); err != nil || string(text) != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", what, err, text, want)
		}
	}
	put(before)
	o := Offer{Command: Call{Program: program}.Command(false)}
	if s := o.State(dir); s.Command != "" || s.File != file || s.Trouble != nil {
		t.Errorf("before: %+v", s)
	}
	shown, err := o.Preview(dir, true)
	if err != nil || !strings.Contains(shown.Diff, `+`) || !strings.Contains(shown.Diff, "PermissionRequest") || shown.Token == "" {
		t.Fatalf("shown %+v, %v", shown, err)
	}
	stands("after a look", before)

	put("{}\n")
	if _, err := o.Apply(dir, true, shown.Token, time.Now()); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("what was not shown: %v", err)
	}
	stands("what was not shown", "{}\n")

	put(before)
	done, err := o.Apply(dir, true, shown.Token, time.Now())
	if err != nil || !strings.HasPrefix(done.Backup, file+".beckon-") {
		t.Fatalf("installed: %+v, %v", done, err)
	}
	if s := o.State(dir); s.Command != o.Command || s.Since == 0 || !s.ProgramGone {
		t.Errorf("installed: %+v", s)
	}
	if again, err := o.Preview(dir, true); err != nil || again.Diff != "" {
		t.Errorf("installed twice: %+v, %v", again, err)
	}
	away, err := o.Preview(dir, false)
	if err != nil || away.Diff == "" {
		t.Fatalf("to be removed: %+v, %v", away, err)
	}
	if _, err := o.Apply(dir, true, away.Token, time.Now()); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("a removal's token installs: %v", err)
	}
	if _, err := o.Apply(dir, false, away.Token, time.Now()); err != nil {
		t.Errorf("remove: %v", err)
	}
	stands("removed", before)
}

// TestAHookThatAsksAnotherBeckonIsTold: a Beckon with a data folder of its own is reached
// by no other hook than its own.
func TestAHookThatAsksAnotherBeckonIsTold(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	usual, own := Call{Program: program}.Command(false), Call{Program: program, Data: "/srv/beckon"}.Command(false)
	for _, c := range []struct {
		installed, offered string
		another            bool
	}{
		{usual, usual, false},
		{usual, own, true},
		{own, usual, true},
		{own, own, false},
		{Call{Program: "/opt/beckon"}.Command(false), usual, false},
	} {
		text, err := install(nil, c.installed)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, fileName), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		o := Offer{Command: c.offered}
		if s := o.State(dir); s.Another != c.another {
			t.Errorf("%s for who offers %s: %+v", c.installed, c.offered, s)
		}
		if now, err := o.Preview(dir, true); err != nil || (now.Diff != "") != (c.installed != c.offered) {
			t.Errorf("%s in place of %s: %+v, %v", c.offered, c.installed, now, err)
		}
	}
}

func TestAFileThatIsLeftAloneComesWithWhatToAdd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, fileName), []byte("{ // mine\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := Offer{Command: Call{Program: program}.Command(false)}
	shown, err := o.Preview(dir, true)
	if err != nil || shown.Refused.String() != errComments.Error() || !strings.Contains(shown.Snippet, "PermissionRequest") || shown.Diff != "" {
		t.Errorf("shown %+v, %v", shown, err)
	}
	if done, err := o.Apply(dir, true, shown.Token, time.Now()); err != nil || done.Refused == nil || done.Backup != "" {
		t.Errorf("done %+v, %v", done, err)
	}
	if s := o.State(dir); s.Trouble == nil {
		t.Errorf("the state is %+v", s)
	}
}
