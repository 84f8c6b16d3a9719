// Command report says what a run of the tests cost: how quick the machine is, what each
// stage took, which tests were slowest, and which stages outgrew the budget that the
// repository keeps. It reads what build/test.sh leaves in a folder, and runs no test.
//
//	report patience       how many times longer than on a quick machine to wait
//	report pace           how many times more processor time than on a quick machine
//	report figures DIR    the table of stages, and the twenty slowest tests
//	report budget DIR     fails if a stage needs a quarter more than its budget
//	report keep DIR       makes this run's processor seconds the budget
//	report failed DIR     how often which test failed, in the JUnit files of many runs
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"beckon/tests/timeout"
)

const usage = "usage: report patience|pace|figures DIR|budget DIR|keep DIR|failed DIR"

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out io.Writer, args []string) error {
	if len(args) == 1 {
		switch args[0] {
		case "patience":
			_, err := fmt.Fprintf(out, "%.1f\n", timeout.Measure())
			return err
		case "pace":
			_, err := fmt.Fprintf(out, "%.2f\n", pace())
			return err
		}
	}
	if len(args) != 2 {
		return errors.New(usage)
	}
	tests, err := readTests(args[1])
	if err != nil {
		return err
	}
	if args[0] == "failed" {
		return failed(out, tests)
	}
	stages, err := readStages(args[1])
	if err != nil {
		return err
	}
	switch args[0] {
	case "figures":
		return figures(out, stages, tests)
	case "budget":
		return judge(out, stages, tests)
	case "keep":
		return keep(stages, tests)
	}
	return errors.New(usage)
}

// quick is the processor time that timeout.Work takes on a quick machine.
const quick = 100 * time.Millisecond

// pace returns how many times more processor time than a quick machine this one needs. The
// least of five counts: what else the machine does costs a little processor time, too.
var pace = sync.OnceValue(func() float64 {
	least := time.Duration(1<<63 - 1)
	for range 5 {
		began := used()
		timeout.Work()
		least = min(least, used()-began)
	}
	return float64(least) / float64(quick)
})
