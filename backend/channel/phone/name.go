package phone

import (
	"cmp"
	"strconv"

	"beckon/backend/beckon"
	"beckon/backend/plain"
)

// noName is what a phone is called that says nothing.
const noName = "Phone"

// freeName is the name that a person gave a phone, with a number where another phone has
// it already.
func freeName(given string, taken map[string]bool) string {
	given = cmp.Or(plain.Line(given, beckon.MaxDeviceName-len(" 99")), noName)
	name := given
	for n := 2; taken[name]; n++ {
		name = given + " " + strconv.Itoa(n)
	}
	return name
}

// languageOf is one of the languages that Beckon says, English for all others.
func languageOf(tag string) string {
	if len(tag) >= 2 && (tag[:2] == "de" || tag[:2] == "DE") {
		return "de"
	}
	return "en"
}
