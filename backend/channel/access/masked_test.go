package access

import (
	"strings"
	"testing"

	"beckon/backend/beckon"
)

func TestAFormKeepsItsOrderAndItsNames(t *testing.T) {
	hide := func(text string) string { return strings.ReplaceAll(text, "secret", "***") }
	for form, want := range map[string]string{
		`{"type":"object","properties":{"zone":{"title":"secret zone","enum":["secret","b"]},"age":{"description":"a secret","maximum":12345678901234567890}},"required":["zone"]}`: `{"type":"object","properties":{"zone":{"title":"*** zone","enum":["secret","b"]},"age":{"description":"a ***","maximum":12345678901234567890}},"required":["zone"]}`,
		`{"properties":{"title":{"title":"secret","type":"string"}},"a":[true,null,{},[]]}`:                                                                                         `{"properties":{"title":{"title":"***","type":"string"}},"a":[true,null,{},[]]}`,
		``:                             ``,
		`{"title":"secret"`:            `{"title":"***"`,
		strings.Repeat("[", 1_000_000): strings.Repeat("[", 1_000_000),
	} {
		if got := MaskedQuestion(beckon.Question{Form: form}, hide).Form; got != want {
			t.Errorf("%.200s\nbecame %.200s\nwant   %.200s", form, got, want)
		}
	}
}

// TestWhatWasSaidBeforeAChangeIsMaskedToo: it stands beside the newest answer.
func TestWhatWasSaidBeforeAChangeIsMaskedToo(t *testing.T) {
	q := beckon.Question{Answer: &beckon.Answer{}, Earlier: []beckon.Answer{{Items: []beckon.ItemAnswer{{Other: "secret"}}, Text: "a secret", Content: `{"a":"secret"}`}}}
	got := MaskedQuestion(q, func(text string) string { return strings.ReplaceAll(text, "secret", "***") }).Earlier
	if len(got) != 1 || got[0].Items[0].Other != "***" || got[0].Text != "a ***" || got[0].Content != "" || q.Earlier[0].Text != "a secret" {
		t.Errorf("%+v", got)
	}
}
