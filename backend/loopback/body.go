package loopback

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"beckon/backend/beckon"
)

const (
	// MaxDepth is how deep lists and objects may stand in one another.
	MaxDepth = 64
	// bodyTimeout is for the whole body where Options says nothing else: a megabyte from
	// the same machine.
	bodyTimeout = 10 * time.Second
)

var (
	tooLong = &refusal{http.StatusRequestEntityTooLarge, "invalid", "the request is too long"}
	// endedEarly is the network's doing, and counted as nobody's attempt.
	endedEarly = &refusal{http.StatusBadRequest, "invalid", "the request's body ended early"}
)

// Body reads a request's whole body before next sees the request: 413 when it
// is too long, 408 when it dribbles, 400 when its JSON is nested too deep. It
// belongs inside Middleware, and behind the check of the caller, so that a stranger
// cannot make the server keep bodies.
func Body(next http.Handler, o Options) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody || r.ContentLength == 0 {
			next.ServeHTTP(w, r)
			return
		}
		body, no := read(w, r, o)
		if no != nil {
			o.refuse(w, no)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.ContentLength = int64(len(body))
		next.ServeHTTP(w, r)
	})
}

func read(w http.ResponseWriter, r *http.Request, o Options) ([]byte, *refusal) {
	conn := http.NewResponseController(w)
	_ = conn.SetReadDeadline(time.Now().Add(o.bodyIn())) // a recorder in a test has none
	stay := context.AfterFunc(leaving(r), func() { _ = conn.SetReadDeadline(time.Now()) })
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, o.maxBody()))
	if stay() {
		_ = conn.SetReadDeadline(time.Time{})
	}
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		return nil, tooLong
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, &refusal{http.StatusRequestTimeout, "invalid", "the request's body did not arrive in time"}
	case err != nil:
		return nil, endedEarly
	}
	if err := CheckDepth(body); err != nil {
		return nil, &refusal{http.StatusBadRequest, "invalid", err.Error()}
	}
	return body, nil
}

// CheckDepth returns ErrInvalid for JSON whose lists and objects are nested
// deeper than MaxDepth. Whether it is JSON at all is for the decoder to say.
func CheckDepth(text []byte) error {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			if depth++; depth > MaxDepth {
				return fmt.Errorf("JSON nested deeper than %d: %w", MaxDepth, beckon.ErrInvalid)
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return nil
}
