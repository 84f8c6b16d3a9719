package check

import "strings"

// KeyFor proposes a key for a project's name: its first three letters, in
// capitals, and "PRJ" where it has none.
func KeyFor(name string) string {
	var key strings.Builder
	for _, r := range strings.ToUpper(name) {
		if r >= 'A' && r <= 'Z' {
			key.WriteRune(r)
		}
		if key.Len() == 3 {
			return key.String()
		}
	}
	if key.Len() < 2 {
		return "PRJ"
	}
	return key.String()
}

// ValidKey reports whether key may name a project.
func ValidKey(key string) bool {
	if len(key) < 2 || len(key) > 5 || key[0] < 'A' || key[0] > 'Z' {
		return false
	}
	for _, r := range key {
		if (r < 'A' || r > 'Z') && (r < '0' || r > '9') {
			return false
		}
	}
	return true
}
