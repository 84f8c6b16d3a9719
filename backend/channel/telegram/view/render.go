package view

import (
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/channel/telegram/api"
)

// How much of a message its parts may be, in units.
const (
	maxHead        = 160
	maxOptions     = 1800 // all that are listed
	maxDescription = 400  // of one
	maxSoFar       = 120  // of an answer given already
	maxCommand     = 2000
	maxPath        = 300
	maxDiff        = 2400
	maxInput       = 1000
	maxPlan        = 3500
	maxFoot        = 300
	maxOneLine     = 200 // of what a settled question was answered
)

// How many lines blocks of code may have.
const (
	commandLines = 40
	diffLines    = 25
	inputLines   = 20
)

// maxButtons is how many options get a button, and maxLabel how many characters
// that says.
const (
	maxButtons = 30
	maxLabel   = 40
)

// View is a question as one chat is to see it.
type View struct {
	Question beckon.Question
	Progress Progress
	// Task is its key and title, such as "KES-12 Fix the login", and Project
	// what that belongs to; empty for a session that is none of Beckon's.
	Task, Project string
	// Agent is the kind of its agent; empty for Claude Code.
	Agent string
	// Plans and Diffs say that the text of plans and diffs may leave this
	// computer.
	Plans, Diffs bool
	// Link leads to the question on a page that the person can reach; empty for
	// none.
	Link string
	// By names who answered, where that was no rule and no terminal.
	By   string
	Zone *time.Location

	Words Words
	// ID, Chat and Key sign the buttons.
	ID   string
	Chat int64
	Key  Key
}

// Button is one below a message.
type Button struct {
	Text string `json:"text"`
	Data string `json:"callback_data,omitempty"`
	URL  string `json:"url,omitempty"`
}

// Keyboard is what is below a message. The library's own writes an empty
// copy_text into every button.
type Keyboard struct {
	Rows [][]Button `json:"inline_keyboard"`
}

// Message is a question as it is sent, or an older one is edited to.
type Message struct {
	api.Text
	Keyboard Keyboard
}

// Render returns the message of v's question as it stands.
func Render(v View) Message {
	if !Takes(v.Question, v.Progress) {
		return settled(v)
	}
	v.Progress.Answers = padded(v.Progress.Answers, len(v.Question.Items))
	foot := v.foot()
	b := api.NewText(api.Max - api.Units(foot) - 2)
	v.head(b)
	var rows [][]Button
	switch v.Question.Kind {
	case beckon.Ask:
		rows = v.ask(b)
	case beckon.Permission:
		rows = v.permission(b)
	case beckon.Plan:
		rows = v.plan(b)
	case beckon.Elicitation:
		rows = v.form(b)
	}
	return Message{v.under(b, foot), Keyboard{v.common(rows)}}
}

// under sets the foot below what was composed.
func (v View) under(b *api.Builder, foot string) api.Text {
	whole := api.NewText(api.Max)
	whole.Append(b.Text())
	whole.Say("\n\n")
	whole.Italic(foot, maxFoot)
	return whole.Text()
}

// common adds the buttons that every open question has.
func (v View) common(rows [][]Button) [][]Button {
	if q := v.Question; q.Settlement == beckon.Open && q.Deadline != 0 && v.Progress.Pending == "" {
		rows = append(rows, []Button{v.button(v.Words.Hold, Hold, 0)})
	}
	if v.Link != "" {
		rows = append(rows, []Button{{Text: v.Words.Open, URL: v.Link}})
	}
	return rows
}

func (v View) button(label string, verb Verb, option int) Button {
	item := min(v.Progress.Item, maxItem)
	return Button{Text: label, Data: v.Key.Data(v.Chat, Callback{verb, v.ID, item, option})}
}

// head says whose question it is.
func (v View) head(b *api.Builder) {
	b.Bold(api.Line(v.Task), maxHead)
	from := []string{}
	for _, s := range []string{v.Project, v.Question.Origin} {
		if s != "" {
			from = append(from, api.Line(s))
		}
	}
	if v.Agent != "" {
		from = append(from, api.Line(beckon.AgentSays(v.Agent)))
	}
	if v.Question.Agent != "" {
		from = append(from, say(v.Words.SubAgent, api.Line(v.Question.Agent)))
	}
	if len(from) > 0 {
		b.Say("\n")
		b.Plain(strings.Join(from, " · "), maxHead)
	}
	b.Say("\n\n")
}

// foot says how long the agent waits.
func (v View) foot() string {
	q, lines := v.Question, []string{}
	switch {
	case q.Settlement == beckon.Orphaned:
		lines = append(lines, v.Words.Orphaned)
	case q.HeldMs > 0:
		lines = append(lines, v.Words.Held)
	case q.Deadline > 0 && q.Settlement == beckon.Open:
		lines = append(lines, say(v.Words.Until, v.clock(q.Deadline)))
	}
	return strings.Join(append(lines, v.Words.WhileItRuns), " ")
}

// clock is a time of day where the computer is.
func (v View) clock(ms int64) string {
	zone := v.Zone
	if zone == nil {
		zone = time.Local
	}
	return time.UnixMilli(ms).In(zone).Format("15:04")
}

func (v View) more(lines int) string { return say(v.Words.More, lines) }

