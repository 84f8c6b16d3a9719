package acp

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/linediff"
	"beckon/backend/transcript/runlog"
)

// Reader is the agent.Reader of the protocol's lines.
type Reader struct{}

// The most that the parts of an entry may have, in bytes.
const (
	textMost    = runlog.Kept
	inputMost   = 32 << 10
	resultMost  = 32 << 10
	diffMost    = 64 << 10
	unknownMost = 2 << 10
	targetMost  = 200
)

// Entries implements agent.Reader. What is not known is shown by its name.
func (Reader) Entries(pos, at int64, line agent.Line) []beckon.Entry {
	read, e := lineOf(line), beckon.Entry{ID: "pos/" + strconv.FormatInt(pos, 10) + "/0", Pos: pos, At: at}
	switch m := read.Message; {
	case read.Err != nil:
		raw := line.Bytes()
		return notice(e, "unknown", strings.ToValidUTF8(string(raw[:min(len(raw), unknownMost)]), "\uFFFD"))
	case read.Update != nil:
		return update(e, *read.Update, read.Block)
	case m.Method == "":
		return ended(e, m)
	case silent[m.Method]:
		return nil
	default:
		return notice(e, "unknown", m.Method)
	}
}

// silent are the methods that a transcript shows by what becomes of them.
var silent = map[string]bool{AskPermission: true, Elicit: true, Elicited: true, CancelRequest: true, Took: true}

func notice(e beckon.Entry, word, text string) []beckon.Entry {
	e.Kind, e.Notice, e.Text = beckon.NoticeEntry, word, runlog.Cut(text, textMost)
	return []beckon.Entry{e}
}

func update(e beckon.Entry, u Update, b Block) []beckon.Entry {
	switch u.Kind {
	case TextChunk:
		return chunk(e, beckon.TextEntry, b)
	case ThoughtChunk:
		return chunk(e, beckon.ThinkingEntry, b)
	case UserChunk:
		return chunk(e, beckon.UserEntry, b)
	case ToolCallUpdate, ToolUpdate:
		return tool(e, u.Kind == ToolCallUpdate, u.ToolCall)
	case PlanUpdate:
		e.Kind, e.Text = beckon.TextEntry, planText(u.Entries)
		return []beckon.Entry{e}
	case NoticeUpdate:
		return notice(e, "notification", strings.TrimSpace(u.Title+"\n"+u.Description))
	}
	switch {
	case u.Meta.Codex.Error != nil:
		return notice(e, "api_error", u.Meta.Codex.Error.Message)
	case quiet[u.Kind]:
		return nil
	default:
		return notice(e, "unknown", cmp.Or(u.Kind, "update without a kind"))
	}
}

// chunk shows a piece of a message.
func chunk(e beckon.Entry, kind beckon.EntryKind, b Block) []beckon.Entry {
	e.Kind = kind
	switch {
	case b.Type == "text":
		e.Text = runlog.Cut(b.Text, textMost)
	case picture(b):
		e.Pictures = []beckon.Picture{{Pos: e.Pos, Type: b.MIMEType, Size: len(b.Data) / 4 * 3}}
	default:
		e.Text = "[" + strings.TrimSpace(b.Type+" "+cmp.Or(b.URI, b.MIMEType)) + "]"
	}
	if strings.TrimSpace(e.Text) == "" && e.Pictures == nil {
		return nil
	}
	return []beckon.Entry{e}
}

func picture(b Block) bool {
	return b.Type == "image" && b.Data != "" && slices.Contains(agent.PictureTypes, b.MIMEType)
}

// planText is a plan as a list of tasks.
func planText(steps []PlanEntry) string {
	var text strings.Builder
	for _, s := range steps {
		mark := " "
		if s.Status == "completed" {
			mark = "x"
		}
		text.WriteString("- [" + mark + "] " + runlog.OneLine(s.Content, targetMost) + "\n")
	}
	return runlog.Cut(text.String(), textMost)
}

