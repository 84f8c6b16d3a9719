package export

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/mask"
	"beckon/backend/plain"
	"beckon/backend/store/decisions"
)

// This file writes decisions as a table for spreadsheets, as Markdown, or as JSON. What looks
// like a secret is masked in each.

// decision is one as it is written.
type decision struct {
	When       string `json:"when"` // RFC 3339
	Project    string `json:"project"`
	Task       string `json:"task"`
	Kind       string `json:"kind"`
	Settlement string `json:"settlement"` // how it was settled; notAsked where an agent asked nobody
	Question   string `json:"question"`
	Answer     string `json:"answer"`
	Assumption string `json:"assumption"`
	From       string `json:"from"`
	Seconds    int64  `json:"waitedSeconds"`
	Instead    string `json:"instead"` // the other answer, where it was chosen differently later
}

// decisionColumns are the heads of the table. They are not translated: scripts read them.
var decisionColumns = []string{
	"when", "project", "task", "kind", "settlement", "question", "answer", "assumption", "from", "waited_seconds", "instead",
}

// decisionWriter writes decisions in a format.
type decisionWriter struct {
	head func() error
	one  func(decision) error
	tail func() error
}

// decisionFormats are the formats, by the ends of their files' names.
var decisionFormats = map[string]func(io.Writer) decisionWriter{"csv": asTable, "md": asMarkdown, "json": asJSON}

// Decisions writes the decisions that a filter leaves to a new file, the newest first, and
// returns its path and how many they are. format is csv, md or json.
func (x *Exporter) Decisions(ctx context.Context, f decisions.Filter, format string) (path string, rows int, err error) {
	form, known := decisionFormats[format]
	if !known {
		return "", 0, beckon.Invalid("decisions are not exported as %.40q", format)
	}
	page, err := x.Store.Decisions.WholePage(ctx, f, "")
	if err != nil {
		return "", 0, err
	}
	name, err := x.namer(ctx)
	if err != nil {
		return "", 0, err
	}
	file, err := x.create("decisions", "."+format)
	if err != nil {
		return "", 0, err
	}
	buffered := bufio.NewWriter(file)
	w := form(buffered)
	err = w.head()
	for err == nil {
		for _, q := range page.Rows {
			rows++
			err = errors.Join(err, w.one(name.decision(q, page.Instead)))
		}
		if err != nil || page.Next == "" {
			break
		}
		page, err = x.Store.Decisions.WholePage(ctx, f, page.Next)
	}
	if err == nil {
		err = w.tail()
	}
	return file.Name(), rows, written(file, errors.Join(err, buffered.Flush()))
}

// decision is a question as it is written, masked and with nothing hidden. instead has the
// other answers to those that were chosen differently, by id.
func (n namer) decision(q beckon.Question, instead map[string]beckon.Answer) decision {
	task := n.tasks[q.TaskID]
	d := decision{
		When: time.UnixMilli(q.Settled).Format(time.RFC3339), Project: visible(mask.Text(n.projects[task.ProjectID])), Task: task.Key,
		Kind: string(q.Kind), Settlement: string(q.Settlement), Question: visible(mask.Text(textOf(q))),
		Assumption: visible(mask.Text(q.Assumption)), From: "by the clock", Seconds: max(0, q.Settled-q.Asked) / 1000,
	}
	if q.Budget != nil {
		d.Kind = "budget"
	}
	if q.Answer != nil {
		d.Answer, d.From = visible(said(*q.Answer)), visible(mask.Text(givenBy(*q.Answer).From()))
	} else if q.Settlement != beckon.Expired || q.Reason.Is(reason.NotAsked) {
		d.From = "by the agent"
	}
	if other, ok := instead[q.ID]; ok {
		d.Instead = visible(said(other))
	}
	if q.Reason.Is(reason.NotAsked) {
		d.Settlement = string(reason.NotAsked)
	}
	return d
}

// visible is a text without characters that turn its direction round or are not seen.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && plain.Hidden(r) {
			return -1
		}
		return r
	}, text)
}

// textOf is what was asked.
func textOf(q beckon.Question) string {
	switch {
	case q.Permission != nil:
		for _, text := range []string{q.Permission.Command, q.Permission.Path, q.Permission.Description} {
			if text != "" {
				return q.Permission.Tool + ": " + text
			}
		}
		return q.Permission.Tool
	case q.Kind == beckon.Plan:
		return q.Plan
	case len(q.Items) > 0:
		texts := make([]string, len(q.Items))
		for i, item := range q.Items {
			texts[i] = item.Text
		}
		return strings.Join(texts, " / ")
	default:
		return q.Message
	}
}

func asTable(w io.Writer) decisionWriter {
	table := csv.NewWriter(w)
	return decisionWriter{
		head: func() error { return table.Write(decisionColumns) },
		one: func(d decision) error {
			record := []string{d.When, d.Project, d.Task, d.Kind, d.Settlement, d.Question, d.Answer, d.Assumption, d.From, d.Instead}
			for i, text := range record {
				record[i] = cell(text)
			}
			seconds := strconv.FormatInt(d.Seconds, 10)
			return table.Write(slices.Insert(record, len(record)-1, seconds))
		},
		tail: func() error {
			table.Flush()
			return table.Error()
		},
	}
}

func asMarkdown(w io.Writer) decisionWriter {
	write := func(form string, args ...any) error {
		_, err := fmt.Fprintf(w, form, args...)
		return err
	}
	return decisionWriter{
		head: func() error {
			return write("# Decisions\n\nExported by Beckon. What looked like a secret is masked.\n\n" +
				"| When | Task | Kind | Question | Answer | From | Waited |\n|---|---|---|---|---|---|---|\n")
		},
		one: func(d decision) error {
			answer := d.Answer
			if answer == "" {
				answer = d.Settlement
			}
			if d.Assumption != "" {
				answer += " (assumed: " + d.Assumption + ")"
			}
			if d.Instead != "" {
				answer += " (chosen differently later: " + d.Instead + ")"
			}
			return write("| %s | %s | %s | %s | %s | %s | %d s |\n", d.When, tableText(d.Task), d.Kind, tableText(d.Question), tableText(answer), tableText(d.From), d.Seconds)
		},
		tail: func() error { return nil },
	}
}

// markdownMarks are what would be more than text in a cell of a table, and what GitHub makes
// links of by itself: addresses, and numbers of issues.
var markdownMarks = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "<", "&lt;", "&", "&amp;", "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "~", `\~`,
	"#", `\#`, "://", `\://`, "www.", `www\.`, "WWW.", `WWW\.`, "\r", " ", "\n", " ")

// tableText is a text as Markdown shows it in one cell: it draws nothing, and links nothing
// but addresses of mail and names of users.
func tableText(text string) string { return markdownMarks.Replace(text) }

func asJSON(w io.Writer) decisionWriter {
	before := "[\n"
	return decisionWriter{
		head: func() error { return nil },
		one: func(d decision) error {
			line, err := json.Marshal(d)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(w, "%s%s", before, line)
			before = ",\n"
			return err
		},
		tail: func() error {
			if before == "[\n" {
				_, err := io.WriteString(w, "[]\n")
				return err
			}
			_, err := io.WriteString(w, "\n]\n")
			return err
		},
	}
}
