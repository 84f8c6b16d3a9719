// Package scripted is a scripted stand-in for the Claude Code CLI: it takes
// the same arguments, speaks the same protocol on stdin and stdout, really
// changes files, really runs commands (each in its own session), really
// blocks on questions and MCP calls, and takes interrupts. It is a package as
// httptest is: a test binary, or any other, plays the agent when it is run
// again with the variable BECKON_AGENT_SCRIPTS, which names a txtar file or a
// directory of them. It does not think.
//
// # Scripts
//
// A txtar archive has a file named "script" and whatever files that mentions.
// The script begins with headers, of which all are optional:
//
//	match: REGEXP   play this script if the first message matches
//	resume: yes     play it only in a process started with --resume
//	pace: 20ms      wait that long between streamed pieces
//	down: NAME…     MCP servers that fail until they are connected again
//	mute: SUBTYPE…  never answer those control requests; one of a directory's
//	                scripts speaks for all
//	model: yes      no steps: each turn is "model", and a session that has no record
//	                cannot be resumed
//
// Of a directory's scripts the first by name that fits is played; one without
// "match" fits always but comes last. A script that is the only one is
// always played. Where none fits, each message is answered with "Done.".
//
// Then come the steps, one a line; "#" begins a comment. "turn" ends a turn's
// steps and begins the next one's, which wait for another message; messages
// beyond the last turn are answered with "Done.". Messages that begin with a
// slash are commands, which /compact and /clear do something of.
//
//	text WORDS            say it
//	think WORDS           think it
//	read PATH             Read
//	write PATH CONTENT    Write
//	edit PATH OLD NEW     Edit
//	run COMMAND           Bash, by sh -c
//	background DURATION COMMAND
//	                      Bash with run_in_background; the next turn begins on its own when
//	                      it ends, which it does not where the duration is "never"
//	ask QUESTIONS         AskUserQuestion, by can_use_tool
//	permit TOOL JSON      the tool's call, allowed by can_use_tool first; Bash,
//	                      Read, Write and Edit are then really done
//	plan MARKDOWN         ExitPlanMode
//	elicit MESSAGE SCHEMA an MCP tool that asks the user for a form; ${answer} is
//	                      the action and the content
//	ask_user JSON         the tool ask_user of the first MCP server that the host named
//	mcp TOOL JSON         any tool of it
//	parallel … end        the calls between them, all at once
//	model                 all that the Messages API at ANTHROPIC_BASE_URL answers, which
//	                      gets the conversation as the session's record has it
//	expect WORDS          wait for a message of this turn that has them
//	sleep DURATION        as 200ms
//	say LINE              print the line as it is; "+12s" in it becomes the Unix
//	                      seconds of that long after
//	replay FILE           print a recording
//	refuse WORDS          end the turn as where a hook refuses its prompt
//	stderr WORDS          print them to stderr
//	errflood BYTES        print that much to stderr
//	flood N BYTES         print N text messages of that size
//	flood N @FILE         print N lines, FILE's over and over; 000000000000 in
//	                      them becomes the number of the time around
//	pace N RATE @FILE     the same at RATE lines a second
//	big BYTES             print one text message of that size
//	clock N DURATION BYTES  print N text messages of so many bytes at least, one each
//	                      DURATION, that begin with the time in Unix nanoseconds
//	error STATUS WORDS    end the turn as after a failure of the API
//	wake DURATION         begin the next turn that long from here, without a message
//	deaf                  refuse to be interrupted in this turn
//	crash CODE            exit
//	kill                  end as by kill -9
//
// Words in double quotes are one argument, with Go's escapes. An argument
// @NAME stands for the archive's file NAME. QUESTIONS is the tool's JSON
// input, or "Text? | option | option". ${answer} is the latest answer (of
// ask, ask_user, mcp, permit: "allow" or "deny", plan: that which was approved, or run: the output),
// ${message} the turn's first message, ${images} its images, ${session} the session's id.
package scripted

import (
	"io"
	"os"
	"path/filepath"
	"time"

	"beckon/backend/agent/claude/cli"
	"beckon/tests/races"
)

// scriptsVar names what to play.
const scriptsVar = "BECKON_AGENT_SCRIPTS"

// Script returns the environment entry that makes a process play the script,
// or one of the directory of scripts, at path.
func Script(path string) string { return scriptsVar + "=" + path }

// Playing reports whether this process is to play the agent.
func Playing() bool { return os.Getenv(scriptsVar) != "" }

// Play plays the agent as the environment says and returns its exit code.
func Play(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	scripts, err := load(os.Getenv(scriptsVar))
	if err != nil {
		return fail(stderr, err)
	}
	o, err := parseArgs(args)
	if err != nil {
		return fail(stderr, err)
	}
	if o.version {
		_, _ = io.WriteString(stdout, version+" (Claude Code)\n")
		return 0
	}
	return newAgent(o, scripts, stdout, stderr).live(stdin)
}

func fail(stderr io.Writer, err error) int {
	_, _ = io.WriteString(stderr, err.Error()+"\n")
	return 1
}

// Main is a TestMain's whole body: it plays the agent where the test binary
// was run as one, and else runs the tests.
func Main(m interface{ Run() int }) {
	if Playing() {
		os.Exit(Play(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// TB is what Options needs of a testing.TB, so that a program which plays
// the agent does not link the testing package.
type TB interface {
	Helper()
	TempDir() string
	Fatal(args ...any)
}

// Options returns options that start this test binary as an agent playing
// script, in a fresh directory. The script may be a whole archive, or only
// the steps.
func Options(t TB, script string) cli.Options {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "script.txtar")
	if err := os.WriteFile(file, []byte(archived(script)), 0o600); err != nil {
		t.Fatal(err)
	}
	return cli.Options{
		Path: path, Dir: t.TempDir(),
		Env:   []string{scriptsVar + "=" + file, races.Env},
		Grace: time.Second,
	}
}
