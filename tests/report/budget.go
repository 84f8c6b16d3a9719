package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// budgetFile has what stages and slow tests take on a quick machine, in seconds: of a
// stage the processor's, of a test the clock's. A stage's line has its name alone.
const budgetFile = "build/budget.tsv"

// Of a stage that needs more than grown times its budget the tests are named that grew;
// slack bounds what no budget is worth.
const (
	grown = 1.25
	slack = 5.0 // seconds
)

// slow is what a test takes to have a line of its own in the budget, in seconds.
const slow = 3.0

// figures prints a run's stages and its twenty slowest tests.
func figures(out io.Writer, stages []stage, tests []test) error {
	budget, err := readBudget()
	if err != nil {
		return err
	}
	speed := pace()
	fmt.Fprintf(out, "%-12s %-7s %9s %12s %12s\n", "stage", "", "seconds", "processor s", "budget here")
	var wall, used float64
	for _, s := range stages {
		allowed := "-"
		if of, ok := budget[s.name]; ok {
			allowed = fmt.Sprintf("%.0f", of*speed)
		}
		fmt.Fprintf(out, "%-12s %-7s %9.0f %12.0f %12s\n", s.name, s.verdict, s.wall, s.used, allowed)
		wall, used = wall+s.wall, used+s.used
	}
	fmt.Fprintf(out, "%-12s %-7s %9.0f %12.0f   (a quick machine needs 1/%.2f of this processor time)\n", "sum", "", wall, used, speed)
	fmt.Fprintln(out, "\nslowest tests, seconds")
	for _, one := range tests[:min(20, len(tests))] {
		fmt.Fprintf(out, "%7.1f  %-11s %s\n", one.wall, one.stage, one.name)
	}
	return nil
}

// judge fails if a stage outgrew its budget.
func judge(out io.Writer, stages []stage, tests []test) error {
	budget, err := readBudget()
	if err != nil {
		return err
	}
	speed := pace()
	var over []string
	for _, s := range stages {
		of, ok := budget[s.name]
		if !ok || s.verdict != "passed" || s.used <= of*speed*grown+slack {
			continue
		}
		over = append(over, s.name)
		fmt.Fprintf(out, "The stage %s took %.0f s of processor time; its budget is %.0f s on this machine. What grew most, in seconds:\n", s.name, s.used, of*speed)
		for _, one := range grew(s.name, tests, budget, speed) {
			fmt.Fprintf(out, "  %6.1f more  %s\n", one.wall, one.name)
		}
	}
	if len(over) > 0 {
		return fmt.Errorf("over budget (%s): %s", budgetFile, strings.Join(over, ", "))
	}
	return nil
}

// grew returns the ten tests of a stage that take most above what the budget knows of them.
func grew(stage string, tests []test, budget map[string]float64, speed float64) []test {
	var more []test
	for _, one := range tests {
		if one.stage != stage {
			continue
		}
		before, known := budget[stage+"\t"+one.name]
		if !known {
			before = slow
		}
		if one.wall > before*speed {
			more = append(more, test{stage: stage, name: one.name, wall: one.wall - before*speed})
		}
	}
	slices.SortFunc(more, func(a, b test) int { return int((b.wall - a.wall) * 1000) })
	return more[:min(10, len(more))]
}

func readBudget() (map[string]float64, error) {
	text, err := os.ReadFile(budgetFile)
	if errors.Is(err, os.ErrNotExist) {
		return map[string]float64{}, nil
	}
	if err != nil {
		return nil, err
	}
	budget := map[string]float64{}
	for lines := bufio.NewScanner(strings.NewReader(string(text))); lines.Scan(); {
		name, seconds, ok := cutLast(lines.Text())
		var of float64
		if _, err := fmt.Sscan(seconds, &of); !ok || err != nil {
			return nil, fmt.Errorf("%s: %q has no seconds at its end", budgetFile, lines.Text())
		}
		budget[name] = of
	}
	return budget, nil
}

// cutLast cuts a line at its last tab.
func cutLast(line string) (before, after string, ok bool) {
	i := strings.LastIndexByte(line, '\t')
	if i < 0 {
		return line, "", false
	}
	return line[:i], line[i+1:], true
}

// keep writes what a run took as the budget: its stages that passed, and their slow tests.
// Lines of stages that did not run stay.
func keep(stages []stage, tests []test) error {
	budget, err := readBudget()
	if err != nil {
		return err
	}
	speed := pace()
	for _, s := range stages {
		if s.verdict != "passed" {
			continue
		}
		for name := range budget {
			if strings.HasPrefix(name, s.name+"\t") {
				delete(budget, name)
			}
		}
		budget[s.name] = s.used / speed
		for _, one := range tests {
			if one.stage == s.name && one.wall/speed >= slow {
				budget[s.name+"\t"+one.name] = one.wall / speed
			}
		}
	}
	var lines []string
	for name, of := range budget {
		lines = append(lines, fmt.Sprintf("%s\t%.1f", name, of))
	}
	slices.Sort(lines)
	return os.WriteFile(budgetFile, []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}
