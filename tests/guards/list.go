package main

import (
	"fmt"
	"strings"
)

// guard is what is taken out of a file, and the tests that hold it.
type guard struct {
	name     string // its number in docs/SECURITY.md
	file     string
	old, new string
	tests    []test
}

// The kinds of tests.
const (
	golang  = "go"
	vitest  = "vitest"
	browser = "browser"
)

// test is one that may notice.
type test struct {
	kind    string
	name    string
	pkg     string // of Go's
	smoke   bool   // of the browser's: it is tagged
	command []string
}

// parse reads guards, with an empty line between two:
//
//	S2 backend/loopback/middleware.go
//	- the text that is taken out, one line or several
//	+ what stands there instead
//	go ./backend/loopback TestForeignPagesReachNothing
//	vitest src/text/markdown.test.ts
//	smoke specs/signin.spec.ts        (tagged @smoke)
//	browser specs/trust.spec.ts       (not)
func parse(text string) ([]guard, error) {
	var all []guard
	for block := range strings.SplitSeq(text, "\n\n") {
		var g guard
		var old, new []string
		for line := range strings.Lines(block) {
			line = strings.TrimSuffix(line, "\n")
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			switch first, rest, _ := strings.Cut(line, " "); {
			case g.name == "":
				g.name, g.file = first, rest
			case first == "-":
				old = append(old, rest)
			case first == "+":
				new = append(new, rest)
			default:
				t, err := parseTest(first, strings.Fields(rest))
				if err != nil {
					return nil, fmt.Errorf("%s: %s: %w", list, line, err)
				}
				g.tests = append(g.tests, t)
			}
		}
		if g.name == "" {
			continue
		}
		g.old, g.new = strings.Join(old, "\n"), strings.Join(new, "\n")
		if g.old == "" || len(g.tests) == 0 {
			return nil, fmt.Errorf("%s: %s takes nothing out, or has no test", list, g.name)
		}
		all = append(all, g)
	}
	return all, nil
}

func parseTest(kind string, words []string) (test, error) {
	playwright := []string{"sh", "-c", `cd tests/browser && exec node_modules/.bin/playwright test --project=specs --reporter=line "$@"`, "sh"}
	switch {
	case kind == golang && len(words) == 2:
		return test{kind: golang, name: words[1], pkg: words[0], command: []string{"go", "test", "-count=1", "-vet=off", "-run", "^" + words[1] + "$", words[0]}}, nil
	case kind == vitest && len(words) == 1:
		return test{kind: vitest, name: words[0], command: []string{"npm", "--prefix", "frontend", "run", "--silent", "test", "--", words[0]}}, nil
	case kind == "smoke" && len(words) == 1:
		return test{kind: browser, name: words[0], smoke: true, command: append(playwright, "--grep=@smoke", words[0])}, nil
	case kind == browser && len(words) == 1:
		return test{kind: browser, name: words[0], command: append(playwright, words[0])}, nil
	}
	return test{}, fmt.Errorf("it is no test")
}
