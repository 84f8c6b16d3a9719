package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// failed prints how often which test failed in many runs, whose JUnit files are in a
// folder: STAGE@RUN.xml. It fails if a test did.
func failed(out io.Writer, tests []test) error {
	times, runs := map[string]int{}, map[string]int{}
	for _, one := range tests {
		stage, _, _ := strings.Cut(one.stage, "@")
		name := stage + "\t" + one.name
		runs[name]++
		if one.failed {
			times[name]++
		}
	}
	if len(tests) == 0 {
		return fmt.Errorf("no test has run")
	}
	for _, name := range slices.Sorted(maps.Keys(times)) {
		fmt.Fprintf(out, "%3d of %d  %s\n", times[name], runs[name], name)
	}
	if len(times) > 0 {
		return fmt.Errorf("%d tests failed at least once", len(times))
	}
	fmt.Fprintf(out, "none of %d tests failed\n", len(runs))
	return nil
}
