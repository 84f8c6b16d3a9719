package beckon

import (
	"slices"

	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/spending"
)

// QuestionKind tells what an agent waits on.
type QuestionKind string

// The kinds of questions.
const (
	Ask         QuestionKind = "ask"
	Permission  QuestionKind = "permission"
	Plan        QuestionKind = "plan"
	Elicitation QuestionKind = "elicitation"
)

// QuestionKinds lists every kind.
var QuestionKinds = []QuestionKind{Ask, Permission, Plan, Elicitation}

// Settlement is the state of a question. It is open until settled.
type Settlement string

// The settlements. Answered, expired and withdrawn are final, whatever
// becomes of the answer.
const (
	Open      Settlement = "open"
	Answered  Settlement = "answered"
	Expired   Settlement = "expired"   // nobody answered; the policy decided
	Withdrawn Settlement = "withdrawn" // the agent does not wait any more
	Orphaned  Settlement = "orphaned"  // its run died first; an answer resumes it
)

// Settlements lists every settlement.
var Settlements = []Settlement{Open, Answered, Expired, Withdrawn, Orphaned}

// Question is what an agent waits on.
type Question struct {
	ID     string       `json:"id"`
	TaskID string       `json:"taskId"`
	RunID  string       `json:"runId"`
	Kind   QuestionKind `json:"kind"`
	// ToolUseID joins the question to the transcript's tool call. An agent that names no
	// call has one of Beckon's own here, under which the answer is proved; empty where
	// neither is.
	ToolUseID string `json:"toolUseId"`
	// Agent names the sub-agent that asks; empty for the main one.
	Agent string `json:"agent"`
	// Items has 1 to 4 entries for an ask and none for the other kinds.
	Items      []QuestionItem     `json:"items"`
	Budget     *spending.Asked    `json:"budget,omitempty"` // set where Beckon asks whether to raise it, and no agent
	Permission *PermissionRequest `json:"permission,omitempty"`
	Plan       string             `json:"plan"`    // markdown, of a plan
	Form       string             `json:"form"`    // JSON schema of what an elicitation asks for
	Message    string             `json:"message"` // what it says
	// Origin says who asks from outside Beckon and from where; empty for a
	// task's own agent.
	Origin string `json:"origin"`

	Policy   Policy `json:"policy"`
	Asked    int64  `json:"asked"`
	Deadline int64  `json:"deadline"` // when the policy decides; 0 for never, and while held
	WaitMs   int64  `json:"waitMs"`   // the whole span of the clock; 0 for none
	HeldMs   int64  `json:"heldMs"`   // what was left on the clock when it was held; 0 while it runs

	Settlement Settlement `json:"settlement"`
	Answer     *Answer    `json:"answer,omitempty"`
	// Earlier are the answers that it had before, since changed, the first one first.
	Earlier []Answer `json:"earlier,omitempty"`
	Settled int64    `json:"settled"` // 0 while open
	// Reason is what settled it, where that was no answer; nil: none.
	Reason *reason.Reason `json:"why,omitempty"`
	// Delivered is when the agent was known to have the answer, beyond its own
	// death; 0 until then.
	Delivered int64 `json:"delivered"`
	// Proof is the ID under which the agent's own record of the conversation,
	// or Beckon's log where it keeps none, will show the answer: of the tool call that asked, or of the message that
	// told it. Empty where there is none to come.
	Proof string `json:"-"`
	// Assumption is what the agent says that it assumed when nobody answered.
	Assumption string `json:"assumption"`
	// RuleID names the standing answer that settled it; empty for a person's.
	RuleID string `json:"ruleId"`
}

// MarshalJSON has "reason" beside "why".
func (q Question) MarshalJSON() ([]byte, error) {
	type fields Question
	return q.Reason.Beside(fields(q), "reason")
}

// QuestionItem is one of the questions of an ask.
type QuestionItem struct {
	Header   string   `json:"header"` // a word or two, for the chip
	Text     string   `json:"text"`
	Options  []Option `json:"options"` // none: free text
	Multiple bool     `json:"multiple"`
}

// Option is one suggested answer. "Other" is always offered beside them.
type Option struct {
	ID          string `json:"id"` // the agent's own, where it sent one
	Label       string `json:"label"`
	Description string `json:"description"`
	Preview     string `json:"preview"` // markdown
}

