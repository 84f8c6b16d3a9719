// Package lenient decodes JSON that others write and may change: what fits is taken, and
// what does not is left out. It reads as encoding/json does, in one pass and, of a text,
// with one copy. It knows no message and no field.
package lenient

import (
	"errors"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// onePass reads as encoding/json does, but ends at the first field of a type that was
// not expected; to tell of all of them, every value is checked before it is read, and so
// is each that is within it.
var onePass = jsonv2.JoinOptions(jsonv1.DefaultOptionsV1(), jsonv1.ReportErrorsWithLegacySemantics(false))

// Unmarshal decodes what it can: a field of a type that was not expected is
// left zero, and no reason to lose the line. into points to a zero value.
// It reads as encoding/json does, in one pass where that takes two.
func Unmarshal(raw []byte, into any) error {
	if jsonv2.Unmarshal(raw, into, onePass) == nil {
		return nil
	}
	reflect.ValueOf(into).Elem().SetZero() // of what was read until then
	err := jsonv1.Unmarshal(raw, into)
	var misfit *jsonv1.UnmarshalTypeError
	if errors.As(err, &misfit) && misfit.Field != "" {
		return nil
	}
	return err
}
