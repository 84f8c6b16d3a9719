package driver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"beckon/backend/agent/acp"
	"beckon/backend/beckon"
)

// form is a request to fill one in. Its fields are those of a question, none where it is
// shown as the form that it is.
type form struct{ fields []field }

// field is a choice of a form.
type field struct {
	name     string
	note     string // the field for other words, empty where there is none
	multiple bool
	values   []string // of the options, in their order
	item     beckon.QuestionItem
}

// property is a field as the schema has it.
type property struct {
	Type        string   `json:"type"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Enum        []string `json:"enum"`
	OneOf       []choice `json:"oneOf"`
	Items       *struct {
		Enum  []string `json:"enum"`
		AnyOf []choice `json:"anyOf"`
	} `json:"items"`
}

// choice is a value with its name.
type choice struct {
	Const       string `json:"const"`
	Title       string `json:"title"`
	Description string `json:"description"`
}

// itemsMost is how many items a question has.
const itemsMost = 4

// choices reads a form whose fields are all choices, each with at most one field for other
// words behind it: what agents ask that way. Any other form is none.
func choices(message string, schema json.RawMessage) ([]field, bool) {
	names, properties, ok := inOrder(schema)
	if !ok {
		return nil, false
	}
	var fields []field
	for i, name := range names {
		p := properties[i]
		if f, ok := p.choice(name); ok {
			fields = append(fields, f)
			continue
		}
		// The names of such fields differ: they are known by where they stand.
		last := len(fields) - 1
		if p.Type != "string" || last < 0 || fields[last].note != "" {
			return nil, false
		}
		fields[last].note = name
	}
	if len(fields) == 0 || len(fields) > itemsMost {
		return nil, false
	}
	for i := range fields {
		if fields[i].item.Text == "" || len(fields) == 1 && properties[0].Title == "" {
			fields[i].item.Text = cmp.Or(message, fields[i].name)
		}
	}
	return fields, true
}

// inOrder returns the properties of a schema as they stand in it.
func inOrder(schema json.RawMessage) (names []string, list []property, ok bool) {
	var s struct {
		Properties json.RawMessage `json:"properties"`
	}
	acp.Decode(schema, &s)
	in := json.NewDecoder(bytes.NewReader(s.Properties))
	if t, err := in.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, false
	}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return nil, nil, false
		}
		var raw json.RawMessage
		if in.Decode(&raw) != nil {
			return nil, nil, false
		}
		var p property
		acp.Decode(raw, &p)
		names, list = append(names, name.(string)), append(list, p)
	}
	return names, list, true
}

// choice reads a property as a choice.
func (p property) choice(name string) (field, bool) {
	f := field{name: name, multiple: p.Type == "array"}
	f.item = beckon.QuestionItem{Header: p.Description, Text: cmp.Or(p.Title, p.Description), Multiple: f.multiple}
	if f.item.Header == f.item.Text {
		f.item.Header = ""
	}
	values, named := p.Enum, p.OneOf
	if f.multiple && p.Items != nil {
		values, named = p.Items.Enum, p.Items.AnyOf
	}
	for _, v := range values {
		named = append(named, choice{Const: v})
	}
	for _, c := range named {
		if slices.Contains(f.values, c.Const) {
			continue
		}
		f.values = append(f.values, c.Const)
		f.item.Options = append(f.item.Options, beckon.Option{ID: c.Const, Label: cmp.Or(c.Title, c.Const), Description: c.Description})
	}
	return f, len(f.values) > 0 && (p.Type == "string" || p.Type == "array")
}

// answer is what a form is filled in with.
func (f form) answer(q beckon.Question) map[string]any {
	a := q.Answer
	if q.Settlement != beckon.Answered || a == nil || a.Verdict == beckon.Skip {
		return formCancelled
	}
	if a.Verdict == beckon.Deny {
		return map[string]any{"action": "decline"}
	}
	content := map[string]any{}
	if f.fields == nil {
		acp.Decode(json.RawMessage(a.Content), &content)
	}
	for i, field := range f.fields {
		if i < len(a.Items) {
			field.fill(content, a.Items[i])
		}
	}
	return map[string]any{"action": "accept", "content": content}
}

// fill puts the answer to an item into a form's content. Words of the person's own go where
// the form has room for them, or stand for the choice.
func (f field) fill(content map[string]any, a beckon.ItemAnswer) {
	chosen := []string{}
	for _, label := range a.Labels {
		if i := slices.IndexFunc(f.item.Options, func(o beckon.Option) bool { return o.Label == label }); i >= 0 {
			chosen = append(chosen, f.values[i])
		}
	}
	words := cmp.Or(a.Other, a.Note)
	if words != "" && f.note != "" {
		content[f.note] = words
	} else if a.Other != "" {
		chosen = append(chosen, a.Other)
	}
	switch {
	case f.multiple:
		content[f.name] = chosen
	case len(chosen) > 0:
		content[f.name] = chosen[0]
	}
}
