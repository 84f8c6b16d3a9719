package view

import (
	"cmp"
	"strings"
)

// near is a text with the paths of this computer as people read them there: from the
// folder that the agent works in, and from the home folder as ~. How folders lie here is
// no business of a phone.
func (v View) near(text string, a Asked) string {
	for _, folder := range a.Folders {
		text = replacePath(text, folder, "")
	}
	return replacePath(text, v.Home, "~")
}

// replacePath puts other into the place of a folder in each path that begins with it;
// an empty one stands for the folder that the rest is in.
func replacePath(text, folder, other string) string {
	folder = strings.TrimRight(folder, `/\`)
	if folder == "" {
		return text
	}
	out, from := strings.Builder{}, 0
	for {
		at := strings.Index(text[from:], folder)
		if at < 0 {
			out.WriteString(text[from:])
			return out.String()
		}
		at += from
		end := at + len(folder)
		separated := end < len(text) && (text[end] == '/' || text[end] == '\\')
		switch {
		case at > 0 && inPath(text[at-1]) || end < len(text) && !separated && inPath(text[end]):
			out.WriteString(text[from:end]) // of another path
		case other == "" && separated:
			out.WriteString(text[from:at])
			end++
		default:
			out.WriteString(text[from:at])
			out.WriteString(cmp.Or(other, "."))
		}
		from = end
	}
}

// inPath reports whether a path goes on with a byte.
func inPath(c byte) bool {
	return c == '/' || c == '\\' || c == '.' || c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
