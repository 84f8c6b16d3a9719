package lenient_test

import (
	"encoding/json"
	"strings"
	"testing"

	"beckon/backend/agent/lenient"
)

// A text reads as the string that it is, and what was read before stays as it was.
func TestATextIsTheStringThatItIs(t *testing.T) {
	t.Parallel()
	long := strings.Repeat(`a line with a \"word\" in it\n`, 1000)
	for _, text := range []string{
		`""`, `"plain"`, `"ä 文 \u00e4 \ud83d\ude00"`, `"\ud83d alone"`, `"\"\\\/\b\f\n\r\t"`, "\"\xff\xfe\"", "\"\xff\\n\"",
		`"` + long + `"`, `"` + strings.Repeat(long, 40) + `"`, `null`,
	} {
		line := []byte(`{"one":` + text + `,"two":"after\n","uuid":"u"}`)
		var want struct{ One, Two, UUID string }
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatal(err)
		}
		var got struct {
			One  lenient.Text `json:"one"`
			Two  lenient.Text `json:"two"`
			UUID string       `json:"uuid"`
		}
		if err := lenient.Unmarshal(line, &got); err != nil || string(got.One) != want.One ||
			got.Two != "after\n" || got.UUID != "u" {
			t.Errorf("%.60s: %.60q, %q, %q, %v", text, got.One, got.Two, got.UUID, err)
		}
	}
}

// What was not expected is left out, and what was read before it is not there twice.
func TestWhatDoesNotFitIsLeftOut(t *testing.T) {
	t.Parallel()
	var got struct {
		Before []string     `json:"before"`
		Text   lenient.Text `json:"text"`
		Number int          `json:"number"`
		After  string       `json:"after"`
	}
	err := lenient.Unmarshal([]byte(`{"before":["a"],"text":{"not":"a text"},"number":"many","after":"b"}`), &got)
	if err != nil || len(got.Before) != 1 || got.Text != "" || got.Number != 0 || got.After != "b" {
		t.Errorf("%+v, %v", got, err)
	}
	for _, broken := range []string{``, `{`, `{"after":"b"`, `{"after":"b"}}`, `[]`, `"text"`} {
		if err := lenient.Unmarshal([]byte(broken), &got); err == nil {
			t.Errorf("%q is read as %+v", broken, got)
		}
	}
}
