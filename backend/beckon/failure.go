package beckon

import (
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
)

// Failure is an error as the page gets it.
type Failure struct {
	Code    string            `json:"code"` // see Code
	Message string            `json:"message"`
	Problem problem.Kind      `json:"problem,omitempty"` // empty: only Code and Message say what it is
	Data    map[string]string `json:"data,omitempty"`
	// Why fills the hole {why} of the problem's sentence; without a problem it says what Message says.
	Why *reason.Reason `json:"why,omitempty"`
}

// FailureOf describes err, which is not nil, for the page.
func FailureOf(err error) Failure {
	kind, data := problem.From(err)
	return Failure{Code: Code(err), Message: err.Error(), Problem: kind, Data: data, Why: reason.Within(err)}
}
