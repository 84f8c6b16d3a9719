package sessionfile

import (
	"encoding/json"
	"strings"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/lenient"
	"beckon/backend/plain"
)

// wordsMost is how much of a failed call's error is kept, in bytes.
const wordsMost = 4 << 10

// Outcome is how a call of a tool ended.
type Outcome int

// The outcomes.
const (
	// Done: the tool ran, also where it then failed.
	Done Outcome = iota
	// Answered: a person answered its questions.
	Answered
	// Refused: a person said no, in the dialog or by interrupting the turn.
	Refused
	// Stopped: the turn was interrupted.
	Stopped
)

// Result is what came of a call.
type Result struct {
	CallID  string
	Outcome Outcome
	Answers []Answer // of Answered, in the order of the questions
	Words   string   // of Refused: what the person said with it; of Done: the error, cut
}

// Answer is what a person answered to one question.
type Answer struct {
	Question string
	Answer   string
}

// How the CLI begins the result of a call that was refused, to a session and to a
// sub-agent, and what comes before the person's own words.
const (
	refusal      = "The user doesn't want to proceed with this tool use."
	agentRefusal = "Permission for this tool use was denied."
	said         = "the user said:\n"
)

func resultOf(b claude.Block, structured json.RawMessage) Result {
	r := Result{CallID: b.ToolUseID}
	text := b.Content.Text()
	switch {
	case b.IsError && (strings.HasPrefix(text, refusal) || strings.HasPrefix(text, agentRefusal)):
		r.Outcome = Refused
		if _, words, ok := strings.Cut(text, said); ok {
			r.Words = words
		}
	case b.IsError && strings.HasPrefix(text, interruption):
		r.Outcome = Stopped
	default:
		if b.IsError {
			r.Words = plain.Cut(text, wordsMost)
		}
		r.Answers = answersIn(structured)
		if len(r.Answers) > 0 {
			r.Outcome = Answered
		}
	}
	return r
}

// answersIn reads the structured result of AskUserQuestion. That of another tool
// has no answers.
func answersIn(structured json.RawMessage) []Answer {
	var in struct {
		Questions []struct {
			Question string `json:"question"`
		} `json:"questions"`
		Answers map[string]string `json:"answers"`
	}
	if len(structured) == 0 || structured[0] != '{' || lenient.Unmarshal(structured, &in) != nil {
		return nil
	}
	var answers []Answer
	for _, q := range in.Questions {
		if a, ok := in.Answers[q.Question]; ok {
			answers = append(answers, Answer{Question: q.Question, Answer: a})
		}
	}
	return answers
}
