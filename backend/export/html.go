package export

import (
	_ "embed"
	"html/template"
	"io"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/mask"
	"beckon/backend/transcript"
)

//go:embed page.html
var pageSource string

//go:embed page.css
var style string

// page has the templates head, entry and foot.
var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"markdown": rendered, "diff": diffLines, "time": clock,
}).Parse(pageSource))

// htmlWriter writes a page that runs nothing. Sub-agents' entries are nested
// where they were said.
type htmlWriter struct {
	w      io.Writer
	log    *transcript.Log
	task   beckon.Task
	run    beckon.Run
	parent string // of the entries that are nested at this place
}

func (h *htmlWriter) begin() error {
	return page.ExecuteTemplate(h.w, "head", map[string]any{
		"Style": template.CSS(style), //nolint:gosec // it is our own
		"Key":   h.task.Key, "Title": mask.Text(h.task.Title), "Run": h.run,
	})
}

func (h *htmlWriter) entry(e exported) error {
	if e.Parent != h.parent {
		if err := h.nest(e.Parent); err != nil {
			return err
		}
	}
	return page.ExecuteTemplate(h.w, "entry", map[string]any{"Entry": e.Entry, "Asked": e.Asked, "Pictures": h.pictures(e.Entry)})
}

// nest ends the sub-agent's part that is open, and begins another's.
func (h *htmlWriter) nest(parent string) error {
	var tags string
	if h.parent != "" {
		tags = "</details>\n"
	}
	if parent != "" {
		tags += "<details class=\"agent\" open><summary>Sub-agent</summary>\n"
	}
	h.parent = parent
	_, err := io.WriteString(h.w, tags)
	return err
}

// pictures are the entry's as data: URLs; "" for one that cannot be shown.
func (h *htmlWriter) pictures(e beckon.Entry) []template.URL {
	var list []template.URL
	for _, p := range e.Pictures {
		url, err := transcript.ReadPicture(h.log, p.Pos, p.Index)
		if err != nil {
			url = ""
		}
		list = append(list, template.URL(url)) //nolint:gosec // data: of an image, by its bytes
	}
	return list
}

func (h *htmlWriter) end() error {
	if err := h.nest(""); err != nil {
		return err
	}
	return page.ExecuteTemplate(h.w, "foot", nil)
}

// diffLine is a line of a diff and the class it is drawn by.
type diffLine struct{ Class, Text string }

func diffLines(diff string) []diffLine {
	var lines []diffLine
	for line := range strings.Lines(diff) {
		class := ""
		switch line[0] {
		case '+':
			class = "add"
		case '-':
			class = "del"
		case '@':
			class = "hunk"
		}
		lines = append(lines, diffLine{class, line})
	}
	return lines
}

// clock is a time as the log knows it, nothing for none.
func clock(at int64) string {
	if at == 0 {
		return ""
	}
	return time.UnixMilli(at).Format("2006-01-02 15:04:05")
}
