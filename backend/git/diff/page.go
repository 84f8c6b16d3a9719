package diff

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/git/command"
)

// Sizes that patches are held to.
const (
	MaxPatch = 512 << 10 // bytes, one file
	MaxAll   = 20 << 20  // bytes, all files
	MaxAlone = 16 << 20  // bytes, a file that is asked for alone
)

// What fills the first screen of a page, and some more.
const (
	firstFiles = 40
	firstBytes = 64 << 10
)

// Patched lists the first files that differ between two trees, with their patches as
// far as there is room, and how many more files there are. With start there are only
// patches that a page shows first: the other files are pending, and so is one of which
// there is only the beginning.
func Patched(ctx context.Context, c command.Git, t Trees, start bool) ([]beckon.FileDiff, int, error) {
	all, err := list(ctx, c, t)
	if err != nil {
		return nil, 0, err
	}
	l := all.first(MaxFiles)
	more := len(all.files) - len(l.files)
	if start {
		return l.files, more, begin(ctx, c, t, l)
	}
	rest, err := fill(ctx, c, t, l.files, room{MaxPatch, MaxAll})
	if err == nil && len(rest) > 0 {
		err = count(ctx, c, t, l.files)
		for i := range rest {
			rest[i].Cut = rest[i].Added+rest[i].Removed > 0
		}
	}
	if err == nil {
		err = sizes(ctx, c, l.files, l.blobs)
	}
	return l.files, more, err
}

// fill fills in the patches of files and their lines, and returns those that there was
// no room for. Of what may not be there at all git counts the lines; of everything else
// the patches tell, and files are compared once.
func fill(
	ctx context.Context, c command.Git, t Trees, files []beckon.FileDiff, r room,
) (rest []beckon.FileDiff, err error) {
	if t.IgnoreSpace {
		if err := count(ctx, c, t, files); err != nil {
			return nil, err
		}
	}
	return patch(ctx, c, t, files, r)
}

// begin fills in what a page shows first, and marks the other files.
func begin(ctx context.Context, c command.Git, t Trees, l listed) error {
	order := pageOrder(l.files)
	for i := range l.files {
		l.files[i].Pending = true
	}
	if err := some(ctx, c, t, l, firstOf(l, order)); err != nil {
		return err
	}
	// Git goes by another order: what it printed may have left no room for what is above.
	for _, i := range order {
		if f := l.files[i]; f.Pending {
			if f.Patch == "" {
				return some(ctx, c, t, l, []int{i})
			}
			break
		}
	}
	return nil
}

// some fills in some of the files, as far as there is room.
func some(ctx context.Context, c command.Git, t Trees, l listed, which []int) error {
	if len(which) == 0 {
		return nil
	}
	among := l
	if len(which) < len(l.files) {
		for _, i := range which {
			t.Only = append(t.Only, l.names[i]...)
		}
		var err error
		if among, err = list(ctx, c, t); err != nil {
			return err
		}
	}
	files := slices.Clone(among.files)
	rest, err := fill(ctx, c, t, files, room{firstBytes, firstBytes})
	if err == nil {
		err = sizes(ctx, c, files, among.blobs)
	}
	if err != nil {
		return err
	}
	known := map[fileKey]beckon.FileDiff{}
	for _, f := range files[:len(files)-len(rest)] {
		f.Pending, f.Cut = f.Cut, false
		known[keyOf(f)] = f
	}
	for i, f := range l.files {
		// Among fewer files git may find other renames, and these are not taken.
		if found, ok := known[keyOf(f)]; ok {
			l.files[i] = found
		}
	}
	return nil
}

// fileKey is what two lists of the same trees name a file by.
type fileKey struct{ path, was, content, mode string }

func keyOf(f beckon.FileDiff) fileKey { return fileKey{f.Path, f.OldPath, f.Content, f.Mode} }

// pageOrder returns the places of files in the order in which a page shows them: by
// their folders, and by their names in these.
func pageOrder(files []beckon.FileDiff) []int {
	order := make([]int, len(files))
	folders := make([]string, len(files))
	for i, f := range files {
		order[i] = i
		folders[i], _ = path.Split(f.Path)
		folders[i] = strings.TrimSuffix(folders[i], "/")
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(strings.Compare(folders[a], folders[b]), strings.Compare(files[a].Path, files[b].Path))
	})
	return order
}

// firstOf returns the first files in an order, as many as a page shows first.
func firstOf(l listed, order []int) []int {
	size := 0
	for n, i := range order[:min(firstFiles, len(order))] {
		for _, name := range l.names[i] {
			size += len(name)
		}
		if size > MaxPathText {
			return order[:n]
		}
	}
	return order[:min(firstFiles, len(order))]
}

// Alone returns the file that has a path, and had another before a rename, with as much
// of its patch as can be shown of one; ok is false where it does not differ.
func Alone(ctx context.Context, c command.Git, t Trees, paths ...string) (f beckon.FileDiff, ok bool, err error) {
	t.Only = paths
	l, err := list(ctx, c, t)
	if err != nil {
		return f, false, err
	}
	if _, err := fill(ctx, c, t, l.files, room{MaxAlone, MaxAlone}); err != nil {
		return f, false, err
	}
	if err := sizes(ctx, c, l.files, l.blobs); err != nil {
		return f, false, err
	}
	at := slices.IndexFunc(l.files, func(f beckon.FileDiff) bool { return f.Path == paths[0] })
	if at < 0 {
		return f, false, nil
	}
	return l.files[at], true, nil
}
