package outside

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// words is what is said outside the window in one language. The files are of
// the page's messages, where all languages are held to the same keys.
type words struct {
	Questions counted `json:"-"`
	NeedYou   counted `json:"-"`
	Working   counted `json:"-"`
	Files     counted `json:"-"`

	More         string `json:"more"`
	Open         string `json:"open"`
	Answer       string `json:"answer"`
	NewTask      string `json:"newTask"`
	HoldAll      string `json:"holdAll"`
	OpenBeckon   string `json:"openBeckon"`
	Quit         string `json:"quit"`
	AnAgent      string `json:"anAgent"`
	Asks         string `json:"asks"`
	WantsTool    string `json:"wantsTool"`
	WantsCommand string `json:"wantsCommand"`
	HasPlan      string `json:"hasPlan"`
	HasForm      string `json:"hasForm"`
	Allow        string `json:"allow"`
	Plan         string `json:"plan"`
	CarriesOn    string `json:"carriesOn"`
	Parks        string `json:"parks"`
	Denies       string `json:"denies"`
	Soon         string `json:"soon"`
	Ready        string `json:"ready"`
	NoFiles      string `json:"noFiles"`
	Stopped      string `json:"stopped"`
	Kept         string `json:"kept"`
}

// counted is a message that counts.
type counted struct{ One, Other string }

// say fills the holes of the form that fits n, {n} among them.
func (c counted) say(n int, holes ...string) string {
	form := c.Other
	if n == 1 {
		form = c.One
	}
	return say(form, append(holes, "n", strconv.Itoa(n))...)
}

// say fills the holes of a message: name, text, name, text.
func say(message string, holes ...string) string {
	for i := 0; i < len(holes); i += 2 {
		holes[i] = "{" + holes[i] + "}"
	}
	return strings.NewReplacer(holes...).Replace(message)
}

// languages are those that there are words in; the first is the last resort.
var languages = []string{"en", "de"}

// readWords reads the words of every language from messages.
func readWords(messages fs.FS) (map[string]words, error) {
	all := map[string]words{}
	for _, language := range languages {
		data, err := fs.ReadFile(messages, language+"/outside.json")
		if err != nil {
			return nil, fmt.Errorf("read the words of %s: %w", language, err)
		}
		w, err := parseWords(data)
		if err != nil {
			return nil, fmt.Errorf("understand the words of %s: %w", language, err)
		}
		all[language] = w
	}
	return all, nil
}

func parseWords(data []byte) (words, error) {
	var w words
	table := map[string]string{}
	if err := json.Unmarshal(data, &table); err != nil {
		return w, err
	}
	for base, c := range map[string]*counted{"questions": &w.Questions, "needYou": &w.NeedYou, "working": &w.Working, "files": &w.Files} {
		*c = counted{table[base+"_one"], table[base+"_other"]}
	}
	return w, json.Unmarshal(data, &w)
}

// languageOf chooses by the user's wish, which may be none, then by the
// system's word for its language, such as de_AT.UTF-8.
func languageOf(wish, system string) string {
	if wish == "" {
		wish = strings.ToLower(system)
	}
	for _, l := range languages {
		if strings.HasPrefix(wish, l) {
			return l
		}
	}
	return languages[0]
}
