package question

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"

	"beckon/backend/beckon"
)

// maxForm is how large the schema of a form and what fills it may be, in bytes.
const maxForm = 64 << 10

// schema is what is understood of an elicitation's JSON schema: an object of
// plain values, as the protocol has it.
type schema struct {
	Properties map[string]property `json:"properties"`
	Required   []string            `json:"required"`
}

type property struct {
	Type string `json:"type"`
	Enum []any  `json:"enum"`
}

// checkForm refuses an elicitation that could not be shown.
func checkForm(q beckon.Question) error {
	if q.Message == "" && q.Form == "" {
		return invalid("an elicitation must say or ask something")
	}
	if len(q.Form) > maxForm {
		return invalid("the form is larger than %d KB", maxForm>>10)
	}
	_, err := parseForm(q.Form)
	return err
}

func parseForm(form string) (schema, error) {
	var s schema
	if form == "" {
		return s, nil
	}
	if err := json.Unmarshal([]byte(form), &s); err != nil {
		return s, invalid("the form is no JSON schema (%v)", err)
	}
	return s, nil
}

// checkContent holds what fills a form to its schema: what is required is
// there, nothing else is, and each value has its type.
func checkContent(q beckon.Question, a beckon.Answer) error {
	if a.Verdict != beckon.AllowOnce {
		if a.Content != "" {
			return invalid("a form that is not accepted has no content")
		}
		return nil
	}
	if len(a.Content) > maxForm {
		return invalid("the answer is longer than %d KB", maxForm>>10)
	}
	content := map[string]any{}
	if a.Content != "" {
		if err := json.Unmarshal([]byte(a.Content), &content); err != nil {
			return invalid("the form's content is no JSON object")
		}
	}
	form, err := parseForm(q.Form)
	if err != nil {
		return err
	}
	return form.fits(content)
}

func (s schema) fits(content map[string]any) error {
	for _, key := range s.Required {
		if content[key] == nil || content[key] == "" {
			return invalid("%s is not filled in", key)
		}
	}
	for key, value := range content {
		p, known := s.Properties[key]
		if !known {
			return invalid("the form does not ask for %s", key)
		}
		if err := p.fits(value); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

func (p property) fits(value any) error {
	offered := func(one any) bool { return reflect.DeepEqual(one, value) }
	if len(p.Enum) > 0 && !slices.ContainsFunc(p.Enum, offered) {
		return invalid("%v is not offered", value)
	}
	number, isNumber := value.(float64)
	_, isText := value.(string)
	_, isBool := value.(bool)
	ok := map[string]bool{
		"string": isText, "boolean": isBool, "number": isNumber, "integer": isNumber && number == math.Trunc(number), "": true,
	}
	if fits, known := ok[p.Type]; known && !fits {
		return invalid("%v is no %s", value, p.Type)
	}
	return nil
}
