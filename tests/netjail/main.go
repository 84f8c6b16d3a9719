//go:build linux

// Netjail runs a command where nothing but loopback answers, and fails if
// anything in it so much as tried to reach further (docs/SECURITY.md S24):
//
//	go run ./tests/netjail COMMAND ARGUMENTS…
//
// The command gets a network namespace of its own whose default route leads
// into a device that only netjail reads, so that each attempt is seen with its
// address. One attempt of its own proves first that it would be.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sort"
	"syscall"
)

// insideEnv tells the second start of this program that it is inside.
const insideEnv = "BECKON_TEST_NETJAIL"

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "netjail: which command?")
		os.Exit(2)
	}
	run := enter
	if os.Getenv(insideEnv) != "" {
		run = watch
	}
	err := run(os.Args[1:])
	var exit *exec.ExitError
	switch {
	case err == nil:
	case errors.As(err, &exit):
		os.Exit(max(1, exit.ExitCode()))
	default:
		fmt.Fprintln(os.Stderr, "netjail:", err)
		os.Exit(1)
	}
}

// enter runs this program again in a namespace. A machine that has none to
// give runs the command as it is, and says so; where CI is set that is an error.
func enter(command []string) error {
	attr := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWNS}
	if os.Getuid() != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	probe := exec.Command("true")
	probe.SysProcAttr = attr
	if err := probe.Run(); err != nil {
		if os.Getenv("CI") != "" {
			return fmt.Errorf("this machine gives no network namespace, which CI must have: %w", err)
		}
		fmt.Fprintf(os.Stderr, "\nLOUDLY: this machine gives no network namespace (%v), so that the network is there and attempts to reach it are not counted.\n\n", err)
		return start(exec.Command(command[0], command[1:]...))
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	again := exec.Command(self, command...)
	again.SysProcAttr = attr
	again.Env = append(os.Environ(), insideEnv+"=1")
	return start(again)
}

// watch runs the command and tells what it tried to reach.
func watch(command []string) error {
	d, err := outside()
	if err != nil {
		return fmt.Errorf("set up the namespace: %w", err)
	}
	if err := d.proves(); err != nil {
		return err
	}
	failed := start(exec.Command(command[0], command[1:]...))
	tried := d.seen()
	if len(tried) == 0 {
		fmt.Println("netjail: nothing tried to reach beyond loopback")
		return failed
	}
	sort.Strings(tried)
	for _, attempt := range tried {
		fmt.Fprintln(os.Stderr, "netjail: something tried to reach", attempt)
	}
	return errors.Join(fmt.Errorf("%d attempts to reach beyond loopback", len(tried)), failed)
}

func start(cmd *exec.Cmd) error {
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd.Run()
}