// tool shows a call, what it is called with, which may come behind it, and its result once
// there is one.
func tool(e beckon.Entry, begins bool, c ToolCall) []beckon.Entry {
	if c.ID == "" || !begins && !c.Done() && c.Input == nil {
		return nil
	}
	diff := diffOf(c)
	e.ID, e.Kind = c.ID, beckon.ToolEntry
	e.Tool = &beckon.ToolCall{
		UseID: c.ID, Name: cmp.Or(c.Name, c.ToolKind, "tool"), Verb: c.Verb(), Target: c.Target(),
		Input: runlog.Cut(strings.ToValidUTF8(string(c.Input), "\uFFFD"), inputMost),
		Diff:  diff.String(), Added: diff.Added, Removed: diff.Removed,
		Orphan: !begins && c.Done(), Done: c.Done(), Failed: c.Failed(),
	}
	if c.Done() {
		text, left := runlog.Split(c.Text())
		e.Tool.Result = runlog.Cut(text, resultMost)
		e.Tool.Cut = len(text) - len(e.Tool.Result) + left.Bytes
	}
	return []beckon.Entry{e}
}

// diffOf is the change that a call makes in files.
func diffOf(c ToolCall) *linediff.Diff {
	d := linediff.New(diffMost)
	for _, content := range c.Content {
		if content.Type == "diff" {
			d.Change(content.OldText, content.NewText)
		}
	}
	return d
}

// Diff is the change that a call makes, as a unified diff.
func (c ToolCall) Diff() string { return diffOf(c).String() }

// Result is the end of a turn.
type Result struct {
	StopReason string `json:"stopReason"`
	Usage      struct {
		TotalTokens int64 `json:"totalTokens"`
	} `json:"usage"`
	Meta struct {
		Quota struct {
			Count struct {
				Input  int64 `json:"input_tokens"`
				Output int64 `json:"output_tokens"`
			} `json:"token_count"`
		} `json:"quota"` // Gemini CLI's
	} `json:"_meta"`
}

// Tokens are those that the agent names at the end of a turn. Of what they are depends on its
// kind.
func (r Result) Tokens() int64 {
	return cmp.Or(r.Usage.TotalTokens, r.Meta.Quota.Count.Input+r.Meta.Quota.Count.Output)
}

// The reasons for which a turn stops. There is no word for a failure.
const (
	EndTurn   = "end_turn"
	Cancelled = "cancelled"
)

// End returns how a turn ended that a response ends.
func (m Message) End() (r Result, ends bool) {
	if m.MessageOf() == "" {
		return r, false
	}
	Decode(m.Result, &r)
	return r, true
}

// ended shows the end of a turn; the answers of other requests show nothing.
func ended(e beckon.Entry, m Message) []beckon.Entry {
	r, ends := m.End()
	if !ends {
		return nil
	}
	e.Kind = beckon.TurnEntry
	e.Turn = &beckon.TurnEnd{Interrupted: r.StopReason == Cancelled, Tokens: r.Tokens()}
	switch {
	case m.Error != nil:
		e.Turn.Failed, e.Turn.Reason = true, runlog.Cut(m.Error.Words(), resultMost)
	case r.StopReason != EndTurn && r.StopReason != Cancelled:
		e.Turn.Failed, e.Turn.Reason = true, r.StopReason
	}
	return []beckon.Entry{e}
}

// Piece implements agent.Reader.
func (Reader) Piece(line agent.Line) (agent.Piece, bool) {
	read := lineOf(line)
	if !read.Partial() || !read.Update.chunk() {
		return agent.Piece{}, false
	}
	return agent.Piece{Text: read.Block.Text, Thinking: read.Update.Kind == ThoughtChunk}, true
}

// MayEndTurn implements agent.Reader.
func (Reader) MayEndTurn(head []byte) bool {
	return !bytes.Contains(head, []byte(`"method":"`+SessionUpdate+`"`))
}

// EndsTurn implements agent.Reader. What a turn cost these agents do not say.
func (Reader) EndsTurn(line []byte) (costUSD float64, ends bool) {
	var m Message
	if decode(line, &m) != nil {
		return 0, false
	}
	_, ends = m.End()
	return 0, ends
}

// MayHaveResults implements agent.Reader.
func (Reader) MayHaveResults(line []byte) bool {
	return bytes.Contains(line[:min(len(line), 400)], []byte(ToolUpdate))
}

// Pictures implements agent.Reader.
func (Reader) Pictures(line []byte) []agent.Block {
	var m struct {
		Params struct {
			Update Update `json:"update"`
		} `json:"params"`
	}
	Decode(line, &m)
	if b := m.Params.Update.block(); picture(b) {
		return []agent.Block{{MediaType: b.MIMEType, Data: b.Data}}
	}
	return nil
}
