package channel

import (
	"encoding/json"
	"fmt"
	"io/fs"

	"beckon/backend/language"
)

// readWords reads what channels say, in every language.
func readWords(files fs.FS) (map[string]map[string]string, error) {
	texts, err := language.Read(files, "channel")
	all := map[string]map[string]string{}
	for l, text := range texts {
		words := map[string]string{}
		if err := json.Unmarshal(text, &words); err != nil {
			return nil, fmt.Errorf("understand what channels say in %s: %w", l, err)
		}
		all[l] = words
	}
	return all, err
}
