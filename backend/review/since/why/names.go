package why

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// This file tells from a path whether an agent means the file that is asked about.

// names are how an agent may name a file.
type names struct {
	own    string   // the worktree of the file; "" where it has none any more
	others []string // the card's worktrees of other repositories
	part   bool     // the file is in a further repository
	paths  []string // of the file within the worktree, by slashes; it had others before
	// folder is where the agent of the log works, in the project's own repository. Alias is how
	// the log names own where that is not its path here.
	folder, alias string
}

// begins takes in the first folder that a log names. On another machine, or where the worktree is
// gone, it stands for the worktree of the project's own repository.
func (n *names) begins(folder string, elsewhere bool) {
	if folder == "" || n.folder != "" {
		return
	}
	if n.folder = folder; n.part {
		return
	}
	resolved, err := filepath.EvalSymlinks(n.own)
	if elsewhere || n.own == "" || err == nil && clean(resolved) == clean(folder) {
		n.alias = folder
	}
}

// match reports whether a path is the file, or perhaps is.
func (n names) match(named string) (is, perhaps bool) {
	if named == "" {
		return false, false
	}
	named = clean(named)
	if !absolute(named) {
		if n.folder == "" {
			if n.part {
				return false, n.ends(named)
			}
			return n.within(named)
		}
		named = path.Join(clean(n.folder), named)
	}
	// Worktrees may lie within each other: the innermost has the file.
	longest, mine := "", false
	for i, folder := range append([]string{n.own, n.alias}, n.others...) {
		if folder = clean(folder); folder != "." && strings.HasPrefix(named, folder+"/") && len(folder) > len(longest) {
			longest, mine = folder, i < 2
		}
	}
	switch {
	case mine:
		return n.within(named[len(longest)+1:])
	case longest != "":
		return false, false
	default:
		return false, n.ends(named)
	}
}

// within matches a path within the worktree.
func (n names) within(inside string) (is, perhaps bool) {
	for _, p := range n.paths {
		if inside == p {
			return true, false
		}
		perhaps = perhaps || folded(inside) == folded(p)
	}
	return false, perhaps || n.linked(inside)
}

// ends reports whether a path ends like the file's.
func (n names) ends(named string) bool {
	for _, p := range n.paths {
		if named = folded(named); named == folded(p) || strings.HasSuffix(named, "/"+folded(p)) {
			return true
		}
	}
	return false
}

// linked reports whether a path within the worktree leads to the file over a symbolic link.
func (n names) linked(inside string) bool {
	if n.own == "" || !filepath.IsLocal(filepath.FromSlash(inside)) {
		return false
	}
	for at := inside; at != "."; at = path.Dir(at) {
		info, err := os.Lstat(filepath.Join(n.own, filepath.FromSlash(at)))
		if err != nil || info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) == 0 {
			continue
		}
		led, err := os.Stat(filepath.Join(n.own, filepath.FromSlash(inside)))
		return err != nil || slices.ContainsFunc(n.paths, func(p string) bool {
			file, err := os.Stat(filepath.Join(n.own, filepath.FromSlash(p)))
			return err == nil && os.SameFile(led, file)
		})
	}
	return false
}

// astray reports whether a path of the worktree is of a file that is gone, which the file may have
// been in between: it was moved.
func (n names) astray(named string) bool {
	if len(n.paths) < 2 || n.own == "" {
		return false
	}
	for _, folder := range []string{n.own, n.alias} {
		inside, ok := strings.CutPrefix(clean(named), clean(folder)+"/")
		if ok && filepath.IsLocal(filepath.FromSlash(inside)) {
			_, err := os.Lstat(filepath.Join(n.own, filepath.FromSlash(inside)))
			return errors.Is(err, fs.ErrNotExist)
		}
	}
	return false
}

// folded has paths compare as file systems do that do not tell capitals or accents apart.
func folded(name string) string { return strings.ToLower(norm.NFC.String(name)) }

// clean returns a path by slashes. A backslash is a letter of names elsewhere than on Windows.
func clean(name string) string {
	if drive(name) || strings.HasPrefix(name, `\\`) {
		name = strings.ReplaceAll(name, `\`, "/")
	}
	if drive(name) {
		name = strings.ToUpper(name[:1]) + name[1:]
	}
	return path.Clean(name)
}

// drive reports whether a path begins with a drive of Windows.
func drive(name string) bool {
	return len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/') && (name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z')
}

func absolute(name string) bool { return strings.HasPrefix(name, "/") || drive(name) }
