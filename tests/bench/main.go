//go:build linux

// Command bench measures the built program, with a scripted agent that writes
// as fast as it is read, and prints a line per measure: name, value, unit,
// target, and "ok" or "short", with tabs between them. Machines are noisy, so
// where it can a target is a ratio taken in one run. Nothing fails because a
// figure is short; the exit code tells only whether all could be taken.
//
//	bench [-beckon FILE] [-only REGEXP]
package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"beckon/backend/agent/claude/scripted"
)

// measures in the order in which they are taken.
var measures = []measure{
	{name: "size", run: binarySize},
	{name: "start", run: start},
	{name: "recovery", run: recovery},
	{name: "page", run: page},
	{name: "window", run: window},
	{name: "ingest", run: ingest},
	{name: "acp", run: acp},
	{name: "huge", run: huge},
	{name: "memory", run: memory},
	{name: "latency", run: latency},
	{name: "follow", run: following},
	{name: "answer", run: answering},
	{name: "transcript", run: openTranscript},
	{name: "search", run: searching},
	{name: "index", run: indexing},
	{name: "panes", run: panes},
	{name: "readable", run: readable},
	{name: "clocks", run: clocks},
	{name: "keys", run: keys},
	{name: "cards", run: cards},
	{name: "undo", run: undoing},
	{name: "decisions", run: decided},
	{name: "diff", run: diffs},
	{name: "replay", run: replayed},
	{name: "worktree", run: worktree},
	{name: "begin", run: begin},
	{name: "agents", run: agentWeights},
	{name: "elsewhere", run: elsewhere},
	{name: "churn", run: churn},
	{name: "mcp", run: mcp},
	{name: "observe", run: observed},
	{name: "hook", run: hook},
	{name: "soak", run: soak, long: true},
	{name: "hour", run: hour, long: true},
	{name: "idle", run: idle, long: true},
}

func main() {
	if playACP() { // this program is the agents, too
		return
	}
	if scripted.Playing() {
		os.Exit(scripted.Play(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	program := flag.String("beckon", "build/bin/beckon", "the program to measure")
	only := flag.String("only", "", "take only the measures that match: "+names()+"; soak and idle, which take ten minutes, and hour only if they are asked for")
	flag.Parse()
	wanted := regexp.MustCompile(*only)
	path, err := filepath.Abs(*program)
	if err != nil {
		panic(err) // there is no working directory
	}
	code := 0
	for _, m := range measures {
		if wanted.MatchString(m.name) && (!m.long || *only != "") && !m.take(path) {
			code = 1
		}
	}
	os.Exit(code)
}

func names() string {
	list := make([]string, 0, len(measures))
	for _, m := range measures {
		list = append(list, m.name)
	}
	return strings.Join(list, ", ")
}
