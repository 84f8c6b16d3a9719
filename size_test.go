package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostLines is how many lines a package may have, tests left out: more than
// that, nobody holds in their head.
const mostLines = 2500

// larger are the packages that may be larger, how large, and why. Remove one
// that is no longer larger.
var larger = map[string]struct {
	most int
	why  string
}{
	"agent/claude/scripted": {3360, "a fixture: the verbs of its scripts, one after the other"},
	"runner":                {3400, "the state machine of a live run stays together; about 3,000 is the aim"},
}

// TestPackageSizes keeps packages small enough to be read in one sitting.
func TestPackageSizes(t *testing.T) {
	all := packages(t)
	for name, p := range all {
		lines := p.lines
		allowed, excepted := larger[name]
		switch {
		case excepted && lines <= mostLines:
			t.Errorf("%s has %d lines and needs no exception any more", name, lines)
		case excepted && lines > allowed.most:
			t.Errorf("%s has %d lines, more than the %d it may have as %s", name, lines, allowed.most, allowed.why)
		case !excepted && lines > mostLines:
			t.Errorf("%s has %d lines, more than %d: find the seam", name, lines, mostLines)
		}
	}
	for name := range larger {
		if all[name] == nil {
			t.Errorf("%s is excepted and is no package", name)
		}
	}
}

// smallest is how many lines a package has at least that one other package imports: what
// is smaller is a part of that one.
const smallest = 150

// TestPackagesAreWorthADoor keeps packages from being cut smaller than a reader needs.
func TestPackagesAreWorthADoor(t *testing.T) {
	importers := map[string]int{}
	all := packages(t)
	for _, p := range all {
		for _, dep := range p.ours {
			importers[dep]++
		}
	}
	for name, p := range all {
		if p.lines < smallest && importers[name] == 1 {
			t.Errorf("%s has %d lines and one importer: it is a part of that", name, p.lines)
		}
	}
}

// TestFunctionSizes keeps functions small enough to be taken in at a glance,
// those of the tests' own programs included. A test tells a story, and may be
// longer; what is generated is not read.
func TestFunctionSizes(t *testing.T) {
	var lines []int
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "node_modules" {
			return filepath.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil || ast.IsGenerated(f) {
			return err
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				n := files.Position(d.End()).Line - files.Position(d.Pos()).Line + 1
				if lines = append(lines, n); n > 80 {
					t.Errorf("%s has %d lines, more than 80", d.Name, n)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	median, p95 := lines[len(lines)/2], lines[len(lines)*95/100]
	if median > 10 || p95 > 30 {
		t.Errorf("of %d functions the median has %d lines and the 95th of a hundred %d, more than 10 and 30", len(lines), median, p95)
	}
}
