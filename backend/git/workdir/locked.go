package workdir

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"beckon/backend/git/command"
	"beckon/backend/git/look"
)

// cryptFilter is how git-crypt calls its filters: with more behind it where there are
// several keys.
const cryptFilter = "git-crypt"

// encrypted is how a file begins that git-crypt has encrypted.
var encrypted = []byte("\x00GITCRYPT\x00")

// LockedFiles lists the first files of a worktree that are there as git-crypt encrypted them:
// the repository is locked.
func LockedFiles(ctx context.Context, c command.Git) (names []string, err error) {
	root, err := os.OpenRoot(c.Dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	attributes, err := look.ReadBelow(root, ".gitattributes")
	if err != nil || !bytes.Contains(attributes, []byte("filter="+cryptFilter)) {
		return nil, nil //nolint:nilerr // without such a file nothing is encrypted
	}
	all, err := c.List(ctx, "ls-files", "-z", "--cached")
	if err != nil || len(all) == 0 {
		return nil, err
	}
	err = Filters(ctx, c, strings.Join(all, "\x00")+"\x00", func(name, filter string) {
		if strings.HasPrefix(filter, cryptFilter) && len(names) < maxLocked && isEncrypted(root, name) {
			names = append(names, strings.ToValidUTF8(name, "\uFFFD"))
		}
	})
	return names, err
}

// maxLocked is how many locked files are named.
const maxLocked = 50

func isEncrypted(root *os.Root, name string) bool {
	if info, err := root.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := root.OpenFile(name, os.O_RDONLY, fs.FileMode(0))
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, len(encrypted))
	_, err = io.ReadFull(f, begin)
	return err == nil && bytes.Equal(begin, encrypted)
}
