package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"runtime/debug"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/loopback"
)

// method is one call of the API.
type method struct {
	fn    reflect.Value
	value bool // the first result is a value
	fails bool // the last result is an error
}

// statuses are the HTTP statuses of beckon.Code's words.
var statuses = map[string]int{
	"not_found": http.StatusNotFound, "conflict": http.StatusConflict, "invalid": http.StatusBadRequest,
	"untrusted": http.StatusForbidden, "unavailable": http.StatusServiceUnavailable, "unmerged": http.StatusConflict,
	"disk_full": http.StatusInsufficientStorage, "internal": http.StatusInternalServerError,
}

// methodsOf looks at functions that can be called. They return a value and an
// error, one of the two, or nothing.
func methodsOf(functions map[string]any) map[string]method {
	list := map[string]method{}
	for name, function := range functions {
		m := method{fn: reflect.ValueOf(function)}
		t := m.fn.Type()
		results := t.NumOut()
		m.fails = results > 0 && t.Out(results-1) == reflect.TypeFor[error]()
		m.value = results == 2 || results == 1 && !m.fails
		if t.IsVariadic() || results > 2 || results == 2 && !m.fails {
			panic(fmt.Sprintf("web: %s cannot be called from the page: %v", name, t))
		}
		list[name] = m
	}
	return list
}

func onlyPost(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Allow", http.MethodPost)
	loopback.WriteError(w, http.StatusMethodNotAllowed, "invalid", "calls are made with POST /rpc/<Method>")
}

func (s *Server) rpc(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	begun := false
	err := s.call(r.PathValue("method"), r.Body, func(piece []byte, _ bool) error {
		begun = true
		_, err := w.Write(piece)
		return err
	})
	switch {
	case err == nil:
	case begun: // what was sent cannot be taken back, and must not pass for the whole
		panic(http.ErrAbortHandler)
	default:
		failure := beckon.FailureOf(err)
		body, _ := json.Marshal(failure)
		w.WriteHeader(statuses[failure.Code])
		_, _ = w.Write(body) // the page may be gone
	}
}

// call runs a method and sends its result as JSON, null where it has none.
func (s *Server) call(name string, body io.Reader, send func(piece []byte, last bool) error) (err error) {
	m, ok := s.methods[name]
	if !ok {
		return fmt.Errorf("method %q: %w", name, beckon.ErrNotFound)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	args, err := m.decode(text)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("a call panicked", "method", name, "panic", p, "stack", string(debug.Stack()))
			err = problem.FromPanic(p)
		}
	}()
	value, err := m.run(args)
	if err != nil {
		return err
	}
	return s.encode(value, send)
}

// decode makes the arguments of a JSON array, exactly as many as there must be
// and without fields that are not known.
func (m method) decode(text []byte) ([]reflect.Value, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, fmt.Errorf("the arguments are not a JSON array: %w: %w", err, beckon.ErrInvalid)
	}
	t := m.fn.Type()
	if len(raw) != t.NumIn() {
		return nil, fmt.Errorf("%d arguments, want %d: %w", len(raw), t.NumIn(), beckon.ErrInvalid)
	}
	args := make([]reflect.Value, len(raw))
	for i, arg := range raw {
		value := reflect.New(t.In(i))
		if err := decodeStrictly(arg, value); err != nil {
			return nil, fmt.Errorf("argument %d: %w: %w", i+1, err, beckon.ErrInvalid)
		}
		args[i] = value.Elem()
	}
	return args, nil
}

func decodeStrictly(text []byte, into reflect.Value) error {
	if kind := into.Elem().Kind(); string(text) == "null" && kind != reflect.Pointer && kind != reflect.Slice && kind != reflect.Map {
		return fmt.Errorf("null is no %s", into.Elem().Type())
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(into.Interface())
}

func (m method) run(args []reflect.Value) (any, error) {
	out := m.fn.Call(args)
	if m.fails {
		if err, _ := out[len(out)-1].Interface().(error); err != nil {
			return nil, err
		}
	}
	if !m.value {
		return nil, nil
	}
	return out[0].Interface(), nil
}
