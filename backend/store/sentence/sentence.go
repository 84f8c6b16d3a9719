// Package sentence recognises the English sentences that reasons were kept as, for the
// migration that makes codes of them. It knows the sentences of that time, and no others.
package sentence

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"beckon/backend/beckon/reason"
)

// book has a code and its sentence in each line.
//
//go:embed sentences.txt
var book string

// Rewrite makes reasons of what was kept as sentences, in the rows of tables and
// in what can be taken back.
func Rewrite(ctx context.Context, tx *sql.Tx) error {
	all := read(book)
	for _, column := range [][2]string{
		{"task", "trouble"},
		{"run", "reason"},
		{"question", "reason"},
		{"script_run", "reason"},
	} {
		err := rewrite(ctx, tx, column[0], column[1], column[1]+" <> ''", all.column)
		if err != nil {
			return err
		}
	}
	for _, column := range []string{"before", "after", "deleted"} {
		if err := rewrite(ctx, tx, "undo_card", column, column+" IS NOT NULL", all.undone); err != nil {
			return err
		}
	}
	unknown, _ := json.Marshal(reason.Of(reason.SessionUnknown)) // plain words
	_, err1 := tx.ExecContext(ctx,
		"UPDATE run SET reason = json_patch(?, iif(reason = '', '{}', json_object('why', json(reason)))) WHERE id IN (SELECT id FROM unknown_session)", string(unknown))
	_, err2 := tx.ExecContext(ctx, "DROP TABLE unknown_session")
	return errors.Join(err1, err2)
}

// textsOf returns the texts that a query selects.
func textsOf(ctx context.Context, tx *sql.Tx, query string) (texts []string, err error) {
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, rows.Err()
}

// rewrite replaces each of a column's texts, where a condition holds.
func rewrite(ctx context.Context, tx *sql.Tx, table, column, where string, to func(string) (string, error)) error {
	texts, err := textsOf(ctx, tx, "SELECT DISTINCT "+column+" FROM "+table+" WHERE "+where)
	if err != nil {
		return err
	}
	for _, text := range texts {
		now, err := to(text)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE "+table+" SET "+column+" = ? WHERE "+column+" = ?", now, text); err != nil {
			return err
		}
	}
	return nil
}

// sentence is what a reason was.
type sentence struct {
	code    reason.Code
	pattern *regexp.Regexp
	holes   []string
}

// sentences are those of a book, in the order in which they are tried.
type sentences []sentence

var aHole = regexp.MustCompile(`\\\{\w+\\\}`)

func read(text string) (all sentences) {
	for line := range strings.Lines(text) {
		code, words, _ := strings.Cut(strings.TrimSpace(line), "\t")
		s := sentence{code: reason.Code(code)}
		pattern := aHole.ReplaceAllStringFunc(regexp.QuoteMeta(words), func(hole string) string {
			s.holes = append(s.holes, strings.Trim(hole, `\{}`))
			return "(.+?)"
		})
		s.pattern = regexp.MustCompile("^(?s:" + pattern + ")$")
		all = append(all, s)
	}
	return all
}

// oldKinds are the words by which errors were compared, which a sentence may end in.
var oldKinds = regexp.MustCompile(`(: (not found|conflict|invalid|untrusted|unavailable|unmerged))+$`)

// reasonOf returns what a sentence said; one that is not in the book is words of others.
// A second sentence may follow on a line of its own.
func (all sentences) reasonOf(text string) *reason.Reason {
	text = strings.TrimSpace(oldKinds.ReplaceAllString(text, ""))
	if r := all.find(text); r != nil || text == "" {
		return r
	}
	for at := strings.LastIndexByte(text, '\n'); at >= 0; at = strings.LastIndexByte(text[:at], '\n') {
		if second := all.find(strings.TrimSpace(text[at:])); second != nil {
			return all.reasonOf(text[:at]).Because(second)
		}
	}
	if overloaded.MatchString(text) {
		return reason.Of(reason.Overloaded).Because(reason.Said(text))
	}
	return reason.Said(text)
}

// overloaded is what claude says of its service.
var overloaded = regexp.MustCompile(`(?i)\b529\b|overloaded`)

func (all sentences) find(text string) *reason.Reason {
	if text == "" {
		return nil
	}
	for _, s := range all {
		values := s.pattern.FindStringSubmatch(text)
		if values == nil { // what was an error began small
			values = s.pattern.FindStringSubmatch(strings.ToUpper(text[:1]) + text[1:])
		}
		if values == nil {
			continue
		}
		r := &reason.Reason{Code: s.code}
		for i, hole := range s.holes {
			if hole == "why" {
				r = r.Because(all.reasonOf(values[i+1]))
				continue
			}
			if r.Args == nil {
				r.Args = map[string]string{}
			}
			r.Args[hole] = values[i+1]
		}
		return r
	}
	return nil
}

// column returns a sentence as its column keeps the reason.
func (all sentences) column(text string) (string, error) {
	r := all.reasonOf(text)
	if r == nil {
		return "", nil
	}
	kept, err := json.Marshal(r)
	return string(kept), err
}

// undone returns what is kept of a card, with its reasons: fields of a card, or rows of tables.
func (all sentences) undone(text string) (string, error) {
	var card map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &card); err != nil {
		return text, nil //nolint:nilerr // It is read as it is, and says what is wrong with it.
	}
	var trouble string
	if json.Unmarshal(card["trouble"], &trouble) == nil {
		now, err := json.Marshal(all.reasonOf(trouble))
		if err != nil {
			return "", err
		}
		card["why"] = now
		delete(card, "trouble")
	}
	for table, column := range map[string]string{
		"task": "trouble", "run": "reason", "question": "reason",
		"script_run": "reason",
	} {
		var rows []map[string]json.RawMessage
		if json.Unmarshal(card[table], &rows) != nil {
			continue
		}
		for _, row := range rows {
			var text string
			if json.Unmarshal(row[column], &text) != nil {
				continue
			}
			now, err := all.column(text)
			if err != nil {
				return "", err
			}
			if row[column], err = json.Marshal(now); err != nil {
				return "", err
			}
		}
		now, err := json.Marshal(rows)
		if err != nil {
			return "", err
		}
		card[table] = now
	}
	now, err := json.Marshal(card)
	return string(now), err
}
