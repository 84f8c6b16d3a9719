package export

import (
	_ "embed"
	"io"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/mask"
	"beckon/backend/transcript"
)

//go:embed page.css
var style markup

// htmlWriter writes a page that runs nothing. Sub-agents' entries are nested
// where they were said.
type htmlWriter struct {
	w      io.Writer
	log    *transcript.Log
	task   beckon.Task
	run    beckon.Run
	parent string // of the entries that are nested at this place
}

func (h *htmlWriter) begin() error { return h.write(head(h.task.Key, mask.Text(h.task.Title), h.run)) }

func (h *htmlWriter) room() int { return 0 }

func (h *htmlWriter) entry(e exported) error {
	if e.Parent != h.parent {
		if err := h.nest(e.Parent); err != nil {
			return err
		}
	}
	return h.write(entry(e, h.pictures(e.Entry)))
}

func (h *htmlWriter) write(m markup) error {
	_, err := io.WriteString(h.w, string(m))
	return err
}

// nest ends the sub-agent's part that is open, and begins another's.
func (h *htmlWriter) nest(parent string) error {
	tags := nested(h.parent, parent)
	h.parent = parent
	return h.write(tags)
}

// nested ends a sub-agent's part, and begins another's.
func nested(was, is string) markup {
	return when(was != "", "</details>\n", "") + when(is != "", "<details class=\"agent\" open><summary>Sub-agent</summary>\n", "")
}

// pictures are the entry's as data: URLs; "" for one that cannot be shown.
func (h *htmlWriter) pictures(e beckon.Entry) []string {
	var list []string
	for _, p := range e.Pictures {
		url, err := transcript.ReadPicture(h.log, p.Pos, p.Index)
		if err != nil {
			url = ""
		}
		list = append(list, url)
	}
	return list
}

func (h *htmlWriter) end() error {
	if err := h.nest(""); err != nil {
		return err
	}
	return h.write("</main>\n" + foot)
}

// clock is a time as the log knows it, nothing for none.
func clock(at int64) string {
	if at == 0 {
		return ""
	}
	return time.UnixMilli(at).Format("2006-01-02 15:04:05")
}
