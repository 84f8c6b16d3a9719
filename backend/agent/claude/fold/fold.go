// Package fold reads Claude Code's lines as entries of a transcript. The lines are described
// in docs/PROTOCOL.md section 2; the words of its notices are listed in package transcript.
package fold

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
	"beckon/backend/transcript/runlog"
)

// Reader is Claude Code's agent.Reader.
type Reader struct{}

// textMost is the most that an entry's text has, in bytes.
const textMost = runlog.Kept

// The most that the other parts of an entry may have.
const (
	inputMost   = 32 << 10
	resultMost  = 32 << 10
	diffMost    = 64 << 10
	unknownMost = 2 << 10
	targetMost  = 200
)

// Entries implements agent.Reader.
func (Reader) Entries(pos, at int64, line agent.Line) []beckon.Entry {
	read := lineOf(line)
	raw, from := bytes.TrimSpace(read.Raw), origin{pos: pos, at: at}
	if isQuiet(raw) {
		return nil
	}
	m, err := decodeLine(read)
	if err != nil || m.Speech != nil && len(m.Speech.Content) == 0 {
		return from.unknown(raw)
	}
	from.uuid, from.parent = m.UUID, m.ParentToolUseID
	return from.message(m)
}

// lineOf is a line as Claude's packages have it.
func lineOf(line agent.Line) *claude.Line {
	if read, ok := line.(*claude.Line); ok {
		return read
	}
	return claude.NewLine(line.Bytes())
}

// decodeLine decodes a line that others read as well. The strings of a large
// one are cut first, so what becomes of it is of no use to the others.
func decodeLine(line *claude.Line) (claude.Message, error) {
	if len(line.Raw) > runlog.Large {
		return decode(line.Raw)
	}
	return line.Message()
}

// decode decodes a line of any size. The strings of a large one end in a gap
// where they were cut.
func decode(line []byte) (claude.Message, error) {
	if len(line) > runlog.Large && line[0] != '{' { // no message, and not worth a copy
		return claude.Message{}, errors.New("a line that is no object")
	}
	return claude.DecodeMessage(runlog.ShortenLine(line))
}

func (o origin) message(m claude.Message) []beckon.Entry {
	switch m.Kind {
	case claude.AssistantLine:
		return o.assistant(m.Speech)
	case claude.UserLine:
		return o.user(m.Speech)
	case claude.ResultLine:
		return o.result(m)
	case claude.SystemLine:
		return o.system(m)
	case claude.RateLimitLine:
		return o.rateLimit(m.Limit)
	case claude.StreamEvent, claude.ControlRequest, claude.ControlCancel, claude.ControlResponse:
		return nil
	default:
		return o.notice("unknown", cmp.Or(m.Type, "line without a type"))
	}
}

func (o origin) assistant(s *claude.Speech) []beckon.Entry {
	var entries []beckon.Entry
	for i, b := range s.Content {
		e, ok := o.block(i, b)
		if !ok {
			continue
		}
		if s.Error != "" && e.Kind == beckon.TextEntry {
			e.Kind, e.Notice = beckon.NoticeEntry, "api_error"
		}
		entries = append(entries, e)
	}
	return entries
}

// block folds one block of an assistant's line. Some have nothing to show,
// such as thinking that was redacted.
func (o origin) block(part int, b claude.Block) (beckon.Entry, bool) {
	switch {
	case b.ToolUseID != "": // of a tool that ran at the API's side
		return toolResult(o.part(part), b, nil), true
	case b.Name != "":
		return toolCall(o.part(part), b), true
	case b.Type == claude.TextBlock:
		return o.said(part, beckon.TextEntry, string(b.Text))
	case b.Type == claude.ThinkingBlock:
		return o.said(part, beckon.ThinkingEntry, string(b.Thinking))
	case b.Type == "redacted_thinking":
		return beckon.Entry{}, false
	default:
		e := o.part(part)
		e.Kind, e.Notice, e.Text = beckon.NoticeEntry, "unknown", b.Type
		return e, true
	}
}

