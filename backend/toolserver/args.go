package toolserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"beckon/backend/beckon"
)

// How much one call may ask; the schema in ask.json says the same.
const (
	maxQuestions = 4
	minOptions   = 2
	maxOptions   = 4
	// maxDescription is the size, in bytes, of what explains an option.
	maxDescription = 2 << 10
)

// askArgs is what ask_user is called with: questions in AskUserQuestion's
// shape, or one plain question.
type askArgs struct {
	Questions   []askItem   `json:"questions"`
	Question    string      `json:"question"`
	Header      string      `json:"header"`
	Options     []askOption `json:"options"`
	MultiSelect bool        `json:"multiSelect"`
}

type askItem struct {
	Question    string      `json:"question"`
	Header      string      `json:"header"`
	Options     []askOption `json:"options"`
	MultiSelect bool        `json:"multiSelect"`
}

// askOption reads a bare string as a label, for models mix the two forms.
type askOption struct {
	Label       string
	Description string
	ID          string
	Preview     string
}

func (o *askOption) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte(`"`)) {
		return json.Unmarshal(data, &o.Label)
	}
	var object struct{ Label, Description, ID, Preview string }
	if err := json.Unmarshal(data, &object); err != nil {
		return err
	}
	*o = object
	return nil
}

// items returns the questions, or an error that tells the model what to send
// instead.
func (a askArgs) items() ([]beckon.QuestionItem, error) {
	plain := strings.TrimSpace(a.Question) != ""
	switch {
	case plain && len(a.Questions) > 0:
		return nil, errors.New("send `question` or `questions`, not both")
	case plain:
		a.Questions = []askItem{{a.Question, a.Header, a.Options, a.MultiSelect}}
	case len(a.Questions) == 0:
		return nil, errors.New("nothing is asked: send `question` with the text, or 1 to 4 `questions`")
	case len(a.Questions) > maxQuestions:
		return nil, fmt.Errorf("%d questions are too many at once: send the %d that matter first, and the others after the answer", len(a.Questions), maxQuestions)
	}
	items := make([]beckon.QuestionItem, 0, len(a.Questions))
	for n, q := range a.Questions {
		item, err := q.item()
		if err != nil {
			return nil, fmt.Errorf("question %d: %w", n+1, err)
		}
		items = append(items, item)
	}
	return items, nil
}

func (q askItem) item() (beckon.QuestionItem, error) {
	item := beckon.QuestionItem{Header: q.Header, Text: q.Question, Multiple: q.MultiSelect, Options: []beckon.Option{}}
	if strings.TrimSpace(q.Question) == "" {
		return item, errors.New("`question` is empty: write what must be decided")
	}
	if len(q.Question) > beckon.MaxQuestionText {
		return item, fmt.Errorf("`question` has %d bytes, and %d are the most: ask shorter, and put details into files", len(q.Question), beckon.MaxQuestionText)
	}
	if n := len(q.Options); n != 0 && (n < minOptions || n > maxOptions) {
		return item, fmt.Errorf("it has %d options: send %d to %d, or none for a free-text answer; the user can always write something else", n, minOptions, maxOptions)
	}
	seen := map[string]bool{}
	for _, o := range q.Options {
		label := strings.TrimSpace(o.Label)
		switch {
		case label == "":
			return item, errors.New("an option has no `label`: give each one a few words")
		case len(label) > beckon.MaxOptionLabel:
			return item, fmt.Errorf("the label %.40q… has %d bytes, and %d are the most: shorten it, and explain in `description`", label, len(label), beckon.MaxOptionLabel)
		case seen[label]:
			return item, fmt.Errorf("two options read %q: make them differ", label)
		}
		if err := o.check(); err != nil {
			return item, fmt.Errorf("option %.40q: %w", label, err)
		}
		seen[label] = true
		item.Options = append(item.Options, beckon.Option{ID: o.ID, Label: o.Label, Description: o.Description, Preview: o.Preview})
	}
	return item, nil
}

// check refuses what would be cut: an id has to come back as it was sent.
func (o askOption) check() error {
	switch {
	case len(o.ID) > beckon.MaxOptionLabel:
		return fmt.Errorf("its `id` has %d bytes, and %d are the most", len(o.ID), beckon.MaxOptionLabel)
	case len(o.Description) > maxDescription:
		return fmt.Errorf("its `description` has %d bytes, and %d are the most: say what choosing it means, and put details into `preview`", len(o.Description), maxDescription)
	case len(o.Preview) > beckon.MaxQuestionText:
		return fmt.Errorf("its `preview` has %d bytes, and %d are the most: put it into a file and name that", len(o.Preview), beckon.MaxQuestionText)
	}
	return nil
}
