package export

import (
	"os"
	"path/filepath"
	"strings"

	"beckon/backend/beckon"
)

// place is a folder of this computer, and what a page calls it and what is in it.
type place struct{ folder, is, within string }

// places are folders, those that lie in others first.
type places []place

// placesOf calls the folders of this computer what others understand: those of the task's worktree
// are relative to it, and the user's is ~.
func placesOf(task beckon.Task) (list places) {
	const sep = string(filepath.Separator)
	if len(task.Worktree) > 1 {
		list = append(list, place{task.Worktree, ".", ""})
	}
	if home, err := os.UserHomeDir(); err == nil && len(home) > 1 {
		list = append(list, place{home, "~", "~" + sep})
	}
	return list
}

// called is a text with these folders as the page calls them.
func (list places) called(text string) string {
	for _, p := range list {
		text = p.called(text)
	}
	return text
}

func (p place) called(text string) string {
	if !strings.Contains(text, p.folder) {
		return text
	}
	var b strings.Builder
	for {
		i := strings.Index(text, p.folder)
		if i < 0 {
			return b.String() + text
		}
		rest := text[i+len(p.folder):]
		switch {
		case inside(text[:i]) || named(rest) || strings.HasPrefix(rest, ".") && named(rest[1:]):
			b.WriteString(text[:i] + p.folder) // a part of another name
		case rest != "" && os.IsPathSeparator(rest[0]) && len(rest) > 1 && (named(rest[1:]) || rest[1] == '.'):
			b.WriteString(text[:i] + p.within)
			rest = rest[1:]
		default:
			b.WriteString(text[:i] + p.is)
		}
		text = rest
	}
}

// inside reports whether a text ends within a path: what follows is no folder from its root.
func inside(text string) bool {
	name := len(text)
	for name > 0 && (text[name-1] == '.' || named(text[name-1:])) {
		name--
	}
	return 0 < name && name < len(text) && os.IsPathSeparator(text[name-1])
}

// named reports whether a text goes on with what a file's name has.
func named(text string) bool {
	return text != "" && (text[0] >= 0x80 || strings.IndexByte("_-", text[0]) >= 0 || '0' <= text[0] && text[0] <= '9' || 'a' <= text[0]|0x20 && text[0]|0x20 <= 'z')
}
