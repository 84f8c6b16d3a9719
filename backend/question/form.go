package question

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"

	"beckon/backend/beckon"

	"github.com/google/jsonschema-go/jsonschema"
)

// This file holds what fills in the form of an elicitation to the form's
// JSON schema.
//
// A form is what the Model Context Protocol allows there: one object of flat
// fields. Each field is checked for its type, its options, lengths, bounds,
// pattern and format, and an error names the field. The schema comes from an MCP
// server and is hostile: nothing is fetched, nothing recurs, and no check costs
// more than a moment. The package knows no question.

// What a form and its content may have at most.
const (
	maxBytes     = 64 << 10
	maxObjects   = 1000 // in the schema; an option may be one
	maxDepth     = 10   // of the schema; a flat one with options has 7
	maxFormItems = 200  // of a list that fills a field in
	maxPattern   = 1000 // bytes
	maxProgram   = 2000 // instructions of a compiled pattern; each costs a step per character
)

// answerForm is a form that can be filled in. The zero Form asks nothing.
type answerForm struct {
	fields   map[string]field
	required []string
}

type field struct {
	schema   *jsonschema.Schema
	resolved *jsonschema.Resolved
}

// parseForm reads a schema; an empty text asks nothing.
func parseForm(text string) (answerForm, error) {
	var f answerForm
	if text == "" {
		return f, nil
	}
	if len(text) > maxBytes {
		return f, invalidForm("the form is larger than %d KB", maxBytes>>10)
	}
	var raw any
	var object jsonschema.Schema
	err := json.Unmarshal([]byte(text), &raw)
	if err == nil {
		err = new(walk).over(raw, 0)
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &object)
	}
	if err != nil {
		return f, invalidForm("the form is no JSON schema that can be checked (%v)", err)
	}
	f.fields, f.required = map[string]field{}, object.Required
	for name, schema := range object.Properties {
		if f.fields[name], err = newField(schema); err != nil {
			return answerForm{}, invalidForm("the field %s of the form cannot be checked (%v)", name, err)
		}
	}
	return f, nil
}

// walk looks through a schema for what a check would not come back from, or not
// soon: references, which may recur, and too much of anything.
type walk struct{ objects int }

func (w *walk) over(value any, depth int) error {
	if w.objects > maxObjects || depth > maxDepth {
		return fmt.Errorf("it has more than %d parts or %d levels", maxObjects, maxDepth)
	}
	switch v := value.(type) {
	case map[string]any:
		w.objects++
		for key, part := range v {
			if slices.Contains([]string{"$ref", "$dynamicRef", "$recursiveRef"}, key) {
				return errors.New("it refers to others, which are not fetched")
			}
			if err := w.over(part, depth+1); err != nil {
				return err
			}
		}
	case []any:
		for _, part := range v {
			if err := w.over(part, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func newField(schema *jsonschema.Schema) (field, error) {
	if schema == nil {
		schema = &jsonschema.Schema{}
	}
	for _, one := range []*jsonschema.Schema{schema, schema.Items} {
		if one != nil && !affordable(one.Pattern) {
			one.Pattern = "" // who asked checks it too
		}
	}
	schema.Schema = ""
	resolved, err := schema.Resolve(nil)
	return field{schema, resolved}, err
}

// affordable reports whether a pattern can be checked, and in a moment. Go knows
// neither lookaround nor back references.
func affordable(pattern string) bool {
	if len(pattern) > maxPattern {
		return false
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return false
	}
	program, err := syntax.Compile(parsed.Simplify())
	return err == nil && len(program.Inst) <= maxProgram
}

// Check refuses content, a JSON object, that does not fill the form in: what is
// required is there, nothing else is, and each value is as its field wants it.
func (f answerForm) Check(text string) error {
	if len(text) > maxBytes {
		return invalidForm("the answer is longer than %d KB", maxBytes>>10)
	}
	content := map[string]any{}
	if text != "" {
		if err := json.Unmarshal([]byte(text), &content); err != nil {
			return invalidForm("the form's content is no JSON object")
		}
	}
	for _, name := range f.required {
		if content[name] == nil || content[name] == "" {
			return invalidForm("%s is not filled in", name)
		}
	}
	for name, value := range content {
		asked, known := f.fields[name]
		if !known {
			return invalidForm("the form does not ask for %s", name)
		}
		if err := asked.check(value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (f field) check(value any) error {
	list, isList := value.([]any)
	if len(list) > maxFormItems {
		return invalidForm("more than %d values", maxFormItems)
	}
	if err := f.resolved.Validate(value); err != nil {
		return invalidForm("%s", f.why(value, err))
	}
	schema := f.schema
	if isList && schema.Items != nil {
		schema = schema.Items
	} else {
		list = []any{value}
	}
	for _, one := range list {
		if text, isText := one.(string); isText && !hasFormat(schema.Format, text) {
			return invalidForm("%.100q is not of the format %s", text, schema.Format)
		}
	}
	return nil
}

// why says in plain words what keeps a value from fitting. The error that
// jsonschema returns begins, below what wraps it, with the keyword.
func (f field) why(value any, err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	keyword, details, _ := strings.Cut(err.Error(), ": ")
	s, shown := f.schema, fmt.Sprintf("%.100s", fmt.Sprint(value))
	if _, isList := value.([]any); isList && s.Items != nil && !strings.HasSuffix(keyword, "Items") {
		s = s.Items
	}
	switch {
	case keyword == "type":
		return shown + " is no " + strings.Join(append(s.Types, s.Type), " or ")
	case slices.Contains([]string{"enum", "const", "oneOf", "anyOf"}, keyword):
		return shown + " is not offered"
	case keyword == "minLength" && s.MinLength != nil:
		return fmt.Sprintf("at least %d characters are needed", *s.MinLength)
	case keyword == "maxLength" && s.MaxLength != nil:
		return fmt.Sprintf("at most %d characters are allowed", *s.MaxLength)
	case keyword == "minItems" && s.MinItems != nil:
		return fmt.Sprintf("at least %d must be chosen", *s.MinItems)
	case keyword == "maxItems" && s.MaxItems != nil:
		return fmt.Sprintf("at most %d may be chosen", *s.MaxItems)
	case keyword == "minimum" && s.Minimum != nil:
		return fmt.Sprintf("%s is less than %v", shown, *s.Minimum)
	case keyword == "maximum" && s.Maximum != nil:
		return fmt.Sprintf("%s is more than %v", shown, *s.Maximum)
	case keyword == "exclusiveMinimum" && s.ExclusiveMinimum != nil:
		return fmt.Sprintf("%s is not more than %v", shown, *s.ExclusiveMinimum)
	case keyword == "exclusiveMaximum" && s.ExclusiveMaximum != nil:
		return fmt.Sprintf("%s is not less than %v", shown, *s.ExclusiveMaximum)
	case keyword == "pattern":
		return fmt.Sprintf("%s does not match the pattern %s", shown, s.Pattern)
	default:
		return fmt.Sprintf("%s (%.200s)", keyword, details)
	}
}

func invalidForm(format string, args ...any) error {
	return fmt.Errorf(format+": %w", append(args, beckon.ErrInvalid)...)
}
