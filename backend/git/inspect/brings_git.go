package inspect

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/git/command"
	"beckon/backend/git/look"
)

// filtering lists the .gitattributes files that send files through a filter,
// in the folders of the files that git knows. One that is no plain file is
// listed unread.
func filtering(ctx context.Context, c command.Git, folders []string) (found []string, err error) {
	root, err := os.OpenRoot(c.Dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	for _, dir := range folders {
		name := path.Join(dir, ".gitattributes")
		if !look.Exists(c.Dir, filepath.FromSlash(name)) {
			continue
		}
		text, err := look.ReadBelow(root, name)
		if errors.Is(err, look.ErrOdd) || err == nil && strings.Contains(string(text), "filter=") {
			found = append(found, name)
		}
	}
	return found, ctx.Err()
}

// maxFolders is how much of the paths that git knows is looked at, in bytes.
const maxFolders = 512 << 20

// folders collects the folders of the files that git knows, "." included.
type folders map[string]bool

// read takes the NUL-terminated paths that git prints.
func (f *folders) read(from io.Reader) error {
	*f = folders{".": true}
	limited := &io.LimitedReader{R: from, N: maxFolders}
	lines := bufio.NewReader(limited)
	for {
		name, err := lines.ReadString(0)
		if errors.Is(err, io.EOF) && limited.N > 0 {
			return nil
		}
		if err != nil {
			return command.Conflict("the repository has more files than Beckon looks at before trust: %w", err)
		}
		for dir := path.Dir(name); !(*f)[dir]; dir = path.Dir(dir) {
			(*f)[dir] = true
		}
	}
}

// trackedFolders lists the folders of the files that git knows, in order.
func trackedFolders(ctx context.Context, c command.Git) ([]string, error) {
	var tracked folders
	err := c.Stream(ctx, tracked.read, "ls-files", "-z", "--cached")
	return slices.Sorted(maps.Keys(tracked)), err
}

// steering matches the settings that name a program, or lead git elsewhere.
const steering = `^(core\.(hookspath|fsmonitor|sshcommand|gitproxy|editor|pager|askpass|alternaterefscommand|worktree|attributesfile|excludesfile)` +
	`|sequence\.editor|interactive\.difffilter|pager\..*|browser\..*|web\.browser|man\..*|instaweb\..*|help\.browser` +
	`|filter\..*|diff\.external|diff\..*\.(textconv|command)|(difftool|mergetool|guitool)\..*|merge\..*\.driver|hook\..*` +
	`|trailer\..*\.(cmd|command)|tar\..*\.command|uploadpack\.packobjectshook|submodule\..*\.update|init\.templatedir` +
	`|credential\.(.*\.)?helper|gpg\.(.*\.)?(program|defaultkeycommand)|remote\..*\.(uploadpack|receivepack|vcs|proxy)|protocol\.(.*\.)?allow` +
	`|http\.(.*\.)?(proxy|sslverify|cookiefile)|url\..*|lfs\..*|sendemail\..*|include\.path|includeif\..*|alias\..*)$`

// programs lists the settings in the repository's own configuration that name
// a program for git to run, or steer it.
func programs(ctx context.Context, c command.Git) ([]string, error) {
	// Scope and "key\nvalue" take turns.
	fields, err := c.List(ctx, "config", "-z", "--show-scope", "--get-regexp", steering)
	if err != nil && command.ExitCode(err) != 1 {
		return nil, err
	}
	var found []string
	for pair := range slices.Chunk(fields, 2) {
		if len(pair) < 2 || pair[0] != "local" && pair[0] != "worktree" {
			continue
		}
		key, value, _ := strings.Cut(pair[1], "\n")
		if key == "core.fsmonitor" && (value == "true" || value == "false") {
			continue // git's own daemon, or none
		}
		found = append(found, key)
	}
	return slices.Compact(slices.Sorted(slices.Values(found))), nil
}

// hooks lists the hooks that git would run, leaving out its samples.
func hooks(ctx context.Context, c command.Git) ([]string, error) {
	common, err := c.Line(ctx, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return nil, err
	}
	files, err := listFolder(filepath.Join(common, "hooks"))
	var found []string
	for _, file := range files {
		if !file.IsDir() && !strings.HasSuffix(file.Name(), ".sample") {
			found = append(found, file.Name())
		}
	}
	return found, err
}

// listFolder lists the first entries of a folder, none where it is no folder:
// to open a FIFO in its place would wait forever.
func listFolder(name string) (entries []fs.DirEntry, err error) {
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		return nil, nil
	}
	dir, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	if entries, err = dir.ReadDir(maxListed); errors.Is(err, io.EOF) {
		err = nil
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}