// user folds what the conversation was given: results of tools, messages,
// and marks that the CLI leaves.
func (o origin) user(s *claude.Speech) []beckon.Entry {
	var entries []beckon.Entry
	album, own := album{pos: o.pos}, []beckon.Picture(nil)
	for _, b := range s.Content {
		pictures := album.of(b)
		if b.ToolUseID == "" {
			own = append(own, pictures...)
			continue
		}
		e := o.part(len(entries))
		e.Pictures = pictures
		entries = append(entries, toolResult(e, b, s.ToolUseResult))
	}
	said := blockText(s.Content)
	if said == "" && own == nil {
		return entries
	}
	e := o.part(len(entries))
	e.ID, e.Kind, e.Text = agent.MessageEntry(cmp.Or(o.uuid, e.ID)), beckon.UserEntry, runlog.Cut(said, textMost)
	e.Pictures = own
	if notice, text, ok := mark(e.Text, s.Synthetic); ok {
		e.Kind, e.Notice, e.Text = beckon.NoticeEntry, notice, text
	}
	return append(entries, e)
}

// mark tells what the CLI says in the user's place from what the user says.
func mark(text string, synthetic bool) (notice, details string, ok bool) {
	if strings.HasPrefix(text, "[Request interrupted by user") {
		return "interrupted", "", true
	}
	if out, ok := strings.CutPrefix(text, "<local-command-stdout>"); ok {
		return "command", strings.TrimSuffix(out, "</local-command-stdout>"), true
	}
	return "feedback", text, synthetic
}

// result ends a turn. What it cost is what the process did.
func (o origin) result(m claude.Message) []beckon.Entry {
	r := m.Result
	turn := beckon.TurnEnd{
		Interrupted: r.IsError && r.Interrupted(), DurationMs: r.DurationMs, CostUSD: r.TotalCostUSD,
		Tokens: r.Usage.InputTokens + r.Usage.OutputTokens + r.Usage.CacheReadInputTokens + r.Usage.CacheCreationInputTokens,
	}
	turn.Failed = r.IsError && !turn.Interrupted
	if turn.Failed {
		turn.Reason = runlog.Cut(cmp.Or(r.Text, strings.Join(r.Errors, "\n"), r.TerminalReason, m.Subtype), resultMost)
	}
	e := o.part(0)
	e.ID, e.Kind, e.Turn = cmp.Or(o.uuid, e.ID), beckon.TurnEntry, &turn
	return []beckon.Entry{e}
}

// MayEndTurn implements agent.Reader. It knows the lines that begin as the CLI's do.
func (Reader) MayEndTurn(head []byte) bool {
	return !bytes.HasPrefix(head, []byte(`{"type":"`)) || claude.KindOf(head) == claude.ResultLine
}

// EndsTurn implements agent.Reader.
func (Reader) EndsTurn(line []byte) (costUSD float64, ends bool) {
	if claude.KindOf(line) != claude.ResultLine {
		return 0, false
	}
	m, err := decode(bytes.TrimSpace(line))
	if err != nil {
		return 0, false
	}
	return m.Result.TotalCostUSD, true
}

// MayHaveResults implements agent.Reader.
func (Reader) MayHaveResults(line []byte) bool { return claude.KindOf(line) == claude.UserLine }

// blockText is what a message's blocks say to a reader; what is neither text nor a
// picture is named.
func blockText(c claude.Content) string {
	var texts []string
	for _, b := range c {
		switch {
		case b.ToolUseID != "" || shown(b):
		case b.Type == claude.TextBlock:
			texts = append(texts, string(b.Text))
		case b.Source != nil:
			texts = append(texts, fmt.Sprintf("[%s %s]", b.Type, b.Source.MediaType))
		default:
			texts = append(texts, "["+b.Type+"]")
		}
	}
	return strings.Join(texts, "\n")
}
