package transcript

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
	"beckon/backend/transcript/runlog"
)

// Fold turns lines, in order, into entries. The zero Fold begins at line
// 0; FoldAt gives one that begins elsewhere.
type Fold struct {
	next   int64 // the line that is due
	totals runlog.Totals
	// A fold that was not given every line does not know how many turns there
	// were, nor what they cost until the next result tells.
	uncounted, unpriced bool

	calls  map[string]beckon.Entry // without a result yet, by tool use id
	echoes map[string]bool         // messages that were not echoed yet, by uuid
}

// TextMost is the most that an entry's text has, in bytes.
const TextMost = runlog.Kept

// The most that its other parts may have.
const (
	inputMost   = 32 << 10
	resultMost  = 32 << 10
	diffMost    = 64 << 10
	unknownMost = 2 << 10
	targetMost  = 200
)

// Add folds line number pos, of time at, and returns the entries that it
// created or changed, each a whole new value that replaces the one with its
// ID. A line that cannot be understood becomes a quiet notice, "unknown".
// Lines that were left out since the last call cost no more than their own
// entries: a result whose call was among them comes as an orphan, for Merge.
func (f *Fold) Add(pos, at int64, line []byte) []beckon.Entry {
	return f.add(pos, at, line, decode)
}

// AddLine does it with a line that others read as well.
func (f *Fold) AddLine(pos, at int64, line agent.Line) []beckon.Entry {
	read := lineOf(line)
	return f.add(pos, at, read.Raw, func([]byte) (claude.Message, error) { return decodeLine(read) })
}

// lineOf is a line as Claude's packages have it.
func lineOf(line agent.Line) *claude.Line {
	if read, ok := line.(*claude.Line); ok {
		return read
	}
	return claude.NewLine(line.Bytes())
}

func (f *Fold) add(pos, at int64, line []byte, decode func([]byte) (claude.Message, error)) []beckon.Entry {
	f.expect(pos)
	line = bytes.TrimSpace(line)
	from := origin{pos: pos, at: at}
	if len(line) == 0 {
		return nil
	}
	if isOwn(line) {
		return f.addOwn(from, line)
	}
	if isQuiet(line) {
		return nil
	}
	m, err := decode(line)
	if err != nil || m.Speech != nil && len(m.Speech.Content) == 0 {
		return from.unknown(line)
	}
	from.uuid, from.parent = m.UUID, m.ParentToolUseID
	return f.addMessage(from, m)
}

// expect notes that a line comes. Where it is not the one that is due, what is
// known of the earlier ones counts no more.
func (f *Fold) expect(pos int64) {
	if pos != f.next {
		f.uncounted, f.unpriced = true, true
		f.calls, f.echoes = nil, nil
	}
	f.next = pos + 1
}

func (f *Fold) addMessage(from origin, m claude.Message) []beckon.Entry {
	switch m.Kind {
	case claude.AssistantLine:
		return f.addAssistant(from, m.Speech)
	case claude.UserLine:
		return f.addUser(from, m.Speech)
	case claude.ResultLine:
		return f.addResult(from, m)
	case claude.SystemLine:
		return from.system(m)
	case claude.RateLimitLine:
		return from.rateLimit(m.Limit)
	case claude.StreamEvent, claude.ControlRequest, claude.ControlCancel, claude.ControlResponse:
		return nil
	default:
		return from.notice("unknown", cmp.Or(m.Type, "line without a type"))
	}
}

