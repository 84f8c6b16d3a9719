package question

import (
	"errors"
	"testing"

	"beckon/backend/beckon"
)

const sample = `{"type":"object","properties":{
	"name":{"type":"string"},"size":{"type":"integer"},"ratio":{"type":"number"},"sure":{"type":"boolean"},
	"colour":{"type":"string","enum":["red","blue"]}},"required":["name","colour"]}`

func TestAFormIsFilledInAsItAsks(t *testing.T) {
	t.Parallel()
	q := beckon.Question{Kind: beckon.Elicitation, Message: "Who?", Form: sample}
	must(t, checkQuestion(q))
	for content, ok := range map[string]bool{
		`{"name":"Ada","colour":"red"}`:                                   true,
		`{"name":"Ada","colour":"red","size":3,"ratio":0.5,"sure":false}`: true,
		`{"name":"Ada","colour":"green"}`:                                 false,
		`{"name":"","colour":"red"}`:                                      false,
		`{"name":"Ada"}`:                                                  false,
		`{"name":"Ada","colour":"red","size":1.5}`:                        false,
		`{"name":"Ada","colour":"red","size":"3"}`:                        false,
		`{"name":"Ada","colour":"red","sure":"yes"}`:                      false,
		`{"name":["Ada"],"colour":"red"}`:                                 false,
		`{"name":"Ada","colour":"red","__proto__":{"allowed":true}}`:      false,
		`[]`:                              false,
		``:                                false,
		`{"name":"Ada","colour":["red"]}`: false,
	} {
		err := Fits(q, beckon.Answer{Verdict: beckon.AllowOnce, Content: content})
		if ok != (err == nil) || !ok && !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%s: %v", content, err)
		}
	}
	for _, v := range []beckon.Verdict{beckon.Deny, beckon.Skip} {
		must(t, Fits(q, beckon.Answer{Verdict: v}))
	}
	if err := Fits(q, beckon.Answer{Verdict: beckon.Deny, Content: "{}"}); err == nil {
		t.Error("a declined form was filled in")
	}
}

func TestAFormThatCanNotBeShownIsRefused(t *testing.T) {
	t.Parallel()
	for _, q := range []beckon.Question{{}, {Message: "x", Form: "{"}, {Message: "x", Form: `"text"`}} {
		q.Kind = beckon.Elicitation
		if err := checkQuestion(q); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}
