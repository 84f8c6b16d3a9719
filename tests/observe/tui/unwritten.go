//go:build linux

package tui

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// SkipUnwritten ends a test that cannot be judged: Claude Code 2.1.197 shows a
// dialog, says that it waits, and has not written the line of the call; or its
// turn is over, and a call has no result. On a busy machine that happens to about
// one dialog in twenty, and lasts until it writes something else. A hook is called
// all the same, so that what waits for a hook must not use this.
func (s *Session) SkipUnwritten() {
	s.t.Helper()
	status := s.Presence().Status
	if open, _ := s.calls(); status == "waiting" && open == 0 || status == "idle" && open > 0 {
		s.t.Skipf("claude says %s, and its files have %d calls without a result:\n%s", status, open, s.Screen())
	}
}

// SkipUnsettled ends a test that waits for more results than so many, where
// the session's files have no more.
func (s *Session) SkipUnsettled(results int) {
	s.t.Helper()
	if _, settled := s.calls(); settled <= results {
		s.t.Skipf("claude has written down %d results:\n%s", settled, s.Screen())
	}
}

// calls counts the calls in the session's files without a result, and those with one.
func (s *Session) calls() (open, settled int) {
	s.t.Helper()
	waits := map[string]bool{}
	lines := append(s.Lines(), s.lines(filepath.Join(s.Presence().SessionID, "subagents", "*.jsonl"))...)
	for range 2 { // a result may be written down before its call
		for _, line := range lines {
			note(waits, line)
		}
	}
	for _, one := range waits {
		if one {
			open++
		} else {
			settled++
		}
	}
	return open, settled
}

// Lines returns what the session's file has by now.
func (s *Session) Lines() []string {
	s.t.Helper()
	return s.lines(s.Presence().SessionID + ".jsonl")
}

// lines returns what the files have that fit a pattern below the folder of a project.
func (s *Session) lines(pattern string) (all []string) {
	s.t.Helper()
	files, _ := filepath.Glob(filepath.Join(s.Root, "projects", "*", pattern)) // the pattern is valid
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			s.t.Fatal(err)
		}
		all = append(all, slices.Collect(strings.Lines(string(text)))...)
	}
	return all
}

// note notes the calls and the results of a line.
func note(open map[string]bool, line string) {
	var l struct {
		Message struct {
			Content json.RawMessage `json:"content"`
		} `json:"message"`
	}
	var blocks []struct {
		Type string `json:"type"`
		ID   string `json:"id"`
		Call string `json:"tool_use_id"`
	}
	if json.Unmarshal([]byte(line), &l) != nil || json.Unmarshal(l.Message.Content, &blocks) != nil {
		return // half written, or of no interest
	}
	for _, b := range blocks {
		if _, known := open[b.ID]; b.Type == "tool_use" && !known {
			open[b.ID] = true
		}
		if b.Type == "tool_result" {
			open[b.Call] = false
		}
	}
}
