//go:build linux

package tui

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// SkipUnwritten ends a test that cannot be judged: Claude Code 2.1.197 shows a
// dialog, says that it waits, and has not written the line of the call. On a busy
// machine that happens to about one dialog in twenty, and lasts until it is
// answered. A hook is called all the same, so that what waits for a hook must not
// use this.
func (s *Session) SkipUnwritten() {
	s.t.Helper()
	if s.Presence().Status == "waiting" && !s.hasOpenCall() {
		s.t.Skipf("claude shows a dialog of which its file has no line:\n%s", s.Screen())
	}
}

// hasOpenCall reports whether the session's files have a call without a result.
func (s *Session) hasOpenCall() bool {
	s.t.Helper()
	id := s.Presence().SessionID
	open := map[string]bool{}
	for _, pattern := range []string{id + ".jsonl", filepath.Join(id, "subagents", "*.jsonl")} {
		files, _ := filepath.Glob(filepath.Join(s.Root, "projects", "*", pattern)) // the pattern is valid
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				s.t.Fatal(err)
			}
			for range 2 { // a result may be written down before its call
				for line := range strings.Lines(string(text)) {
					note(open, line)
				}
			}
		}
	}
	for _, waits := range open {
		if waits {
			return true
		}
	}
	return false
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
