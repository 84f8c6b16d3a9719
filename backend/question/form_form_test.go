package question

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/timeout"
)

// fields returns a form whose properties are given.
func fields(t *testing.T, properties string) answerForm {
	t.Helper()
	f, err := parseForm(`{"type":"object","properties":{` + properties + `},"required":[]}`)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestEachFieldIsHeldToWhatItAsks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ schema, fits, fails, why string }{
		{`{"type":"string","minLength":3}`, `"äöü"`, `"äö"`, "x: at least 3 characters are needed"},
		{`{"type":"string","maxLength":3}`, `"äöü"`, `"abcd"`, "x: at most 3 characters are allowed"},
		{`{"type":"string","pattern":"^[a-z]+$"}`, `"abc"`, `"abc1"`, "x: abc1 does not match the pattern ^[a-z]+$"},
		{`{"type":"string","format":"email"}`, `"ada@example.com"`, `"ada"`, `x: "ada" is not of the format email`},
		{`{"type":"string","format":"uri"}`, `"https://example.com/a?b"`, `"example.com"`, `x: "example.com" is not of the format uri`},
		{`{"type":"string","format":"date"}`, `"2026-02-28"`, `"2026-02-30"`, `x: "2026-02-30" is not of the format date`},
		{`{"type":"string","format":"date-time"}`, `"2026-02-28T10:00:00.000Z"`, `"2026-02-28 10:00"`, `x: "2026-02-28 10:00" is not of the format date-time`},
		{`{"type":"string","format":"colour"}`, `"red"`, `1`, "x: 1 is no string"},
		{`{"type":"number","minimum":0.5}`, `0.5`, `0.4`, "x: 0.4 is less than 0.5"},
		{`{"type":"integer","maximum":10}`, `10`, `11`, "x: 11 is more than 10"},
		{`{"type":"integer"}`, `3`, `3.5`, "x: 3.5 is no integer"},
		{`{"type":"integer","exclusiveMinimum":3}`, `4`, `3`, "x: 3 is not more than 3"},
		{`{"type":"integer","multipleOf":5}`, `10`, `11`, "x: multipleOf (11/1 is not a multiple of 5"},
		{`{"type":"boolean"}`, `false`, `"no"`, "x: no is no boolean"},
		{`{"type":"string","enum":["a","b"]}`, `"b"`, `"c"`, "x: c is not offered"},
		{`{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}`, `"b"`, `"B"`, "x: B is not offered"},
		{`{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","enum":["a","b","c"]}}`, `["a","c"]`, `["a","b","c"]`, "x: at most 2 may be chosen"},
		{`{"type":"array","minItems":1,"items":{"type":"string"}}`, `["a"]`, `[]`, "x: at least 1 must be chosen"},
		{`{"type":"array","items":{"enum":["a","b"]}}`, `["a"]`, `["z"]`, "x: [z] is not offered"},
		{`{"type":"array","items":{"type":"string","format":"email"}}`, `["a@b"]`, `["a@b","c"]`, `x: "c" is not of the format email`},
		{`{"type":["string","null"]}`, `null`, `1`, "x: 1 is no string or null or "},
	} {
		f := fields(t, `"x":`+c.schema)
		if err := f.Check(`{"x":` + c.fits + `}`); err != nil {
			t.Errorf("%s: %s does not fit: %v", c.schema, c.fits, err)
		}
		err := f.Check(`{"x":` + c.fails + `}`)
		if !errors.Is(err, beckon.ErrInvalid) || !strings.HasPrefix(err.Error(), strings.TrimSuffix(c.why, " or ")) {
			t.Errorf("%s: %s: %v; want %s", c.schema, c.fails, err, c.why)
		}
	}
}

func TestAFormThatRefersToOthersIsRefused(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{
		`{"$ref":"#"}`,
		`{"properties":{"x":{"$ref":"#/properties/x"}}}`,
		`{"properties":{"x":{"$ref":"https://127.0.0.1:1/schema.json"}}}`,
		`{"properties":{"x":{"$ref":"file:///etc/passwd"}}}`,
		`{"properties":{"x":{"anyOf":[{"items":{"$dynamicRef":"#a"}}]}}}`,
		`{"properties":{"x":{"$recursiveRef":"#"}}}`,
	} {
		if _, err := parseForm(schema); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%s: %v", schema, err)
		}
	}
}

// TestAHostileFormCostsNoMoreThanAMoment: each is dear, endless or a crash for a
// checker that takes it at its word.
func TestAHostileFormCostsNoMoreThanAMoment(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", maxBytes-100)
	list := "[" + strings.Repeat(`"a",`, maxFormItems-1) + `"a"]`
	for name, c := range map[string]struct{ schema, value string }{
		"a pattern that backtracks":    {`{"type":"string","pattern":"^(a+)+$"}`, `"` + long + `!"`},
		"a pattern that grows":         {`{"type":"string","pattern":"` + strings.Repeat("(.{0,1000})", 90) + `"}`, `"` + long + `"`},
		"a pattern of many bytes":      {`{"type":"string","pattern":"` + strings.Repeat("a?", 20_000) + `"}`, `"` + long + `"`},
		"a pattern that Go cannot run": {`{"type":"string","pattern":"(?=a)(b)\\1"}`, `"` + long + `"`},
		"a schema within a schema":     {strings.Repeat(`{"not":`, 4000) + `{}` + strings.Repeat(`}`, 4000), `"a"`},
		"many options of many":         {`{"type":"array","items":{"oneOf":[` + strings.Repeat(`{"const":1},`, maxObjects-10) + `{"const":"a"}]}}`, list},
		"options without end":          {`{"oneOf":[` + strings.Repeat(`{"const":1},`, 4*maxObjects) + `{"const":"a"}]}`, `"a"`},
		"a huge number":                {`{"type":"number","multipleOf":1e-300}`, `1e300`},
		"a null":                       {`null`, `1`},
	} {
		began := time.Now()
		f, err := parseForm(`{"properties":{"x":` + c.schema + `}}`)
		if err == nil {
			err = f.Check(`{"x":` + c.value + `}`)
		}
		if took := time.Since(began); took > timeout.For(20*time.Second) || err != nil && len(err.Error()) > 1000 {
			t.Errorf("%s: took %s, %.200v", name, took, err)
		}
	}
	if err := fields(t, `"x":{"type":"array"}`).Check(`{"x":[` + strings.Repeat("1,", maxFormItems) + `1]}`); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a list without end fits: %v", err)
	}
	if _, err := parseForm(fmt.Sprintf(`{"title":%q}`, strings.Repeat("x", maxBytes))); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a huge form is taken: %v", err)
	}
}

func FuzzForm(f *testing.F) {
	f.Add(`{"properties":{"x":{"type":"string","minLength":2}},"required":["x"]}`, `{"x":"a"}`)
	f.Add(`{"properties":{"x":{"type":"array","items":{"enum":["a"]}}}}`, `{"x":["b"]}`)
	f.Fuzz(func(t *testing.T, schema, content string) {
		form, err := parseForm(schema)
		if err == nil {
			err = form.Check(content)
		}
		if err != nil && !errors.Is(err, beckon.ErrInvalid) {
			t.Error(err)
		}
	})
}
