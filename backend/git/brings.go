package git

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
)

// maxListed is how many entries of one folder are looked at.
const maxListed = 1000

// bringsFiles lists the files in dir that configure or start something when
// claude runs there.
func bringsFiles(dir string) []string {
	found := []string{}
	for _, name := range []string{".mcp.json", ".claude/settings.json", ".claude/settings.local.json", ".claude/hooks"} {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
			found = append(found, name)
		}
	}
	return found
}

// brings lists everything that the repository would run once trusted.
func brings(ctx context.Context, c command) ([]string, error) {
	found := bringsFiles(c.dir)
	attributes, err := filtering(ctx, c)
	if err != nil {
		return nil, err
	}
	config, err := programs(ctx, c)
	if err != nil {
		return nil, err
	}
	hooks, err := hooks(ctx, c)
	return append(found, slices.Concat(attributes, config, hooks)...), err
}

// filtering lists the .gitattributes files that send files through a filter,
// in the folders of the files that git knows. One that is no plain file is
// listed unread.
func filtering(ctx context.Context, c command) (found []string, err error) {
	var tracked folders
	if err := c.stream(ctx, tracked.read, "ls-files", "-z", "--cached"); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(c.dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	for _, dir := range tracked.sorted() {
		name := path.Join(dir, ".gitattributes")
		text, err := readBrought(root, name)
		if errors.Is(err, errOdd) || err == nil && strings.Contains(string(text), "filter=") {
			found = append(found, strings.ToValidUTF8(name, "\uFFFD"))
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
			return conflict("the repository has more files than Beckon looks at before trust: %w", err)
		}
		for dir := path.Dir(name); !(*f)[dir]; dir = path.Dir(dir) {
			(*f)[dir] = true
		}
	}
}

func (f folders) sorted() []string { return slices.Sorted(maps.Keys(f)) }

// programs lists the settings in the repository's own configuration that name
// a program for git to run.
func programs(ctx context.Context, c command) ([]string, error) {
	const runs = `^(core\.(hookspath|fsmonitor|sshcommand|gitproxy|editor|pager|askpass|alternaterefscommand)` +
		`|filter\..*|diff\.external|diff\..*\.(textconv|command)|merge\..*\.driver|hook\..*\.command` +
		`|credential\.(.*\.)?helper|gpg\.(.*\.)?program|remote\..*\.(uploadpack|receivepack|vcs)|alias\..*)$`
	// Scope and "key\nvalue" take turns.
	fields, err := c.list(ctx, "config", "-z", "--show-scope", "--get-regexp", runs)
	if err != nil && exitCode(err) != 1 {
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
		found = append(found, "git config "+strings.ToValidUTF8(key, "\uFFFD"))
	}
	return slices.Compact(slices.Sorted(slices.Values(found))), nil
}

// hooks lists the hooks that git would run, leaving out its samples.
func hooks(ctx context.Context, c command) ([]string, error) {
	common, err := c.line(ctx, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return nil, err
	}
	files, err := listFolder(filepath.Join(common, "hooks"))
	var found []string
	for _, file := range files {
		if !file.IsDir() && !strings.HasSuffix(file.Name(), ".sample") {
			found = append(found, "git hook "+strings.ToValidUTF8(file.Name(), "\uFFFD"))
		}
	}
	return found, err
}

// listFolder lists the first entries of a folder, none where it is no folder:
// to open a FIFO in its place would wait for ever.
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
