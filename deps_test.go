package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var rewrite = flag.Bool("update", false, "write backend/packages.txt again")

// mayUseWails: everything else works without a window. Notifications are
// Wails' on Windows and macOS.
var mayUseWails = []string{"desktop", "desktop/status"}

// joiners are packages whose work is to join others, so that they import many of them and
// stand above them. Only the packages named here may import one.
var joiners = map[string][]string{
	"api": {"program"}, "channel/desk": {"api", "program"}, "observe/watch": {"api", "program"}, "program": {},
}

// rooms are what a person does on the page, each decided by a package of its own. None
// imports another, nor any part of one: program joins them.
var rooms = []string{
	"board", "export", "filefind", "forge", "history", "imports", "review", "review/since",
	"runner", "scripts", "search", "update",
}

// knowClaude are the packages outside agent/claude that know a word of Claude Code's, and why.
// To all others an agent is what package agent says.
var knowClaude = map[string]string{
	"agent/acp/driver": "the reader that cuts a stream into lines",
	"api":              "the version and the settings of the CLI of this machine",
	"board":            "the file of settings that no work is to hold",
	"board/check":      "the rules of what a project allows",
	"executor":         "the CLI on other machines",
	"executor/remote":  "the CLI on other machines",
	"program":          "joins all",
	"transcript":       "the reader of its logs",
}

// importsTests are what ships and imports a package of tests, and why.
var importsTests = map[string]string{
	"agent/claude/scripted": "the agent of tests and of the demo says races as the tests' programs do",
}

// pkg is a package of the backend: its doc comment, how many lines it has, and what it
// imports on any system. Tests are left out.
type pkg struct {
	doc   string
	lines int
	ours  []string // below backend
	wails bool
	tests bool
}

// packages reads the backend's packages, by their folders.
func packages(t *testing.T) map[string]*pkg {
	t.Helper()
	all := map[string]*pkg{}
	err := filepath.WalkDir("backend", func(file string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(path.Dir(filepath.ToSlash(file)), "backend/")
		if all[name] == nil {
			all[name] = &pkg{}
		}
		all[name].lines += bytes.Count(text, []byte("\n"))
		return all[name].add(f)
	})
	if err != nil || len(all) < 50 {
		t.Fatalf("%d packages, %v", len(all), err)
	}
	for _, p := range all {
		slices.Sort(p.ours)
		p.ours = slices.Compact(p.ours)
	}
	return all
}

// add takes in the imports and the doc comment of one of the package's files.
func (p *pkg) add(f *ast.File) error {
	p.doc += f.Doc.Text()
	for _, imported := range f.Imports {
		name, err := strconv.Unquote(imported.Path.Value)
		if err != nil {
			return err
		}
		p.wails = p.wails || strings.HasPrefix(name, "github.com/wailsapp/")
		p.tests = p.tests || strings.HasPrefix(name, "beckon/tests/")
		if below, ok := strings.CutPrefix(name, "beckon/backend/"); ok {
			p.ours = append(p.ours, below)
		}
	}
	return nil
}

// TestImportsAreListed compares the import graph to backend/packages.txt, so that a new
// arrow shows in the change that makes it.
func TestImportsAreListed(t *testing.T) {
	const file = "backend/packages.txt"
	all := packages(t)
	var drawn bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintln(&drawn, strings.TrimSpace(name+": "+strings.Join(all[name].ours, " ")))
	}
	if *rewrite {
		if err := os.WriteFile(file, drawn.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(bytes.ReplaceAll(kept, []byte("\r"), nil)) != drawn.String() {
		t.Errorf("%s is stale: run make generate, and look at the arrows that it adds", file)
	}
}

// TestImportsGoDownwards holds the arrows that must never be.
func TestImportsGoDownwards(t *testing.T) {
	for name, p := range packages(t) {
		if p.wails && !slices.Contains(mayUseWails, name) {
			t.Errorf("%s imports Wails", name)
		}
		if p.tests && importsTests[name] == "" {
			t.Errorf("%s imports a package of tests", name)
		}
		for _, dep := range p.ours {
			if by, joins := joiners[dep]; joins && !slices.Contains(by, name) {
				t.Errorf("%s imports %s, which joins packages", name, dep)
			}
			if ofClaude(dep) && !ofClaude(name) && knowClaude[name] == "" {
				t.Errorf("%s imports %s: what it needs of an agent is in agent", name, dep)
			}
			if of, in := room(name), room(dep); of != "" && in != "" && of != in {
				t.Errorf("%s imports %s: program joins them", name, dep)
			}
			if word(name) && !word(dep) {
				t.Errorf("%s imports %s, and words import nothing else", name, dep)
			}
		}
	}
}

// room returns which of rooms a package is or is a part of, "" for none.
func room(name string) string {
	for ; name != "."; name = path.Dir(name) {
		if slices.Contains(rooms, name) {
			return name
		}
	}
	return ""
}

// ofClaude reports whether a package is Claude's: what observes its sessions is, too.
func ofClaude(name string) bool {
	return strings.HasPrefix(name, "agent/claude") || name == "observe" || strings.HasPrefix(name, "observe/")
}

// word reports whether a package is words, and no work.
func word(name string) bool { return name == "beckon" || strings.HasPrefix(name, "beckon/") }

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	for name, p := range packages(t) {
		if len(p.doc) < 40 {
			t.Errorf("package %s has no doc comment worth the name: %q", name, p.doc)
		}
	}
}

// TestDepth holds the longest chain of imports below program to five arrows
// between packages that do something; beckon, with problem and remote, is only words.
func TestDepth(t *testing.T) {
	all := packages(t)
	var depth func(name string) int
	depth = func(name string) int {
		deepest := 0
		for _, dep := range all[name].ours {
			if !word(dep) {
				deepest = max(deepest, 1+depth(dep))
			}
		}
		return deepest
	}
	for name := range all {
		if _, joins := joiners[name]; !joins && depth(name) > 5 {
			t.Errorf("%s stands %d arrows above the ground", name, depth(name))
		}
	}
}
