package inspect

import (
	"cmp"
	"context"
	"log/slog"
	"path"
	"path/filepath"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/git/command"
	"beckon/backend/git/look"
	"beckon/backend/git/workdir"
)

// offerIn is how long it may take to look for files that git ignores. What is not found by
// then is not offered.
const offerIn = 3 * time.Second

// envPatterns name files such as .env and no folders: some people have an environment of Python's
// in .env.
var envPatterns = []string{".env*", "!.env*/"}

// Offer returns what is in a folder for new worktrees, if it is a repository's. It runs nothing
// that is in it and opens only small plain files. What cannot be read is not offered.
func Offer(ctx context.Context, of Found) beckon.Offer {
	dir, o := of.Dir, beckon.Offer{Patterns: []string{}, Env: []string{}, EnvPatterns: []string{}, Setups: []beckon.FoundSetup{}}
	if !of.Git {
		return o
	}
	o.Setups = setups(dir)
	patterns, listed, err := workdir.ReadInclude(dir)
	if err == nil && !listed {
		var files []string
		files, err = ignoredEnv(ctx, dir)
		if o.Env = beckon.NonNil(files); len(files) > 0 {
			o.EnvPatterns = envPatterns
		}
	}
	if err != nil {
		slog.Warn("look for files that worktrees may want", "err", err, "dir", dir)
	}
	o.Listed = listed
	for _, pattern := range patterns {
		o.Patterns = append(o.Patterns, strings.ToValidUTF8(pattern, "\uFFFD"))
	}
	return o
}

// maxLooked is in how many folders files such as .env are looked for.
const maxLooked = 2000

// ignoredEnv names the first files such as .env that git ignores, in the folders of the files
// that it knows. It asks git only where all that git reads for the answer is plain and small.
func ignoredEnv(ctx context.Context, dir string) (files []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, offerIn)
	defer cancel()
	c := command.Git{Dir: dir}
	folders, err := trackedFolders(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, folder := range folders[:min(len(folders), maxLooked)] {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		entries, err := listFolder(filepath.Join(dir, filepath.FromSlash(folder)))
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), ".env") && e.Type().IsRegular() {
				files = append(files, path.Join(folder, e.Name()))
			}
		}
	}
	if len(files) == 0 {
		return nil, nil
	}
	files = files[:min(len(files), MaxNames)]
	if err := checkIgnores(ctx, c, files); err != nil {
		return nil, err
	}
	files, err = workdir.CheckIgnored(ctx, c, files)
	for i, name := range files {
		files[i] = strings.ToValidUTF8(name, "\uFFFD")
	}
	return files, err
}

// checkIgnores refuses where what says that git ignores one of the files is odd, or is of
// the repository's own choice.
func checkIgnores(ctx context.Context, c command.Git, files []string) error {
	scope, err := c.Quiet(ctx, "config", "--show-scope", "--get", "core.excludesFile")
	if err != nil || strings.HasPrefix(scope, "local") || strings.HasPrefix(scope, "worktree") {
		return cmp.Or(err, command.Conflict("the repository names another file of what git ignores"))
	}
	common, err := c.CommonDir(ctx)
	if err != nil {
		return err
	}
	if _, err := look.ReadMetadata(filepath.Join(common, "info", "exclude")); err != nil && !absent(err) {
		return err
	}
	for _, name := range files {
		for folder := path.Dir(name); ; folder = path.Dir(folder) {
			if _, err := readBelow(c.Dir, path.Join(folder, ".gitignore")); err != nil && !absent(err) {
				return err
			}
			if folder == "." {
				break
			}
		}
	}
	return nil
}
