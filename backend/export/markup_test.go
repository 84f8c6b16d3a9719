package export

import (
	"strings"
	"testing"

	"beckon/backend/beckon"
)

func TestWhatIsNoMarkupIsEscapedWhereverItStands(t *testing.T) {
	t.Parallel()
	const evil = `"><script>&'`
	const escaped = "&#34;&gt;&lt;script&gt;&amp;&#39;"
	call := beckon.ToolCall{Name: evil, Target: evil, Input: evil, Result: evil, Failed: true}
	for want, got := range map[markup]markup{
		`<p class="` + escaped + `">` + escaped + `<b>own</b></p>`: form(`<p class="%s">%s%s</p>`, evil, evil, markup("<b>own</b>")),
		"": some("<p>%s</p>", ""),
		`<span class="add">+` + escaped + `</span>`:                                 diff("+" + evil),
		`<p class="notice">` + escaped + `: ` + escaped + "</p>\n":                  entry(exported{Entry: beckon.Entry{Kind: beckon.NoticeEntry, Notice: evil, Text: evil}}, nil),
		`<section class="user"><p class="plain">` + escaped + "</p></section>\n":    entry(exported{Entry: beckon.Entry{Kind: beckon.UserEntry, Text: evil}}, nil),
		`<p class="meta">Answered by a standing answer: <b>` + escaped + `</b></p>`: answers(&asked{given: given{Answer: evil, By: beckon.ByRule}}),
		"<details class=\"tool failed\">\n<summary><b>" + escaped + "</b> <code>" + escaped + "</code> <em>failed</em></summary>\n<pre>" + escaped + "</pre>\n<pre>" + escaped + "</pre>\n\n</details>\n": entry(exported{Entry: beckon.Entry{Kind: beckon.ToolEntry, Tool: &call}}, nil),
	} {
		if got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

func TestAnExportNamesTheAgent(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{"": "KES-1 · run 2 · Claude · opus", "kimi": "KES-1 · run 2 · Kimi Code · opus"} {
		if page := string(head("KES-1", "Mend it", beckon.Run{Number: 2, Agent: kind, Model: "opus"})); !strings.Contains(page, want) {
			t.Errorf("%q has no %q", page, want)
		}
	}
}
