package main

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/program"
)

// A relative -data once ended in "unable to open database file".
func TestTheDataFolderMayBeNamedFromHere(t *testing.T) {
	t.Chdir(t.TempDir())
	o, err := parse([]string{"serve", "-data", "here/data"})
	if err != nil {
		t.Fatal(err)
	}
	if want, _ := filepath.Abs("here/data"); o.Data != want {
		t.Errorf("the data folder is %q, not %q", o.Data, want)
	}
}

func TestACommandLineShowsOneThingAtMost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args  []string
		route string
	}{
		{[]string{}, ""},
		{[]string{"beckon://task/KES-47"}, "#/task/KES-47"},
		{[]string{"-data", "/x", "beckon://inbox"}, "#/inbox"},
	} {
		if o, err := parse(c.args); err != nil || o.command != "window" || o.Show.Route != c.route {
			t.Errorf("%q is %+v, %v", c.args, o, err)
		}
	}
	if o, err := parse([]string{t.TempDir()}); err != nil || o.Show.Folder == "" {
		t.Errorf("a folder is %+v, %v", o, err)
	}
	for _, args := range [][]string{
		{"beckon://task/KES-47", "-claude", "/tmp/evil"},
		{"beckon://task/KES-47", "--data=/tmp/evil"},
		{"beckon://inbox", "beckon://inbox"},
		{"serve", "beckon://inbox"},
		{"beckon://run/KES-47"},
		{"/none/such"},
		{"nonsense", "more"},
	} {
		if o, err := parse(args); err == nil {
			t.Errorf("%q is %+v", args, o)
		}
	}
}

func TestACertificateIsForServeAlone(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"serve", "-public", ":8443"},
		{"serve", "-cert", "c", "-key", "k"},
		{"serve", "-public", ":8443", "-cert", "c"},
		{"-public", ":8443", "-cert", "c", "-key", "k"},
		{"demo", "-public", ":8443", "-cert", "c", "-key", "k"},
		{"serve", "-public", "8443", "-cert", "c", "-key", "k"},
	} {
		if o, err := parse(args); err == nil {
			t.Errorf("%q is taken: %+v", args, o)
		}
	}
	o, err := parse([]string{"serve", "-data", t.TempDir(), "-public", "0.0.0.0:8443", "-cert", "none.pem", "-key", "none.key", "-claude", "none"})
	if err != nil || o.Public != "0.0.0.0:8443" {
		t.Fatalf("%+v, %v", o, err)
	}
	if err := program.Serve(o.Options, io.Discard); err == nil || !strings.Contains(err.Error(), "none.pem") {
		t.Errorf("a certificate that is not there: %v", err)
	}
}
