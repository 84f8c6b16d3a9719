// Package reason says why something did not go on: by a code with its values, which is
// what is kept and compared, and by a message for each code, which is what a person
// reads in their language. What others say, an agent or a program, stays their words.
package reason

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"beckon/backend/beckon/problem"
	"beckon/frontend/messages"
)

// Code names a message of reasons.json. That of a problem is its kind, whose message is
// in errors.json.
type Code string

// Reason is why something did not go on. It is never changed once it is made; nil is no
// reason.
type Reason struct {
	Code Code `json:"code"` // empty: Said is all there is
	// Args are the values of the message's holes, by their names.
	Args map[string]string `json:"args,omitempty"`
	// Said are words that are not Beckon's.
	Said string `json:"said,omitempty"`
	// Why fills the hole {why} of the message. Where that has none, it is a second reason,
	// on a line of its own.
	Why *Reason `json:"why,omitempty"`
}

// Of returns the reason of a code. values are names, each with its value.
func Of(code Code, values ...string) *Reason {
	r := &Reason{Code: code}
	for i := 0; i+1 < len(values); i += 2 {
		if r.Args == nil {
			r.Args = make(map[string]string, len(values)/2)
		}
		r.Args[values[i]] = values[i+1]
	}
	return r
}

// Said returns words that are not Beckon's as a reason, nil for none.
func Said(words string) *Reason {
	if words = strings.TrimSpace(words); words == "" {
		return nil
	}
	return &Reason{Said: words}
}

// Because returns r with why as what fills its hole {why}, or follows it.
func (r *Reason) Because(why *Reason) *Reason {
	switch {
	case r == nil:
		return why
	case why == nil:
		return r
	}
	with := *r
	with.Why = with.Why.Because(why)
	return &with
}

// Is reports whether r has the code.
func (r *Reason) Is(code Code) bool { return r != nil && r.Code == code }

// Equal reports whether both say the same.
func (r *Reason) Equal(other *Reason) bool { return reflect.DeepEqual(r, other) }

// Names reports whether one of its values is that one.
func (r *Reason) Names(value string) bool {
	return r != nil && (slices.Contains(slices.Collect(maps.Values(r.Args)), value) || r.Why.Names(value))
}

// Map returns r with every value and every word of others replaced by what f makes of it.
func (r *Reason) Map(f func(string) string) *Reason {
	if r == nil {
		return nil
	}
	to := &Reason{Code: r.Code, Args: maps.Clone(r.Args), Said: f(r.Said), Why: r.Why.Map(f)}
	for name, value := range to.Args {
		to.Args[name] = f(value)
	}
	return to
}

// String says it in English.
func (r *Reason) String() string { return r.In("en") }

// In says it in a language, in English where that has no messages.
func (r *Reason) In(language string) string {
	if r == nil {
		return ""
	}
	why := r.Why.In(language)
	if r.Code == "" {
		return strings.TrimSpace(r.Said + "\n" + why)
	}
	values := []string{hole, why}
	for name, value := range r.Args {
		values = append(values, "{"+name+"}", value)
	}
	message := messageOf(language, r.Code)
	text := strings.NewReplacer(values...).Replace(message)
	if strings.Contains(message, hole) {
		return text
	}
	return strings.TrimSpace(text + "\n" + why)
}

// Beside returns an object's JSON with a further field, which says r in English: what
// programs read that know no codes.
func (r *Reason) Beside(object any, field string) ([]byte, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	words, err := json.Marshal(map[string]string{field: r.String()})
	return slices.Concat(text[:len(text)-1], []byte(","), words[1:]), err
}

// hole is where a message has its Why.
const hole = "{why}"

// messageOf returns a code's message; the code itself where there is none.
func messageOf(language string, code Code) string {
	for _, l := range []string{language, "en"} {
		for _, area := range areas {
			if text := texts()[l+"/"+area][string(code)]; text != "" {
				return text
			}
		}
	}
	return string(code)
}

// areas have the messages: those of reasons, and those of problems that are kept.
var areas = []string{"reasons", "errors"}

// texts are the messages, by LANGUAGE/AREA and their names.
var texts = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, area := range areas {
		files, _ := fs.Glob(messages.Files, "*/"+area+".json") // a good pattern
		for _, file := range files {
			into := map[string]string{}
			text, err := messages.Files.ReadFile(file)
			if err == nil {
				err = json.Unmarshal(text, &into)
			}
			if err != nil {
				panic(err) // they are built in, and tests read them
			}
			all[strings.TrimSuffix(file, ".json")] = into
		}
	}
	return all
})

// failure is a reason as an error.
type failure struct {
	why   *Reason
	kinds []error
}

func (f *failure) Error() string   { return f.why.String() }
func (f *failure) Reason() *Reason { return f.why }
func (f *failure) Unwrap() []error { return f.kinds }

// Err returns the reason as an error of these kinds.
func (r *Reason) Err(kinds ...error) error { return &failure{r, kinds} }

// From returns the reason that err wraps, or that of its problem; nil where it has neither.
func From(err error) *Reason {
	r := Within(err)
	kind, values := problem.From(err)
	if kind == "" || r != nil && !strings.Contains(messageOf("en", Code(kind)), hole) {
		return r
	}
	return &Reason{Code: Code(kind), Args: values, Why: r}
}

// Within returns the reason of the first error with a method Reason among what err wraps,
// nil where there is none.
func Within(err error) *Reason {
	var says interface{ Reason() *Reason }
	if errors.As(err, &says) {
		return says.Reason()
	}
	return nil
}