func (f *Fold) addAssistant(from origin, s *claude.Speech) []beckon.Entry {
	var entries []beckon.Entry
	for i, b := range s.Content {
		e, ok := f.block(from, i, b)
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
func (f *Fold) block(from origin, part int, b claude.Block) (beckon.Entry, bool) {
	switch {
	case b.ToolUseID != "": // of a tool that ran at the API's side
		return f.result(from.part(part), b, nil), true
	case b.Name != "":
		return f.call(from.part(part), b), true
	case b.Type == claude.TextBlock:
		return from.said(part, beckon.TextEntry, string(b.Text))
	case b.Type == claude.ThinkingBlock:
		return from.said(part, beckon.ThinkingEntry, string(b.Thinking))
	case b.Type == "redacted_thinking":
		return beckon.Entry{}, false
	default:
		e := from.part(part)
		e.Kind, e.Notice, e.Text = beckon.NoticeEntry, "unknown", b.Type
		return e, true
	}
}

// addUser folds what the conversation was given: results of tools, messages,
// and marks that the CLI leaves.
func (f *Fold) addUser(from origin, s *claude.Speech) []beckon.Entry {
	var entries []beckon.Entry
	album, own := album{pos: from.pos}, []beckon.Picture(nil)
	for _, b := range s.Content {
		pictures := album.of(b)
		if b.ToolUseID == "" {
			own = append(own, pictures...)
			continue
		}
		e := from.part(len(entries))
		e.Pictures = pictures
		entries = append(entries, f.result(e, b, s.ToolUseResult))
	}
	said := blockText(s.Content)
	if said == "" && own == nil || s.Replay && f.echoed(from.uuid) {
		return entries
	}
	e := from.part(len(entries))
	e.ID, e.Kind, e.Text = userID(cmp.Or(from.uuid, e.ID)), beckon.UserEntry, cut(said, TextMost)
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

// addResult ends a turn.
func (f *Fold) addResult(from origin, m claude.Message) []beckon.Entry {
	r := m.Result
	turn := beckon.TurnEnd{
		Interrupted: r.IsError && r.Interrupted(), DurationMs: r.DurationMs,
		Tokens: r.Usage.InputTokens + r.Usage.OutputTokens + r.Usage.CacheReadInputTokens + r.Usage.CacheCreationInputTokens,
	}
	turn.Failed = r.IsError && !turn.Interrupted
	if turn.Failed {
		turn.Reason = cut(cmp.Or(r.Text, strings.Join(r.Errors, "\n"), r.TerminalReason, m.Subtype), resultMost)
	}
	before := f.totals
	f.totals = afterResult(before, r)
	if !f.uncounted {
		turn.Number = int(f.totals.Turns)
	}
	if !f.unpriced {
		turn.CostUSD = r.TotalCostUSD - costBefore(before, r)
	}
	f.unpriced = false
	e := from.part(0)
	e.ID, e.Kind, e.Turn = cmp.Or(from.uuid, e.ID), beckon.TurnEntry, &turn
	return []beckon.Entry{e}
}

// afterResult adds a result to the totals.
func afterResult(t runlog.Totals, r *claude.Result) runlog.Totals {
	return runlog.Totals{Turns: t.Turns + 1, Cost: r.TotalCostUSD}
}

// costBefore is what the process had cost before r; one that was started again
// counts from zero.
func costBefore(t runlog.Totals, r *claude.Result) float64 {
	if r.TotalCostUSD < t.Cost {
		return 0
	}
	return t.Cost
}

// totals are a log's: results count.
var totals = runlog.Count{May: mayCount, After: countTotals}

// mayCount knows the lines that begin as the CLI's and Beckon's do.
func mayCount(head []byte) bool {
	return !bytes.HasPrefix(head, []byte(`{"type":"`)) || claude.KindOf(head) == claude.ResultLine
}

func countTotals(t runlog.Totals, line []byte) runlog.Totals {
	if isOwn(line) || claude.KindOf(line) != claude.ResultLine {
		return t
	}
	m, err := decode(bytes.TrimSpace(line))
	if err != nil {
		return t
	}
	return afterResult(t, m.Result)
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

// sent notes that a message of this uuid has its entry.
func (f *Fold) sent(uuid string) {
	if f.echoes == nil {
		f.echoes = map[string]bool{}
	}
	f.echoes[uuid] = true
}

// echoed reports whether an echo repeats a message that has its entry.
func (f *Fold) echoed(uuid string) bool {
	known := f.echoes[uuid]
	delete(f.echoes, uuid)
	return known
}

func userID(uuid string) string { return "user/" + uuid }

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

// cut shortens text to most bytes, in front of a character, and keeps no more.
func cut(text string, most int) string {
	if kept := within(text, most); len(kept) < len(text) {
		return strings.Clone(kept)
	}
	return text
}

// within is the beginning of text that has at most so many bytes and ends in front of a
// character, or of a gap.
func within(text string, most int) string {
	text, _ = runlog.Split(text)
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
