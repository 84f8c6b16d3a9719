package instance

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Target is what a start of Beckon shows; the zero value is the window alone.
type Target struct {
	Route  string `json:"route"`  // of the page
	Folder string `json:"folder"` // absolute; it is offered as a project
}

// shown are the only routes that anybody outside may show. None of them does
// anything by being shown.
var shown = regexp.MustCompile(`^#/(task/[A-Z][A-Z0-9]{1,4}-[1-9][0-9]{0,8}|inbox|inbox/[a-z0-9]{26})$`)

// IsTarget reports whether an argument is meant as a link or a folder, and not
// as a command.
func IsTarget(arg string) bool {
	return isLink(arg) || arg == "." || arg == ".." || strings.ContainsAny(arg, `/\`)
}

// ParseTarget reads a link, such as beckon://task/KES-47, or a folder,
// relative to dir.
func ParseTarget(arg, dir string) (Target, error) {
	if isLink(arg) {
		return parseLink(arg)
	}
	if path, ok := strings.CutPrefix(arg, "file://"); ok {
		unescaped, err := url.PathUnescape(path)
		if err != nil {
			return Target{}, fmt.Errorf("%.100q is not the address of a folder: %w", arg, err)
		}
		arg = unescaped
	}
	if !filepath.IsAbs(arg) {
		arg = filepath.Join(dir, arg)
	}
	t := Target{Folder: filepath.Clean(arg)}
	return t, t.check()
}

func isLink(arg string) bool {
	return len(arg) >= len(scheme) && strings.EqualFold(arg[:len(scheme)], scheme)
}

const scheme = "beckon:"

// parseLink takes the few links that there are, and nothing that comes along
// with one.
func parseLink(link string) (Target, error) {
	verb, what, _ := strings.Cut(strings.TrimPrefix(link[len(scheme):], "//"), "/")
	var t Target
	switch what = strings.TrimSuffix(what, "/"); {
	case verb == "task":
		t.Route = "#/task/" + what
	case verb == "inbox" && what == "":
		t.Route = "#/inbox"
	case verb == "question" && what != "":
		t.Route = "#/inbox/" + what
	}
	if !shown.MatchString(t.Route) {
		return Target{}, fmt.Errorf("%.100q is no link of Beckon's; there are beckon://task/KES-47, beckon://inbox and beckon://question/ID", link)
	}
	return t, nil
}

// check says why t cannot be shown.
func (t Target) check() error {
	if t.Route != "" && (t.Folder != "" || !shown.MatchString(t.Route)) {
		return fmt.Errorf("%.100q cannot be shown", t.Route)
	}
	if t.Folder == "" {
		return nil
	}
	info, err := os.Stat(t.Folder)
	switch {
	case err != nil:
		return fmt.Errorf("open the folder %.200q: %w", t.Folder, err)
	case !info.IsDir() || !filepath.IsAbs(t.Folder):
		return fmt.Errorf("%.200q is not a folder; Beckon opens links and folders", t.Folder)
	}
	return nil
}
