package diff

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/git/command"
)

// mostText is how many bytes a file may have whose lines are read; larger ones have
// no diff either.
const mostText = 16 << 20

// Lines returns the lines of files in a tree. Files that are not there, are no text
// that a diff would show, or have a line break in their name are left out.
func Lines(ctx context.Context, c command.Git, tree string, paths []string) (map[string][]string, error) {
	asked := make([]string, 0, len(paths))
	var input strings.Builder
	for _, path := range paths {
		if !strings.ContainsAny(path, "\n\r") {
			asked = append(asked, path)
			fmt.Fprintf(&input, "%s:%s\n", tree, path)
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	c.Input = input.String()
	found := map[string][]string{}
	err := c.Stream(ctx, func(out io.Reader) error {
		return readBatch(bufio.NewReader(out), asked, found)
	}, "cat-file", "--batch")
	return found, err
}

// readBatch reads what cat-file answers to each path in turn: what readHead reads, the
// content and a line break.
func readBatch(out *bufio.Reader, paths []string, found map[string][]string) error {
	for _, path := range paths {
		blob, size, err := readHead(out)
		if err != nil {
			return err
		}
		if size < 0 {
			continue // there is no such file
		}
		if !blob || size > mostText {
			if _, err := io.CopyN(io.Discard, out, size+1); err != nil {
				return err
			}
			continue
		}
		content := make([]byte, size+1)
		if _, err := io.ReadFull(out, content); err != nil {
			return err
		}
		text := strings.TrimSuffix(string(content[:size]), "\n")
		found[path] = strings.Split(strings.ToValidUTF8(text, "\uFFFD"), "\n")
	}
	return nil
}

// readHead reads what cat-file says of an object, "HASH TYPE SIZE" or "NAME missing":
// whether it is a file, and its size, which is -1 where there is none.
func readHead(out *bufio.Reader) (blob bool, size int64, err error) {
	head, err := out.ReadString('\n')
	if err != nil {
		return false, -1, err
	}
	fields := strings.Fields(head)
	if len(fields) != 3 {
		return false, -1, nil
	}
	if size, err = strconv.ParseInt(fields[2], 10, 64); err != nil {
		return false, -1, nil
	}
	return fields[1] == "blob", size, nil
}

// Content returns a file of a tree whole, and its size. Of one that has more bytes than
// most, or cannot be asked for, there is no content; the size of one that is not there
// is -1.
func Content(
	ctx context.Context, c command.Git, tree, path string, most int64,
) (content []byte, size int64, err error) {
	if !fs.ValidPath(path) || strings.ContainsAny(path, "\n\r\x00") {
		return nil, -1, nil
	}
	c.Input = tree + ":" + path + "\n"
	err = c.Stream(ctx, func(out io.Reader) error {
		in := bufio.NewReader(out)
		var blob bool
		if blob, size, err = readHead(in); err != nil {
			return err
		}
		if !blob {
			size = -1
		}
		if size < 0 || size > most {
			return command.ErrEnough
		}
		content = make([]byte, size)
		if _, err := io.ReadFull(in, content); err != nil {
			return err
		}
		return command.ErrEnough
	}, "cat-file", "--batch")
	return content, size, err
}

// sizes fills in the sizes of the binary files; blobs has the hashes of each.
func sizes(ctx context.Context, c command.Git, files []beckon.FileDiff, blobs [][2]string) error {
	var asked []*int64
	var input strings.Builder
	for i := range files {
		for side, size := range []*int64{&files[i].OldSize, &files[i].Size} {
			if files[i].Binary && strings.Trim(blobs[i][side], "0") != "" {
				asked = append(asked, size)
				fmt.Fprintln(&input, blobs[i][side])
			}
		}
	}
	if len(asked) == 0 {
		return nil
	}
	c.Input = input.String()
	return c.Stream(ctx, func(out io.Reader) error {
		in := bufio.NewReader(out)
		for _, size := range asked {
			var err error
			if _, *size, err = readHead(in); err != nil {
				return err
			}
		}
		return nil
	}, "cat-file", "--batch-check")
}

// Version is a file as a tree has it.
type Version struct {
	// Known is whether the repository has the tree. Text is the file, "" where the tree has none.
	Known bool
	Text  string
	There bool // whether the tree has the file
	// Unread is whether there is a file of which no text was read: it has too many bytes, or
	// is no text.
	Unread bool
}

// ErrTooMuch is that of files that have too many bytes together.
var ErrTooMuch = errors.New("the versions of the file have too many bytes")

// mostVersions is how many bytes the versions of a file may have together.
const mostVersions = 64 << 20

// Versions returns the file that has the first of paths in each of some trees; texts of up to
// most bytes. Where they have too many together it is ErrTooMuch.
func Versions(ctx context.Context, c command.Git, trees, paths []string, most int64) ([]Version, error) {
	found, blobs := make([]Version, len(trees)), make([]string, len(trees))
	asked := map[string]bool{}
	var input, whole strings.Builder
	sum := int64(0)
	for _, tree := range trees {
		fmt.Fprintf(&input, "%s^{tree}\n", tree)
		for _, path := range paths {
			if !fs.ValidPath(path) || strings.ContainsAny(path, "\n\r\x00") {
				return nil, beckon.Invalid("%.40q is no path of a file", path)
			}
			fmt.Fprintf(&input, "%s:%s\n", tree, path)
		}
	}
	c.Input = input.String()
	err := c.Stream(ctx, func(out io.Reader) error {
		in := bufio.NewReader(out)
		for i := range trees {
			for n := range 1 + len(paths) {
				head, err := in.ReadString('\n')
				if err != nil {
					return err
				}
				switch fields := strings.Fields(head); {
				case len(fields) != 3:
				case n == 0:
					found[i].Known = fields[1] == "tree"
				case fields[1] == "blob" && blobs[i] == "":
					size, err := strconv.ParseInt(fields[2], 10, 64)
					found[i].There, found[i].Unread = true, err != nil || size > most
					if blobs[i] = fields[0]; !found[i].Unread && !asked[blobs[i]] {
						asked[blobs[i]] = true
						sum += size
						fmt.Fprintln(&whole, blobs[i])
					}
				}
			}
		}
		return nil
	}, "cat-file", "--batch-check")
	if err == nil && sum > mostVersions {
		err = ErrTooMuch
	}
	if err != nil || len(asked) == 0 {
		return found, err
	}
	c.Input = whole.String()
	texts := map[string]string{}
	err = c.Stream(ctx, func(out io.Reader) error { return readBlobs(bufio.NewReader(out), len(asked), texts) }, "cat-file", "--batch")
	for i, blob := range blobs {
		if text, ok := texts[blob]; ok {
			found[i].Text, found[i].Unread = text, strings.Contains(text, "\x00")
		}
	}
	return found, err
}

// readBlobs reads as many files by their hashes.
func readBlobs(in *bufio.Reader, n int, texts map[string]string) error {
	for range n {
		head, err := in.ReadString('\n')
		if err != nil {
			return err
		}
		fields := strings.Fields(head)
		if len(fields) != 3 {
			continue
		}
		size, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil {
			return err
		}
		content := make([]byte, size+1)
		if _, err := io.ReadFull(in, content); err != nil {
			return err
		}
		texts[fields[0]] = strings.ToValidUTF8(string(content[:size]), "\uFFFD")
	}
	return nil
}
