package imports

import (
	"fmt"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/importing"

	"github.com/google/go-cmp/cmp"
)

// shown is what a list became, a line for each: cards, then what was refused.
func shown(l list) string {
	var b strings.Builder
	for _, c := range l.cards {
		fmt.Fprintf(&b, "+ %s [%s] %s p%d %s %s\n", c.Title, c.State, strings.Join(c.Labels, ","), c.Priority, c.Key, c.Link)
		for line := range strings.Lines(c.Text) {
			fmt.Fprintf(&b, "    %s\n", strings.TrimSuffix(line, "\n"))
		}
	}
	for _, r := range l.refusals {
		fmt.Fprintf(&b, "- %d %q %s %s\n", r.Line, r.Title, r.Why, r.Detail)
	}
	return b.String()
}

func want(t *testing.T, l list, text string) {
	t.Helper()
	if diff := cmp.Diff(text, shown(l)); diff != "" {
		t.Error(diff)
	}
}

func TestATableOfLinearIsReadByTheNamesOfItsColumns(t *testing.T) {
	t.Parallel()
	l, columns := readCSV("\ufeff\"ID\",\"Team\",\"Title\",\"Description\",\"Status\",\"Estimate\",\"Priority\",\"Labels\"\r\n"+
		"ENG-1,Core,\"Retry, with backoff\",\"First line\r\nsecond \"\"line\"\"\",Todo,2,Urgent,\"net, bug\"\r\n"+
		"ENG-2,Core,Old,,Done,,No priority,\r\n"+
		",,,,,,,\r\n"+
		"ENG-3,Core,,text,Todo,,Low,\r\n"+
		"ENG-1,Core,Again,,Todo,,Low,\r\n", nil)
	if columns[0] != (importing.TableColumn{Name: "ID", Field: importing.Key}) || columns[1].Field != "" || columns[4].Field != importing.State {
		t.Errorf("columns %+v", columns)
	}
	want(t, l, `+ Retry, with backoff [Todo] net,bug p4 ENG-1 
    First line
    second "line"
+ Old [Done]  p0 ENG-2 
- 6 "" noTitle 
- 7 "Again" twice ENG-1
`)
	if diff := cmp.Diff([]importing.StateCount{{Name: "Todo", Count: 1, To: importing.ToBacklog}, {Name: "Done", Count: 1, To: importing.ToDone}}, l.states()); diff != "" {
		t.Error(diff)
	}
}

func TestATableOfJiraIsReadWithAllItsColumnsOfLabels(t *testing.T) {
	t.Parallel()
	l, _ := readCSV("Summary;Issue key;Issue id;Status;Priority;Labels;Labels;Description\n"+
		"Shards;KES-9;10042;Won't Do;Highest;a;b;=1+1\n", nil)
	want(t, l, "+ Shards [Won't Do] a,b p4 KES-9 \n    =1+1\n")
	if to := l.states()[0].To; to != "" {
		t.Errorf("what is not to be done goes to %q", to)
	}
	german, _ := readCSV("Zusammenfassung\tVorgangsschlüssel\tStatus\tPriorität\nScherben\tKES-9\tFertig\tHoch\n", nil)
	want(t, german, "+ Scherben [Fertig]  p3 KES-9 \n")
}

func TestColumnsAreTakenForWhatTheUserSays(t *testing.T) {
	t.Parallel()
	const text = "Betreff,Wichtig\nEins,x\n"
	l, columns := readCSV(text, nil)
	if len(columns) != 2 || len(l.cards)+l.refused != 0 {
		t.Errorf("without a column of titles: %+v, %s", columns, shown(l))
	}
	l, _ = readCSV(text, []importing.Field{importing.Title, importing.State})
	want(t, l, "+ Eins [x]  p0  \n")
	l, _ = readCSV("sep=|\nTitle|Url\nOne|javascript:x\nTwo|https://linear.app/x/ENG-1\n", nil)
	want(t, l, "+ One []  p0  \n+ Two []  p0  https://linear.app/x/ENG-1\n")
}

func TestABrokenTableKeepsItsOtherRows(t *testing.T) {
	t.Parallel()
	l, _ := readCSV("Title,Text\nfirst,a\nbro\"ken,b\nthird,\"c\n", nil)
	want(t, l, "+ first []  p0  \n    a\n- 3 \"\" badQuotes \n- 4 \"third\" badQuotes \n")
	for _, text := range []string{"", "\x00", "\"", "sep=", "sep=;", ",,,\n,,,"} {
		if l, _ := readCSV(text, nil); len(l.cards) != 0 {
			t.Errorf("%q has %s", text, shown(l))
		}
	}
}

