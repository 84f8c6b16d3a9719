package imports

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"beckon/backend/beckon/importing"
	"beckon/backend/plain"
)

// maxColumns is how many columns a table may have: Jira's "all fields" has hundreds.
const maxColumns = 2000

// readCSV reads a table whose first row names its columns. fields says what these are taken
// for; where it is of another length their names say it. Without a column of titles there are
// no rows.
func readCSV(text string, fields []importing.Field) (list, []importing.TableColumn) {
	var l list
	text = strings.TrimPrefix(text, "\ufeff")
	comma := separator(text)
	if first, rest, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "sep=") { // Excel's own line
		text = rest
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = comma, -1, true
	head, err := r.Read()
	if err != nil || len(head) > maxColumns {
		return l, []importing.TableColumn{}
	}
	table := make([]importing.TableColumn, len(head))
	for i, name := range head {
		table[i].Name = plain.Line(name, maxName)
	}
	if len(fields) == len(table) {
		for i := range table {
			table[i].Field = fields[i]
		}
	} else {
		guess(table)
	}
	if !slices.ContainsFunc(table, func(c importing.TableColumn) bool { return c.Field == importing.Title }) {
		return l, table
	}
	l.table(r, table)
	return l, table
}

// table reads the rows below the first.
func (l *list) table(r *csv.Reader, table []importing.TableColumn) {
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		var broken *csv.ParseError
		if errors.As(err, &broken) {
			l.refuse(importing.Refusal{Line: broken.StartLine, Title: strings.Join(row, " "), Why: importing.BadQuotes})
			continue
		}
		if err != nil {
			return // of a text in memory there is none
		}
		if !slices.ContainsFunc(row, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
			continue
		}
		line, _ := r.FieldPos(0)
		l.add(line, cardOf(row, table))
	}
}

// cardOf is a row of a table.
func cardOf(row []string, table []importing.TableColumn) (c importing.Card) {
	for i, cell := range row {
		if i >= len(table) {
			break
		}
		switch table[i].Field {
		case importing.Title:
			c.Title = cell
		case importing.Text:
			c.Text = cell
		case importing.Labels:
			c.Labels = append(c.Labels, strings.FieldsFunc(cell, func(r rune) bool { return r == ',' || r == ';' || r == '\n' })...)
		case importing.Priority:
			c.Priority = priorities[lower(cell)]
		case importing.State:
			c.State = cell
		case importing.Key:
			c.Key = cell
		case importing.Link:
			c.Link = cell
		}
	}
	return c
}

// guess takes columns for what their names say: one for each field, but all of labels.
func guess(table []importing.TableColumn) {
	chosen := map[importing.Field]int{}
	for i, c := range table {
		name := lower(c.Name)
		field := fieldNames[name]
		at, taken := chosen[field]
		switch {
		case field == "":
			continue
		case taken && field != importing.Labels && (!better[name] || better[lower(table[at].Name)]):
			continue
		case taken && field != importing.Labels:
			table[at].Field = ""
		}
		table[i].Field, chosen[field] = field, i
	}
}

// separator is what stands between the columns: what the first line has most of, outside of
// quotes.
func separator(text string) rune {
	line, _, _ := strings.Cut(text, "\n")
	if only, ok := strings.CutPrefix(strings.TrimSpace(line), "sep="); ok && len(only) == 1 && strings.Contains(",;|", only) {
		return rune(only[0])
	}
	best, most := ',', 0
	for _, candidate := range ",;\t" {
		quoted, n := false, 0
		for _, r := range line {
			switch {
			case r == '"':
				quoted = !quoted
			case r == candidate && !quoted:
				n++
			}
		}
		if n > most {
			best, most = candidate, n
		}
	}
	return best
}
