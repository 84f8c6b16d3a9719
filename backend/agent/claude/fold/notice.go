package fold

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
	"beckon/backend/transcript/runlog"
)

// origin is where an entry comes from.
type origin struct {
	pos, at      int64
	uuid, parent string
}

// part returns an entry for one part of the line, with an ID that depends on
// the line alone.
func (o origin) part(n int) beckon.Entry {
	id := cmp.Or(o.uuid, "pos/"+strconv.FormatInt(o.pos, 10)) + "/" + strconv.Itoa(n)
	return beckon.Entry{ID: id, Pos: o.pos, Part: n, Parent: o.parent, At: o.at}
}

// said is what the agent says or thinks; there may be nothing to it.
func (o origin) said(part int, kind beckon.EntryKind, text string) (beckon.Entry, bool) {
	e := o.part(part)
	e.Kind, e.Text = kind, text
	if kept := runlog.Within(text, textMost); len(kept) < len(text) {
		e.Text = kept + "…"
	}
	return e, strings.TrimSpace(text) != ""
}

func (o origin) notice(word, text string) []beckon.Entry {
	e := o.part(0)
	e.ID, e.Kind, e.Notice, e.Text = cmp.Or(o.uuid, e.ID), beckon.NoticeEntry, word, runlog.Cut(text, textMost)
	return []beckon.Entry{e}
}

// unknown shows a line that is no message, as it is.
func (o origin) unknown(line []byte) []beckon.Entry {
	shown := line[:min(len(line), unknownMost)]
	return o.notice("unknown", strings.ToValidUTF8(string(shown), "\uFFFD"))
}

// quiet lists the system lines that a transcript does not show: they are the
// run's business (init, states), or what they say is shown by the tool call
// that they go with (tasks, hooks).
var quiet = map[string]bool{
	claude.Init: true, claude.StateChanged: true, claude.ThinkingTokens: true, "commands_changed": true,
	"hook_started": true, "hook_progress": true, "hook_response": true,
	claude.TaskStarted: true, claude.TaskProgress: true, claude.TaskUpdated: true,
}

// isQuiet spares the quiet lines, which are many and long, their decoding.
func isQuiet(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte(`{"type":"system","subtype":"`))
	if !ok {
		return bytes.HasPrefix(line, []byte(`{"type":"stream_event"`)) || bytes.HasPrefix(line, []byte(`{"type":"control_`))
	}
	subtype, rest, _ := bytes.Cut(rest, []byte{'"'})
	return quiet[string(subtype)] || string(subtype) == claude.TaskNotification && inForeground(rest)
}

// inForeground reports whether a task that ended is a tool call that took more
// than a few seconds or a sub-agent: its end is shown by the call's result.
// Only what runs in the background has a file for its output.
func inForeground(line []byte) bool { return bytes.Contains(line, []byte(`"output_file":""`)) }

// system shows the system lines that tell a reader why something happened, or
// why nothing does.
func (o origin) system(m claude.Message) []beckon.Entry {
	s := m.System
	switch m.Subtype {
	case claude.APIRetry:
		return o.notice(m.Subtype, retry(s.Retry))
	case claude.StatusChanged:
		if s.Status == "compacting" {
			return o.notice("compacting", "")
		}
		return nil
	case claude.ModelFallback, "model_refusal_no_fallback":
		return o.notice(m.Subtype, s.Content)
	case claude.PermissionDenied:
		return o.notice(m.Subtype, s.ToolName+": "+cmp.Or(s.Reason, s.Denial.Message))
	case claude.TaskNotification:
		return o.notice(m.Subtype, cmp.Or(s.Summary, s.Task.Description, s.Status))
	case claude.CompactBoundary:
		return o.notice(m.Subtype, "")
	case "notification":
		return o.notice(m.Subtype, s.Text)
	case claude.Informational:
		if s.Prevents {
			return o.notice("hook_ended", s.Content)
		}
	}
	if quiet[m.Subtype] {
		return nil
	}
	return o.notice("unknown", cmp.Or(s.Content, s.Text, "system/"+m.Subtype))
}

// retry reads "529 overloaded · 1/10 · 2s".
func retry(r claude.Retry) string {
	what := r.Error
	if r.ErrorStatus != 0 {
		what = fmt.Sprintf("%d %s", r.ErrorStatus, r.Error)
	}
	wait := time.Duration(r.DelayMs * float64(time.Millisecond)).Round(100 * time.Millisecond)
	return fmt.Sprintf("%s · %d/%d · %s", what, r.Attempt, r.MaxRetries, wait)
}

// rateLimit reads "five_hour rejected", with the share that is used and when
// it starts over, in UTC, where they are known.
func (o origin) rateLimit(l *claude.LimitStatus) []beckon.Entry {
	text := l.Type + " " + l.Status
	if l.Utilization > 0 {
		text += fmt.Sprintf(" · %.0f %%", l.Utilization*100)
	}
	if l.ResetsAt > 0 {
		text += " · " + time.Unix(l.ResetsAt, 0).UTC().Format(time.RFC3339)
	}
	return o.notice(string(claude.RateLimitLine), text)
}
