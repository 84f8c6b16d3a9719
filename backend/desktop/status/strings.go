package status

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"beckon/backend/language"
)

// code is a language's, such as "de".
type code string

// messages are what is shown outside the window in one language. The files are
// among the page's messages, where all languages are held to the same keys.
type messages struct {
	Language  code   `json:"-"`
	Questions plural `json:"-"`
	NeedYou   plural `json:"-"`
	Working   plural `json:"-"`
	Files     plural `json:"-"`
	Others    plural `json:"-"`

	More         string `json:"more"`
	Open         string `json:"open"`
	Answer       string `json:"answer"`
	NewTask      string `json:"newTask"`
	PauseAll     string `json:"holdAll"`
	OpenBeckon   string `json:"openBeckon"`
	Quit         string `json:"quit"`
	AnAgent      string `json:"anAgent"`
	Asks         string `json:"asks"`
	WantsTool    string `json:"wantsTool"`
	WantsCommand string `json:"wantsCommand"`
	HasPlan      string `json:"hasPlan"`
	HasForm      string `json:"hasForm"`
	SSHAsks      string `json:"sshAsks"`
	SSHKey       string `json:"sshKey"`
	SSHSecret    string `json:"sshSecret"`
	SSHPassword  string `json:"sshPassword"`
	SSHOther     string `json:"sshOther"`
	Allow        string `json:"allow"`
	Plan         string `json:"plan"`
	CarriesOn    string `json:"carriesOn"`
	Parks        string `json:"parks"`
	Denies       string `json:"denies"`
	Soon         string `json:"soon"`
	StillWaits   string `json:"stillWaits"`
	QuietOver    string `json:"quietOver"`
	Ready        string `json:"ready"`
	NoFiles      string `json:"noFiles"`
	Stopped      string `json:"stopped"`
	Kept         string `json:"kept"`
	Quiet        string `json:"quiet"`
	GoesOn       string `json:"goesOn"`
	Today        string `json:"today"`
	BudgetNear   string `json:"budgetNear"`
	SpentOf      string `json:"spentOf"`
}

// counted is a message that counts.
type plural struct{ One, Other string }

// say fills the holes of the form that fits n, {n} among them.
func (c plural) fill(n int, holes ...string) string {
	form := c.Other
	if n == 1 {
		form = c.One
	}
	return fill(form, append(holes, "n", strconv.Itoa(n))...)
}

// say fills the holes of a message: name, text, name, text.
func fill(message string, holes ...string) string {
	for i := 0; i < len(holes); i += 2 {
		holes[i] = "{" + holes[i] + "}"
	}
	return strings.NewReplacer(holes...).Replace(message)
}

// readMessages reads those of every language.
func readMessages(files fs.FS) (map[string]messages, error) {
	texts, err := language.Read(files, "status")
	all := map[string]messages{}
	for l, text := range texts {
		m, err := parseMessages(text)
		if err != nil {
			return nil, fmt.Errorf("understand the messages of %s: %w", l, err)
		}
		m.Language = code(l)
		all[l] = m
	}
	return all, err
}

func parseMessages(data []byte) (messages, error) {
	var m messages
	table := map[string]string{}
	if err := json.Unmarshal(data, &table); err != nil {
		return m, err
	}
	for base, c := range map[string]*plural{"questions": &m.Questions, "needYou": &m.NeedYou, "working": &m.Working, "files": &m.Files, "others": &m.Others} {
		*c = plural{table[base+"_one"], table[base+"_other"]}
	}
	return m, json.Unmarshal(data, &m)
}