// permission shows what an agent wants to do, and the second time asks for that
// alone. What would be allowed always is shown whole, or not offered.
func (v View) permission(b *api.Builder) [][]Button {
	w, always := v.Words, v.always()
	if v.Progress.Pending != "" {
		b.Bold(w.ReallyRun, maxHead)
	} else {
		b.Bold(say(w.Wants, v.Question.Permission.Tool), maxHead)
	}
	b.Say("\n")
	what := api.NewText(b.Room() - api.Units(always.Plain) - 1)
	v.wanted(what)
	b.Append(what.Text())
	if v.Progress.Pending != "" {
		return [][]Button{{v.button(w.GoBack, Not, 0)}, {v.button(w.Really, Really, 0)}}
	}
	rows := [][]Button{{v.button(w.Allow, Allow, 0), v.button(w.Deny, Deny, 0)}}
	if always.Plain != "" {
		b.Say("\n")
		b.Append(always)
		rows = append(rows, []Button{v.button(w.AlwaysHere, AllowAlways, 0)})
	}
	if v.Diffs && diffCut(v.Question.Permission.Diff) {
		rows = append(rows, []Button{v.button(w.WholeDiff, File, 0)})
	}
	return rows
}

// always says what would be allowed always; it is empty where that is too long.
func (v View) always() api.Text {
	b, line := api.NewText(maxHead+maxPath), api.Line(v.Question.Permission.Always)
	if line == "" || !alwaysShown(v.Question.Permission) {
		return b.Text()
	}
	b.Plain(v.Words.AlwaysMeans, maxHead)
	b.Code(line, maxPath)
	return b.Text()
}

// alwaysShown reports whether a message has room for all that "always" covers.
func alwaysShown(p *beckon.PermissionRequest) bool {
	return p.Always != "" && api.Units(p.Always) <= maxPath
}

// wanted shows what a permission is about.
func (v View) wanted(b *api.Builder) {
	p := v.Question.Permission
	if p.Description != "" {
		b.Prose(p.Description, maxDescription, v.more)
		b.Say("\n")
	}
	if p.Command != "" {
		shown, cut := commandShown(p.Command)
		b.Pre("bash", shown, maxCommand, commandLines)
		if cut {
			v.leftOut(b, strings.Count(strings.TrimRight(p.Command, "\n"), "\n")-strings.Count(shown, "\n"))
			b.Bold(v.Words.CutOff, maxHead)
		}
		b.Say("\n")
	}
	if p.Path != "" {
		b.Code(api.Line(p.Path), maxPath)
		b.Say("\n")
	}
	if p.Diff != "" {
		v.diff(b)
	}
	if p.Command == "" && p.Path == "" && p.Diff == "" && p.Input != "" {
		left := b.Pre("json", p.Input, maxInput, inputLines)
		v.leftOut(b, left)
	}
}

// commandShown returns as much of a command as is shown, and whether that is
// not all.
func commandShown(command string) (shown string, cut bool) {
	whole := strings.TrimRight(api.Visible(command), "\n")
	shown, left := api.Lines(whole, maxCommand, commandLines)
	return shown, left > 0 || shown != whole
}

func (v View) leftOut(b *api.Builder, lines int) {
	b.Say("\n")
	if lines > 0 {
		b.Say(v.more(lines) + "\n")
	}
}

// diff shows what an edit would change, or how much where code may not leave.
func (v View) diff(b *api.Builder) {
	diff := v.Question.Permission.Diff
	if !v.Diffs {
		added, removed := countLines(diff)
		b.Say(say(v.Words.DiffStays, added, removed))
		b.Say("\n")
		return
	}
	v.leftOut(b, b.Pre("diff", diff, maxDiff, diffLines))
}

// diffCut reports whether a message has no room for a diff.
func diffCut(diff string) bool {
	shown, left := api.Lines(diff, maxDiff, diffLines)
	return left > 0 || shown != strings.TrimRight(diff, "\n")
}

func countLines(diff string) (added, removed int) {
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
		case strings.HasPrefix(line, "+"):
			added++
		case strings.HasPrefix(line, "-"):
			removed++
		}
	}
	return added, removed
}

func (v View) plan(b *api.Builder) [][]Button {
	w, plan := v.Words, v.Question.Plan
	b.Bold(w.PlanToApprove, maxHead)
	b.Say("\n\n")
	if v.Plans {
		b.Prose(plan, maxPlan, v.more)
	} else {
		b.Say(say(w.PlanStays, 1+strings.Count(strings.TrimRight(plan, "\n"), "\n")))
	}
	return [][]Button{{v.button(w.Approve, Approve, 0)}, {v.button(w.AcceptEdits, AcceptEdits, 0)}, {v.button(w.Change, Change, 0)}}
}

// form shows an elicitation. One that has fields is filled in at the desk.
func (v View) form(b *api.Builder) [][]Button {
	w := v.Words
	b.Prose(v.Question.Message, b.Room()-maxHead, v.more)
	if v.Question.Form == "" {
		return [][]Button{{v.button(w.Allow, Allow, 0), v.button(w.Deny, Deny, 0)}}
	}
	b.Say("\n\n")
	b.Say(w.NeedsForm)
	return [][]Button{{v.button(w.Deny, Deny, 0)}}
}

// ReplyPrompt is the message that asks for words, to be answered by a reply.
func ReplyPrompt(v View) api.Text {
	b := api.NewText(api.Max)
	words, about := v.Words.WriteAnswer, v.Task
	if v.Question.Kind == beckon.Plan {
		words = v.Words.WriteChange
	} else if at := v.Progress.WantsItem; at < len(v.Question.Items) {
		about = v.Question.Items[at].Text
	}
	b.Bold(words, maxHead)
	b.Say("\n")
	b.Plain(v.Words.WriteFor+api.Line(about), maxDescription)
	return b.Text()
}
