// Package language finds the messages that are shown outside the page, in the
// user's language. The files are among the page's, where all languages are held to
// the same keys.
package language

import (
	"fmt"
	"io/fs"
	"strings"
)

// All are those that there are messages in; the first is the last resort.
var All = []string{"en", "de"}

// Read reads an area of the messages in every language, as JSON.
func Read(files fs.FS, area string) (map[string][]byte, error) {
	all := map[string][]byte{}
	for _, language := range All {
		text, err := fs.ReadFile(files, language+"/"+area+".json")
		if err != nil {
			return nil, fmt.Errorf("read the messages of %s: %w", language, err)
		}
		all[language] = text
	}
	return all, nil
}

// Choose chooses by the user's wish, which may be none, then by the system's language.
func Choose(wish string) string { return choose(wish, system()) }

// choose takes the system's word for its language, such as de_AT.UTF-8.
func choose(wish, system string) string {
	if wish == "" {
		wish = strings.ToLower(system)
	}
	for _, l := range All {
		if strings.HasPrefix(wish, l) {
			return l
		}
	}
	return All[0]
}
