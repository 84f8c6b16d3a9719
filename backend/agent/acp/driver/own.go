package driver

import (
	"slices"
	"strings"
	"unicode"

	"beckon/backend/beckon"
	"beckon/backend/nearby"

	"github.com/mattn/go-shellwords"
)

// own returns the kinds that the user added.
func (d *Driver) own() (all []Kind) {
	if d.Own == nil {
		return nil
	}
	for _, a := range d.Own() {
		words, err := shellwords.Parse(a.Command)
		if err != nil || len(words) == 0 {
			continue // an older version may have kept it
		}
		all = append(all, Kind{
			Name: a.Name, Label: a.Label, Sign: sign(a.Label), Program: nearby.AtHome(words[0]), Args: words[1:], Passed: a.Variables,
			Asks: beckon.AsksTool, Resumes: true, Cost: beckon.CostsTokens, Own: true,
		})
	}
	return all
}

// kindNamed returns the kind of a name.
func (d *Driver) kindNamed(name string) (Kind, bool) {
	if k, known := named(kinds, name); known {
		return k, true
	}
	return named(d.own(), name)
}

// named returns that of the kinds which has a name.
func named(kinds []Kind, name string) (Kind, bool) {
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return kinds[i], true
}

// sign returns two letters of a name, "Ag" where it has none.
func sign(label string) string {
	letters := []rune(strings.Join(strings.FieldsFunc(label, func(r rune) bool { return !unicode.IsLetter(r) }), ""))
	if len(letters) < 2 {
		return "Ag"
	}
	return strings.ToUpper(string(letters[:1])) + strings.ToLower(string(letters[1:2]))
}
