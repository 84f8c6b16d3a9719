package main

import (
	"path/filepath"
	"testing"
)

// A relative -data once ended in "unable to open database file".
func TestTheDataFolderMayBeNamedFromHere(t *testing.T) {
	t.Chdir(t.TempDir())
	o, err := parse([]string{"serve", "-data", "here/data"})
	if err != nil {
		t.Fatal(err)
	}
	if want, _ := filepath.Abs("here/data"); o.data != want {
		t.Errorf("the data folder is %q, not %q", o.data, want)
	}
}
