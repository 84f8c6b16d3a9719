// Package process starts a child process of which nothing is left over: when the
// child ends, is killed, or this program dies, even by SIGKILL, everything
// that the child started is ended too, whatever sessions and process groups
// it hid in. It knows nothing of what the child is for.
//
// On Linux and macOS a supervisor is between the program and the child:
// the same executable, run again, which this package turns into a supervisor
// before anything else of it has begun. Neither a process group (claude gives
// each command its own session) nor PR_SET_PDEATHSIG (it reaches the child,
// not the child's children) would do. The supervisor is the reaper of orphans
// below it (PR_SET_CHILD_SUBREAPER), so on Linux "wait4 finds no child" is
// the exact sign that all are gone; it holds one end of a pipe whose other
// end only the program holds, so it sees the program die; and it lives in a
// session of its own, out of the reach of a terminal's Ctrl-C. The child's
// stdin, stdout and stderr pass through it as descriptors: it never copies a
// byte. One supervisor serves one child, so everything below it belongs to
// that child and needs no book-keeping.
//
// Should the supervisor itself be killed, the kernel kills the child, and the
// program looks for what is left by a mark in the environment that each
// descendant inherits. On macOS, which has no subreaper, the supervisor keeps
// a record of the descendants it has seen. On Windows a job object does all
// of this and there is no supervisor.
package process

import "os"

// Mark names the environment variable that every descendant of a child has, and
// no other process. Windows needs none to find them, but others may.
const Mark = "BECKON_PROCESS"

// Spec says what to start.
type Spec struct {
	Path string   // of the executable, or its name on PATH
	Args []string // without the executable
	Dir  string
	Env  []string // the whole environment
	// The child's standard files. Start leaves the caller's copies open.
	Stdin, Stdout, Stderr *os.File
	// Supervisor is the executable to run as the supervisor, which must have this
	// package in it; empty: this one. Windows needs none.
	Supervisor string
	Tether     *Tether // that it holds until nothing is left of the child; may be nil

	leads bool // the child leads a session, whose terminal its standard input is
}

// Status is how a child ended.
type Status struct {
	Code   int    // exit code; -1 where a signal ended it
	Signal string // name of that signal, such as "killed"; else empty
}
