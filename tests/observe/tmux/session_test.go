//go:build linux

// Package tmux holds the typing of answers against the real TUI in a real tmux.
package tmux

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/request"
	"beckon/backend/beckon"
	"beckon/backend/observe/dialog"
	"beckon/backend/observe/tmux"
	"beckon/tests/fixture"
	"beckon/tests/observe/tui"
)

func TestMain(m *testing.M) { tui.Main(m) }

// call is a tool call in a session's file, with its result once it has one.
type call struct {
	ID, Name string
	Input    json.RawMessage
	settled  *dialog.Settled
}

// calls reads the session's file as it is at this moment.
func calls(s *tui.Session) (all []*call) {
	lines := s.Lines()
	for range 2 { // a result may be written down before its call
		for _, line := range lines {
			all = read(all, line)
		}
	}
	return all
}

// read adds what a line says.
func read(all []*call, line string) []*call {
	var l struct {
		Message struct{ Content json.RawMessage }
		Result  json.RawMessage `json:"toolUseResult"`
	}
	var blocks []struct {
		Type      string
		ID        string
		Name      string
		Input     json.RawMessage
		ToolUseID string `json:"tool_use_id"`
		IsError   bool   `json:"is_error"`
	}
	if json.Unmarshal([]byte(line), &l) != nil || json.Unmarshal(l.Message.Content, &blocks) != nil {
		return all // half written, or of no interest
	}
	for _, b := range blocks {
		if b.Type == "tool_use" && !slices.ContainsFunc(all, func(c *call) bool { return c.ID == b.ID }) {
			all = append(all, &call{ID: b.ID, Name: b.Name, Input: b.Input})
		}
		for _, c := range all {
			if b.Type == "tool_result" && c.ID == b.ToolUseID {
				c.settled = &dialog.Settled{Declined: b.IsError}
				var result struct{ Answers map[string]string }
				if json.Unmarshal(l.Result, &result) == nil {
					c.settled.Answers = result.Answers
				}
			}
		}
	}
	return all
}

// question is what a call asks.
func question(c *call) beckon.Question {
	return request.Question(claude.Request{ToolName: c.Name, ToolUseID: c.ID, Input: c.Input})
}

// pending returns the newest question of a tool, which is open.
func pending(t *testing.T, s *tui.Session, tool string) dialog.Pending {
	t.Helper()
	all := open(t, s, tool, 1)
	return all[len(all)-1]
}

// open waits until so many calls of a tool wait for an answer.
func open(t *testing.T, s *tui.Session, tool string, many int) (all []dialog.Pending) {
	t.Helper()
	s.Until(fmt.Sprintf("%d open %s", many, tool), func() bool {
		all = nil
		for _, c := range calls(s) {
			if c.Name == tool && c.settled == nil {
				all = append(all, follow(t, s, c))
			}
		}
		return len(all) == many && s.Presence().Status == "waiting"
	})
	return all
}

// follow is what the session's files say of a call, at each moment.
func follow(t *testing.T, s *tui.Session, c *call) dialog.Pending {
	t.Helper()
	settled := func() (dialog.Settled, bool) {
		for _, now := range calls(s) {
			if now.ID == c.ID && now.settled != nil {
				return *now.settled, true
			}
		}
		return dialog.Settled{}, false
	}
	return dialog.Pending{
		Question: question(c), Dir: s.Dir, Settled: settled,
		Open: func() bool {
			_, over := settled()
			return !over && s.Presence().Status == "waiting"
		},
	}
}

// pane finds the pane of a session.
func pane(t *testing.T, s *tui.Session) *tmux.Pane {
	t.Helper()
	p, err := tmux.Find(t.Context(), tmux.Process{PID: s.PID})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// shown waits until the question is the one on the screen.
func shown(t *testing.T, s *tui.Session, on *tmux.Pane, p dialog.Pending) (rows []string) {
	t.Helper()
	var err error
	for end := time.Now().Add(tui.Patience); ; time.Sleep(50 * time.Millisecond) {
		if rows, err = dialog.CheckScreen(t.Context(), on, p); err == nil {
			return rows
		}
		if time.Now().After(end) {
			t.Fatalf("it is not recognized: %v; the screen is\n%s", err, s.Screen())
		}
	}
}

// idle waits until the session takes the next prompt.
func idle(t *testing.T, s *tui.Session) {
	t.Helper()
	s.Until("the session is idle", func() bool { return s.Presence().Status == "idle" })
	s.See("❯\u00a0")
}

// option is one of a question's options.
func option(label, description, preview string) map[string]any {
	o := map[string]any{"label": label, "description": description}
	if preview != "" {
		o["preview"] = preview
	}
	return o
}

func item(text, header string, multi bool, options ...map[string]any) map[string]any {
	return map[string]any{"question": text, "header": header, "multiSelect": multi, "options": options}
}

var (
	database = item("Which database should we use?", "Database", false, option("PostgreSQL", "Server", ""), option("SQLite", "Embedded", ""))
	features = item("Which features do you want?", "Features", true, option("Auth", "login", ""), option("Search, full-text", "fts", ""), option("Export", "csv", ""))
	layout   = item("Pick a layout?", "Layout", false, option("Side", "beside", "| a | b |"), option("Stacked", "above", "| a |\n| b |"))
)

// rule makes the model call a tool when it hears "do NAME now".
func rule(name, tool string, input any) fixture.Rule {
	return fixture.Rule{When: "do " + name + " now", Turn: fixture.Turn{"text": "Let me ask.", "tool": tool, "input": input}, Times: 1}
}

func asks(items ...map[string]any) map[string]any { return map[string]any{"questions": items} }

func reply(items ...beckon.ItemAnswer) dialog.Reply {
	return dialog.Reply{Answer: beckon.Answer{Items: items}}
}

func picks(labels ...string) beckon.ItemAnswer { return beckon.ItemAnswer{Labels: labels} }

func verdict(v beckon.Verdict) dialog.Reply { return dialog.Reply{Answer: beckon.Answer{Verdict: v}} }
