package awake

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The programs of the system by which an assertion of IOKit is made and the battery is read.
const (
	caffeinate = "/usr/bin/caffeinate"
	pmset      = "/usr/bin/pmset"
	answersIn  = 2 * time.Second
)

func available() bool {
	_, err := os.Stat(caffeinate)
	return err == nil
}

// inhibit holds an assertion against idle sleep, which ends with this program too.
func inhibit(string) (release func(), err error) {
	ctx, cancel := context.WithCancel(context.Background())
	hold := exec.CommandContext(ctx, caffeinate, "-i", "-w", strconv.Itoa(os.Getpid()))
	if err := hold.Start(); err != nil {
		cancel()
		return nil, err
	}
	return func() {
		cancel()
		_ = hold.Wait() // it was killed
	}, nil
}

var charge = regexp.MustCompile(`(\d{1,3})%;`)

func readPower() power {
	ctx, cancel := context.WithTimeout(context.Background(), answersIn)
	defer cancel()
	said, err := exec.CommandContext(ctx, pmset, "-g", "batt").Output()
	found := charge.FindSubmatch(said)
	if err != nil || found == nil {
		return power{}
	}
	percent, _ := strconv.Atoi(string(found[1])) // digits
	return power{battery: strings.Contains(string(said), "'Battery Power'"), percent: percent}
}
