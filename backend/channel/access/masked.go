package access

import (
	"bytes"
	"encoding/json"
	"strings"

	"beckon/backend/beckon"
)

// This file hides what looks like a secret in a question, in all that people read
// of it away from the desk.

// MaskedQuestion is q with mask applied to all that is read of it. The names and values of a
// form stay, for they are what is sent back, and what filled one is left out.
func MaskedQuestion(q beckon.Question, mask func(string) string) beckon.Question {
	items := make([]beckon.QuestionItem, 0, len(q.Items))
	for _, i := range q.Items {
		items = append(items, item(i, mask))
	}
	q.Items, q.Plan, q.Message, q.Form = items, mask(q.Plan), mask(q.Message), form(q.Form, mask)
	q.Agent, q.Origin, q.Reason, q.Assumption = mask(q.Agent), mask(q.Origin), q.Reason.Map(mask), mask(q.Assumption)
	if q.Permission != nil {
		p := *q.Permission
		p.Description, p.Reason, p.Command, p.Path, p.Always = mask(p.Description), mask(p.Reason), mask(p.Command), mask(p.Path), mask(p.Always)
		p.Diff, p.Input, p.Lasting = mask(p.Diff), mask(p.Input), texts(p.Lasting, mask)
		q.Permission = &p
	}
	if q.Answer != nil {
		a := answered(*q.Answer, mask)
		q.Answer = &a
	}
	var earlier []beckon.Answer
	for _, a := range q.Earlier {
		earlier = append(earlier, answered(a, mask))
	}
	q.Earlier = earlier
	return q
}

func answered(a beckon.Answer, mask func(string) string) beckon.Answer {
	a.Items, a.Text, a.Plan, a.Content = MaskedAnswers(a.Items, mask), mask(a.Text), mask(a.Plan), ""
	return a
}

func item(i beckon.QuestionItem, mask func(string) string) beckon.QuestionItem {
	options := make([]beckon.Option, 0, len(i.Options))
	for _, o := range i.Options {
		options = append(options, beckon.Option{ID: o.ID, Label: mask(o.Label), Description: mask(o.Description), Preview: mask(o.Preview)})
	}
	return beckon.QuestionItem{Header: mask(i.Header), Text: mask(i.Text), Options: options, Multiple: i.Multiple}
}

// MaskedAnswers are the answers to items with mask applied.
func MaskedAnswers(all []beckon.ItemAnswer, mask func(string) string) []beckon.ItemAnswer {
	items := make([]beckon.ItemAnswer, 0, len(all))
	for _, i := range all {
		items = append(items, beckon.ItemAnswer{Labels: texts(i.Labels, mask), Other: mask(i.Other), Note: mask(i.Note)})
	}
	return items
}

func texts(all []string, mask func(string) string) []string {
	hidden := make([]string, 0, len(all))
	for _, text := range all {
		hidden = append(hidden, mask(text))
	}
	return hidden
}

// form masks what a form says of its fields, and keeps the order that it shows them in.
func form(schema string, mask func(string) string) string {
	var out bytes.Buffer
	in := json.NewDecoder(strings.NewReader(schema))
	in.UseNumber()
	// Valid also bounds how deep it goes.
	if !json.Valid([]byte(schema)) || value(in, &out, "", mask) != nil {
		return mask(schema)
	}
	return out.String()
}

// value copies the next value of in to out, which has that name in its object.
func value(in *json.Decoder, out *bytes.Buffer, name string, mask func(string) string) error {
	token, err := in.Token()
	if err != nil {
		return err
	}
	opens, is := token.(json.Delim)
	if !is {
		if text, is := token.(string); is && (name == "title" || name == "description") {
			token = mask(text)
		}
		return writeToken(out, token)
	}
	out.WriteString(opens.String())
	for first := true; in.More(); first = false {
		if !first {
			out.WriteByte(',')
		}
		name := ""
		if opens == '{' {
			key, err := in.Token()
			if err != nil {
				return err
			}
			name = key.(string)
			if err := writeToken(out, name); err != nil {
				return err
			}
			out.WriteByte(':')
		}
		if err := value(in, out, name, mask); err != nil {
			return err
		}
	}
	closes, err := in.Token()
	if err == nil {
		out.WriteString(closes.(json.Delim).String())
	}
	return err
}

func writeToken(out *bytes.Buffer, token json.Token) error {
	text, err := json.Marshal(token)
	out.Write(text)
	return err
}