// PermissionRequest is what an agent wants to be allowed.
type PermissionRequest struct {
	Tool        string `json:"tool"`        // Bash, Edit, …
	Description string `json:"description"` // the agent's words
	// Reason is why it is asked for, in the words of a hook that asks for it.
	Reason string `json:"reason,omitempty"`
	// Command, Path and Diff are what it is about, where it is that.
	Command string `json:"command"`
	Path    string `json:"path"`
	Diff    string `json:"diff"`  // unified
	Input   string `json:"input"` // the tool's whole input, JSON
	// Digest names the input as it was asked for, of which Input may show less.
	Digest string `json:"digest,omitempty"`
	// Always says in words what "always allow" would allow, acceptEdits where that is to edit
	// files without asking; empty where it cannot be offered.
	Always string `json:"always"`
	// Lasting are the rules that "always allow" would give the project, in the
	// CLI's words; none where only the session can have them.
	Lasting     []string `json:"lasting"`
	Destructive bool     `json:"destructive"` // it takes a second gesture
}

// Verdict is the answer to a permission or a plan.
type Verdict string

// The verdicts. An answer to an ask has none.
const (
	NoVerdict   Verdict = ""
	AllowOnce   Verdict = "allow"
	AllowAlways Verdict = "allowAlways"
	Deny        Verdict = "deny"
	// Skip declines to answer: an ask returns that the user does not answer,
	// and an elicitation is cancelled.
	Skip Verdict = "skip"
)

// Verdicts lists every verdict that can be given.
var Verdicts = []Verdict{AllowOnce, AllowAlways, Deny, Skip}

// Answer is what the user said.
type Answer struct {
	// Items answers the items of an ask, in their order.
	Items   []ItemAnswer `json:"items"`
	Verdict Verdict      `json:"verdict"`
	// Text is the reason of a denial, or what to change in a plan.
	Text string `json:"text"`
	// Plan is an approved plan as the user edited it; empty where they did not.
	Plan string `json:"plan,omitempty"`
	// Mode is the permission mode to go on in after a plan was approved.
	Mode PermissionMode `json:"mode,omitempty"`
	// Project makes "allow always" hold for the project, not only the session.
	Project bool `json:"project,omitempty"`
	// Content is the JSON object that fills an elicitation's form.
	Content string `json:"content,omitempty"`
	// Standing makes the answer to an ask a rule of the project.
	Standing bool   `json:"standing,omitempty"`
	By       By     `json:"by"`
	ByName   string `json:"byName,omitempty"` // of the phone, or of who wrote in the chat
	At       int64  `json:"at"`
}

// By says from where an answer came.
type By string

// The ways of an answer.
const (
	ByUser         By = "user" // in Beckon's page
	ByTray         By = "tray"
	ByNotification By = "notification"
	ByPhone        By = "phone"
	ByTelegram     By = "telegram"
	ByRule         By = "rule"     // a standing answer
	ByTerminal     By = "terminal" // where the session runs that asked
)

// Bys lists every one.
var Bys = []By{ByUser, ByTray, ByNotification, ByPhone, ByTelegram, ByRule, ByTerminal}

// Person reports whether a person answers so through Beckon.
func (b By) Person() bool { return b != ByRule && b != ByTerminal && slices.Contains(Bys, b) }

// ItemAnswer is the answer to one item: chosen labels, other words, or both.
type ItemAnswer struct {
	Labels []string `json:"labels"`
	Other  string   `json:"other"`
	// Note is what the user remarks on their choice.
	Note string `json:"note,omitempty"`
}

// Draft is what was typed and not sent yet, in whatever form the page gives
// it: as an answer to a question, or as a message to a task's agent.
type Draft struct {
	QuestionID string `json:"questionId"`
	TaskID     string `json:"taskId"`
	Text       string `json:"text"`
}

// Sizes that the texts of questions and answers are held to, in bytes.
const (
	MaxQuestionText = 16 << 10
	MaxOptionLabel  = 200
	MaxAnswerText   = 64 << 10
	MaxDeviceName   = 60
)

// Rule is a standing answer: whenever an agent of the project asks the same
// and offers the same options, it is answered so at once.
type Rule struct {
	ID        string `json:"id"`
	ProjectID string `json:"projectId"`
	// Text is the question as it was asked; it is compared without regard to
	// case, white space and closing punctuation.
	Text    string   `json:"text"`
	Labels  []string `json:"labels"`
	Created int64    `json:"created"`
	Used    int      `json:"used"` // how often it answered
	// Elsewhere has it answer sessions that Beckon did not start, too.
	Elsewhere bool `json:"elsewhere"`
}
