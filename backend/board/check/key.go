package check

import (
	"fmt"
	"slices"
	"strings"

	"beckon/backend/beckon"
)

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

// FreeKey returns key, or key with the first number that makes it free.
func FreeKey(key string, taken []beckon.Project) string {
	free := key
	for n := 2; slices.ContainsFunc(taken, func(p beckon.Project) bool { return p.Key == free }); n++ {
		free = fmt.Sprintf("%s%d", key, n)
	}
	return free
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
