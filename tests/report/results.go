package main

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// stage is what a stage of a run cost.
type stage struct {
	name    string
	verdict string  // passed or FAILED
	wall    float64 // seconds
	used    float64 // seconds of processor time, of the stage and all that it waited for
}

// test is what a test of a run took.
type test struct {
	stage  string
	name   string
	wall   float64 // seconds
	failed bool
}

// stagesFile has a line for each stage of a run: name, verdict, wall and processor seconds.
const stagesFile = "stages.tsv"

func readStages(dir string) ([]stage, error) {
	file, err := os.Open(filepath.Join(dir, stagesFile))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var all []stage
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var s stage
		if _, err := fmt.Sscan(lines.Text(), &s.name, &s.verdict, &s.wall, &s.used); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", stagesFile, lines.Text(), err)
		}
		all = append(all, s)
	}
	return all, nil
}

// suites is what JUnit's files share, whether gotestsum, Playwright or Vitest wrote them.
type suites struct {
	Suites []struct {
		Cases []struct {
			Class   string    `xml:"classname,attr"`
			Name    string    `xml:"name,attr"`
			Time    float64   `xml:"time,attr"`
			Failure *struct{} `xml:"failure"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

// readTests reads the JUnit files of a folder, the slowest test first. A file's name is its
// stage's, with what distinguishes several of one stage after a dot.
func readTests(dir string) ([]test, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []test
	for _, file := range files {
		base, isXML := strings.CutSuffix(file.Name(), ".xml")
		if !isXML {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			return nil, err
		}
		var found suites
		if err := xml.Unmarshal(text, &found); err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name(), err)
		}
		name := stageOf(base)
		for _, suite := range found.Suites {
			for _, one := range suite.Cases {
				all = append(all, test{name, strings.TrimPrefix(one.Class, "beckon/") + " " + one.Name, one.Time, one.Failure != nil})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b test) int { return cmp.Compare(b.wall, a.wall) })
	return all, nil
}

// stageOf returns the stage, with its run, of a file: go.race@2 is of go@2.
func stageOf(base string) string {
	name, run, many := strings.Cut(base, "@")
	name, _, _ = strings.Cut(name, ".")
	if many {
		name += "@" + run
	}
	return name
}
