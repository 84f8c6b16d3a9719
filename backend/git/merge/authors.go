package merge

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"beckon/backend/git/command"
)

const (
	mostTouching = 500 // commits that are asked who wrote them
	mostAuthors  = 5   // of a file
	mostName     = 80  // bytes of a name
)

// touching is what commits did to a file.
type touching struct {
	commits int
	authors []string // the last one first
	at      int64
}

// touched returns by the paths of files what the base's last commits did to them that the
// branch lacks.
func touched(ctx context.Context, repo command.Git, base, tip string) (map[string]*touching, error) {
	fields, err := repo.List(ctx, "log", "-n", strconv.Itoa(mostTouching), "--no-merges", "--no-show-signature",
		"--no-renames", "--no-ext-diff", "--encoding=UTF-8",
		"--format=%x1e%at%x1f%an", "--name-only", "-z", tip+".."+base)
	if err != nil {
		return nil, err
	}
	files := map[string]*touching{}
	var name string
	var at int64
	for _, field := range fields {
		field = strings.TrimPrefix(field, "\n") // git parts the head from the names so
		if head, ok := strings.CutPrefix(field, "\x1e"); ok {
			var seconds string
			seconds, name, _ = strings.Cut(head, "\x1f")
			number, _ := strconv.ParseInt(strings.TrimSpace(seconds), 10, 64)
			name, at = authorOf(name), 1000*number
			continue
		}
		f := files[field]
		if f == nil {
			f = &touching{authors: []string{}, at: at}
			files[field] = f
		}
		f.commits++
		if len(f.authors) < mostAuthors && !slices.Contains(f.authors, name) {
			f.authors = append(f.authors, name)
		}
	}
	return files, nil
}

// authorOf is a name as it is shown: anybody may have written it.
func authorOf(name string) string {
	if name = strings.ToValidUTF8(strings.TrimSpace(name), "\uFFFD"); len(name) > mostName {
		name = strings.ToValidUTF8(name[:mostName], "") + "…"
	}
	return name
}
