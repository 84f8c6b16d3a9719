package beckon_test

import (
	"encoding/json"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/reason"
)

// TestWhyIsATextForThoseWhoKnowNoCodes: programs read these fields of /rpc, /events and
// exports, and have read them as texts since before there were codes.
func TestWhyIsATextForThoseWhoKnowNoCodes(t *testing.T) {
	t.Parallel()
	why := reason.Said("The disk is full.")
	for field, values := range map[string][2]any{
		"reason":  {beckon.Run{Reason: why}, beckon.Run{}},
		"trouble": {beckon.Task{Trouble: why}, beckon.Task{}},
		"refusal": {beckon.ReviewDiff{Refusal: why}, beckon.ReviewDiff{}},
		"problem": {executing.Health{Problem: why}, executing.Health{}},
	} {
		expect(t, field, why, values)
	}
	expect(t, "reason", why, [2]any{beckon.Question{Reason: why}, beckon.Question{}})
	expect(t, "reason", why, [2]any{beckon.ScriptRun{Reason: why}, beckon.ScriptRun{}})
}

// expect compares a field of two values with why and with none.
func expect(t *testing.T, field string, why *reason.Reason, values [2]any) {
	t.Helper()
	for i, want := range []*reason.Reason{why, nil} {
		text, err := json.Marshal(values[i])
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]json.RawMessage
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		var words string
		if err := json.Unmarshal(got[field], &words); err != nil || words != want.String() {
			t.Errorf("%T: %s is %s, %v; want %q", values[i], field, got[field], err, want)
		}
		var code *reason.Reason
		if got["why"] != nil && json.Unmarshal(got["why"], &code) != nil || !code.Equal(want) {
			t.Errorf("%T: why is %s, want %+v", values[i], got["why"], want)
		}
	}
}