func TestHostileRowsAreRefusedOrMadePlain(t *testing.T) {
	t.Parallel()
	var l list
	add := func(line int, title, text string) {
		l.add(line, importing.Card{Row: importing.Row{Title: title}, Text: text})
	}
	add(1, "Safe\u202egnp.exe\x1b[31m\u200b\ntitle", "a\u2066b\tc\r\nd\u0007")
	add(2, "half \ufffd read", "")
	add(3, "nul", "a\x00b")
	add(4, strings.Repeat("x", beckon.MaxTitle+1), "")
	add(5, "long", strings.Repeat("x", beckon.MaxBrief))
	add(6, "\u200b\u202e", "")
	l.add(7, importing.Card{Row: importing.Row{Title: "labels", Key: strings.Repeat("k", 200), Labels: []string{"a", "a", "\u202e", strings.Repeat("ä", 80)}}})
	if c := l.cards[0]; c.Title != "Safegnp.exe[31m title" || c.Text != "ab\tc\nd" {
		t.Errorf("got %q, %q", c.Title, c.Text)
	}
	if c := l.cards[1]; len(c.Labels) != 2 || len(c.Labels[1]) > maxName || len(c.Key) > maxName {
		t.Errorf("got %+v", c)
	}
	var why []importing.Why
	for _, r := range l.refusals {
		why = append(why, r.Why)
		if len(r.Title) > maxName {
			t.Errorf("a title of %d bytes is shown", len(r.Title))
		}
	}
	if diff := cmp.Diff([]importing.Why{importing.Unreadable, importing.Unreadable, importing.LongTitle, importing.LongText, importing.NoTitle}, why); diff != "" {
		t.Error(diff)
	}
}

func TestNoMoreRowsAreReadThanAreKept(t *testing.T) {
	t.Parallel()
	l, _ := readCSV("Title,Status\n"+strings.Repeat("one,s\n", importing.MaxRows+500), nil)
	if len(l.cards) != importing.MaxRows || l.refused != 500 || len(l.refusals) != importing.MaxRefusals || l.refusals[0].Why != importing.Beyond {
		t.Errorf("%d rows, %d refused, %d told", len(l.cards), l.refused, len(l.refusals))
	}
	var large list
	for n := range 150 {
		large.add(n, importing.Card{Row: importing.Row{Title: "one"}, Text: strings.Repeat("x", maxText)})
	}
	if large.size > maxAll || len(large.cards)+large.refused != 150 || large.refusals[0].Why != importing.Beyond {
		t.Errorf("%d bytes are kept, %d refused", large.size, large.refused)
	}
	var text strings.Builder
	text.WriteString("Title,Status\n")
	for n := range maxStates + 5 {
		fmt.Fprintf(&text, "one,state %d\n", n)
	}
	l, _ = readCSV(text.String(), nil)
	if states := l.states(); len(states) != 1 || states[0].Count != maxStates+5 || l.cards[3].State != "" {
		t.Errorf("more states than any board has: %+v", states)
	}
}

func TestAListInMarkdownIsRead(t *testing.T) {
	t.Parallel()
	l := readMarkdown(`---
title: Plan
---
# Plan

Some words that are no task.

## Now
- [ ] Retry uploads
  with backoff

  - [ ] first
  - [x] second
    deeper
- [x] Done already
* plain item
lazy words
` + "\n```\n- not a task\n```\n" + `
## Done
1. numbered
	tabbed
   ` + "```go\n   - code\n   ```" + `
2) other
`)
	want(t, l, `+ Retry uploads [Now]  p0  
    with backoff
    
    - [ ] first
    - [x] second
      deeper
+ plain item [Now]  p0  
    lazy words
+ numbered [Done]  p0  
     tabbed
    `+"```go\n    - code\n    ```"+`
+ other [Done]  p0  
- 15 "Done already" checked 
`)
	for _, text := range []string{"", "---\n", "no list\nat all", "```\n- [ ] x", "- ", "-[ ] x"} {
		if l := readMarkdown(text); len(l.cards)+l.refused != 0 {
			t.Errorf("%q has %s", text, shown(l))
		}
	}
}

func FuzzReaders(f *testing.F) {
	f.Add("Title,Text\na,\"b\n", "- [ ] a\n  b")
	f.Fuzz(func(t *testing.T, table, markdown string) {
		l, _ := readCSV(table, nil)
		for _, l := range []list{l, readMarkdown(markdown)} {
			for _, c := range l.cards {
				if c.Title == "" || strings.ContainsAny(c.Title, "\n\r\x00\u202e") || strings.ContainsAny(c.Text, "\r\x00\u202e") {
					t.Errorf("%q, %q", c.Title, c.Text)
				}
			}
		}
	})
}
