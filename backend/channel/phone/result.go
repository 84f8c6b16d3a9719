package phone

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
)

// result is what a phone is replied.
type result struct {
	status int
	body   any // nil: none
}

// failure is the body of what went wrong.
type failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

var (
	nothing      = result{status: http.StatusNoContent}
	unauthorized = refused(http.StatusUnauthorized, "unauthorized", "This phone is not paired.")
	tooMany      = refused(http.StatusTooManyRequests, "busy", "Too many requests. Wait a moment.")
	mayNot       = refused(http.StatusForbidden, string(problem.Rights), "This phone may not do that.")
)

func found(body any) result { return result{http.StatusOK, body} }

func refused(status int, code, message string) result {
	return result{status, failure{code, message}}
}

// statuses are those of the codes of errors; all others are 500.
var statuses = map[string]int{
	"not_found": http.StatusNotFound, "conflict": http.StatusConflict, "invalid": http.StatusBadRequest, "untrusted": http.StatusConflict,
	"unavailable": http.StatusServiceUnavailable, "unmerged": http.StatusConflict, "disk_full": http.StatusInsufficientStorage,
}

// failed says what went wrong. What Beckon itself got wrong is for its log: it may say
// what is no business of a phone.
func failed(err error) result {
	code := beckon.Code(err)
	status, known := statuses[code]
	if !known {
		slog.Error("a phone's request failed", "err", err)
		return refused(http.StatusInternalServerError, code, "Beckon met an error of its own; its log has it.")
	}
	if kind, _ := problem.From(err); kind != "" {
		code = string(kind)
	}
	return refused(status, code, err.Error())
}

// done is what is replied to what has no result of its own.
func done(err error) result {
	if err != nil {
		return failed(err)
	}
	return nothing
}

// reply sends a result, and counts it where it refuses the phone rather than what it
// asks for.
func (s *Server) reply(w http.ResponseWriter, r result) {
	switch r.status {
	case http.StatusTooManyRequests:
		w.Header().Set("Retry-After", "1")
		s.Refused()
	case http.StatusUnauthorized, http.StatusForbidden:
		s.Refused()
	}
	if r.body == nil {
		w.WriteHeader(r.status)
		return
	}
	text, err := json.Marshal(r.body)
	if err != nil {
		text, err = json.Marshal(failed(errors.Join(errors.New("a reply cannot be written"), err)).body)
		r.status = http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(r.status)
	if err == nil {
		_, _ = w.Write(text) // the peer may be gone
	}
}
