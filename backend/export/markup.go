package export

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/plain"
)

// markup is HTML. What is no markup is text and is escaped before it becomes part of
// one, so that only what is written in this package, and what markdown renders, is HTML.
type markup string

// form puts what follows into the places of a form, within elements or quotes.
func form(m markup, parts ...any) markup {
	texts := make([]any, len(parts))
	for i, part := range parts {
		if own, is := part.(markup); is {
			texts[i] = string(own)
		} else {
			texts[i] = html.EscapeString(plain.Visible(fmt.Sprint(part)))
		}
	}
	return markup(fmt.Sprintf(string(m), texts...))
}

// join puts them behind each other.
func join(list ...markup) markup {
	var b strings.Builder
	for _, m := range list {
		b.WriteString(string(m))
	}
	return markup(b.String())
}

// some is the form with a text in it, nothing where there is no text.
func some(m markup, text string) markup {
	if text == "" {
		return ""
	}
	return form(m, text)
}

// when is one of two.
func when(is bool, yes, no markup) markup {
	if is {
		return yes
	}
	return no
}

const foot markup = `<footer class="meta">Exported by Beckon. What looked like a secret is masked.</footer>
</body>
</html>
`

// styleHash is what the page's policy knows its style by: no other one has an effect.
var styleHash = func() markup {
	sum := sha256.Sum256([]byte(style))
	return markup(base64.StdEncoding.EncodeToString(sum[:]))
}()

// opening is a page up to its body.
func opening(title string) markup {
	return form(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-%s'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<title>%s</title>
<style>%s</style>
</head>
<body>
`, styleHash, title, style)
}

func head(key, title string, run beckon.Run) markup {
	return join(opening(fmt.Sprintf("%s · run %d", key, run.Number)), form(`<header>
<p class="meta">%s · run %s · %s%s · %s%s</p>
<h1>%s</h1>
</header>
<main>
`, key, run.Number, beckon.AgentSays(run.Agent), some(" · %s", run.Model), clock(run.Started), some(" · %s", string(run.Outcome)), title))
}

func entry(e exported, pictures []string) markup {
	switch {
	case e.Tool != nil:
		return tool(e, pictures)
	case e.Kind == beckon.ThinkingEntry:
		return form("<details class=\"thinking\"><summary>Thinking</summary>%s</details>\n", rendered(e.Text))
	case e.Turn != nil:
		return turn(e)
	case e.Kind == beckon.NoticeEntry:
		return form("<p class=\"notice\">%s%s</p>\n", e.Notice, some(": %s", e.Text))
	case e.Kind == beckon.UserEntry:
		return form("<section class=\"%s\"><p class=\"plain\">%s</p>%s</section>\n", e.Kind, e.Text, shown(pictures))
	default:
		return form("<section class=\"%s\">%s%s</section>\n", e.Kind, rendered(e.Text), shown(pictures))
	}
}

func turn(e exported) markup {
	ended := when(e.Turn.Interrupted, "Interrupted", "End of turn")
	if !e.Turn.Interrupted && e.Turn.Number != 0 {
		ended = form("%s %s", ended, e.Turn.Number)
	}
	return form("<p class=\"turn%s\">%s%s%s%s</p>\n", when(e.Turn.Failed, " failed", ""), ended, some(": %s", e.Turn.Reason), some(" · %s", clock(e.At)),
		some(" · %s", taken(e.Turn.Tokens, e.Turn.CostUSD)))
}

func tool(e exported, pictures []string) markup {
	is := e.Tool
	name := form("<b>%s</b> <code>%s</code>", is.Name, is.Target)
	body := some("<pre>%s</pre>", is.Input)
	if is.Diff != "" {
		body = form("<pre class=\"diff\">%s</pre>", diff(is.Diff))
	}
	var cut markup
	if is.Cut != 0 {
		cut = form("<p class=\"meta\">%s more bytes</p>", is.Cut)
	}
	return join(
		form("<details class=\"%s%s%s\"%s>\n", e.Kind, when(is.Failed, " failed", ""), when(e.Asked != nil, " asked", ""), when(e.Kind == beckon.QuestionEntry, " open", "")),
		form("<summary>%s%s%s</summary>\n", when(is.Orphan, "Result", name), when(is.Failed, " <em>failed</em>", ""), when(e.Asked != nil, " · asked", "")),
		body, "\n", some("<pre>%s</pre>", is.Result), cut, "\n",
		answers(e.Asked), "\n", shown(pictures), "</details>\n",
	)
}

// answers are those to a question, with who gave them.
func answers(a *asked) (m markup) {
	if a == nil {
		return ""
	}
	if a.omitted > 0 {
		m += form("<p class=\"left\">%s left out here.</p>", counted(a.omitted, "earlier answer is", "earlier answers are"))
	}
	for _, g := range a.Earlier {
		m += form("<p class=\"meta\">Answered first %s%s%s</p>", g.From(), some(" · %s", clock(g.At)), some(": <s>%s</s>", g.Answer))
	}
	if a.By != "" {
		m += form("<p class=\"meta\">Answered %s%s%s%s</p>", a.From(), some(" · %s", clock(a.At)), some(" · after %s", a.waited), some(": <b>%s</b>", a.Answer))
	}
	return m + some("<p class=\"meta\">%s</p>", unanswered[a.Settlement])
}

// unanswered says why there is no answer.
var unanswered = map[beckon.Settlement]string{
	beckon.Open: "It waits for an answer.", beckon.Orphaned: "It waits for an answer.",
	beckon.Expired: "Nobody answered in time.", beckon.Withdrawn: "The agent did not wait for an answer.",
}

// shown are pictures by their data: URLs.
func shown(pictures []string) (m markup) {
	for _, url := range pictures {
		if url == "" {
			m += "<p class=\"meta\">A picture that cannot be shown.</p>"
		} else {
			m += form("<img src=\"%s\" alt=\"Picture\">", url)
		}
	}
	return m
}

func diff(text string) markup {
	var lines []markup
	for line := range strings.Lines(text) {
		class := ""
		switch line[0] {
		case '+':
			class = "add"
		case '-':
			class = "del"
		case '@':
			class = "hunk"
		}
		lines = append(lines, form("<span class=\"%s\">%s</span>", class, line))
	}
	return join(lines...)
}
