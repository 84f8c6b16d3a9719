package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	classifier "github.com/google/licenseclassifier/v2"
	"github.com/google/licenseclassifier/v2/assets"
)

const publicDomain = "public domain"

// taken are the licences that a part of Beckon may be under: they let everybody who has
// Beckon pass it on, changed or not, under its own.
var taken = []string{"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MPL-2.0", "OFL-1.1", "Unlicense", publicDomain}

// read are texts that a person has read, since no licence is found in them, by their sums:
// one that is changed is to be read again.
var read = map[string][]string{
	"8438c9c89b849131ead81d5435cb97fcf052df5b0b286dda8a2d4c29e6cb3fd0": {publicDomain}, // SQLite
	"5ae5bee3072a841376451b48d8cfcec7188e10543926d5870828d36c8a750dc5": {},             // the address of a picture of modernc.org/memory's README
}

// judge finds the licences of all texts, and fails with all that has none or that may not
// be in Beckon.
func judge(parts []part) error {
	c, err := assets.DefaultClassifier()
	if err != nil {
		return err
	}
	var wrong []error
	for _, p := range parts {
		for i, t := range p.texts {
			found, known := find(c, t.content)
			p.texts[i].licenses = found
			if len(found) == 0 && !known && !notice(t.file) {
				wrong = append(wrong, fmt.Errorf("%s %s: no licence is known in %s", p.name, p.version, t.file))
			}
			for _, id := range found {
				if !slices.Contains(taken, id) {
					wrong = append(wrong, fmt.Errorf("%s %s: %s is %s, which Beckon does not take", p.name, p.version, t.file, id))
				}
			}
		}
		if len(p.licenses()) == 0 {
			wrong = append(wrong, fmt.Errorf("%s %s: it has no licence", p.name, p.version))
		}
	}
	return errors.Join(wrong...)
}

// notice reports whether a file is passed on without being a licence.
func notice(file string) bool { return strings.HasPrefix(strings.ToLower(file), "notice") }

// find are the licences that are in a text, and whether a person has read it.
func find(c *classifier.Classifier, content string) (ids []string, known bool) {
	sum := sha256.Sum256([]byte(content))
	if ids, known = read[hex.EncodeToString(sum[:])]; known {
		return ids, true
	}
	for _, m := range c.Match([]byte(content)).Matches {
		if m.MatchType == "License" || m.MatchType == "Header" {
			ids = append(ids, m.Name)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), false
}

// notices are all texts, each once, below the names of the parts that have it.
func notices(parts []part) []byte {
	var order []string
	by := map[string][]string{}
	for _, p := range parts {
		for _, t := range p.texts {
			content := strings.TrimSpace(strings.ReplaceAll(t.content, "\r\n", "\n"))
			if by[content] == nil {
				order = append(order, content)
			}
			if name := strings.TrimSpace(p.name + " " + p.version); !slices.Contains(by[content], name) {
				by[content] = append(by[content], name)
			}
		}
	}
	var b bytes.Buffer
	b.WriteString("Beckon has in it what others made, and gave to be used under the terms that follow.\n")
	for _, content := range order {
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(by[content], "\n"), content)
	}
	return b.Bytes()
}
