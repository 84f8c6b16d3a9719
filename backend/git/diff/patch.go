package diff

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/git/command"
)

// room is how many bytes patches may have. What a page cannot show is not sent to it.
type room struct{ file, all int }

// patch fills in the patches of files, which are the first that differ between the
// two trees, in git's order, and counts their lines. It returns those that there was no
// room for.
func patch(
	ctx context.Context, c command.Git, t Trees, files []beckon.FileDiff, r room,
) (rest []beckon.FileDiff, err error) {
	p := patches{at: -1, room: r}
	for i := range files {
		if !t.IgnoreSpace || !OnlySpace(files[i]) {
			files[i].Added, files[i].Removed = 0, 0
			p.files = append(p.files, &files[i])
		}
	}
	if err := comparing(c).Stream(ctx, p.read, t.arguments("-p", "-U3")...); err != nil ||
		p.at >= len(p.files) || p.total < r.all {
		return nil, err
	}
	// What is only white space has no lines, whether it is among the rest or not.
	from := slices.IndexFunc(files, func(f beckon.FileDiff) bool { return f.Path == p.files[p.at].Path })
	return files[from:], nil
}

// patches sorts git's output into the files it belongs to. It goes by their
// order, because names in it are quoted and may be anything.
type patches struct {
	room  room
	files []*beckon.FileDiff
	at    int // the file that is being read; -1 before the first
	// again is set at a file that became a link or the like: git prints it as
	// two, one deleted and one added.
	again  bool
	inHunk bool
	text   bytes.Buffer
	total  int
}

// read takes all of out. It stops early once no file can get any more.
func (p *patches) read(out io.Reader) error {
	in := bufio.NewReaderSize(out, 64<<10)
	start := true
	for {
		// A line may be longer than the buffer; only its first part counts as
		// the beginning of a line.
		part, err := in.ReadSlice('\n')
		if start && bytes.HasPrefix(part, []byte("diff --git ")) {
			if !p.next() {
				return command.ErrEnough
			}
		} else if start && bytes.HasPrefix(part, []byte("@@ ")) {
			p.inHunk = true
		}
		if p.inHunk {
			p.add(part)
		}
		if start {
			p.count(part)
		}
		start = !errors.Is(err, bufio.ErrBufferFull)
		if errors.Is(err, io.EOF) {
			p.finish()
			p.at++
			return nil
		}
		if err != nil && start {
			return err
		}
	}
}

// next begins the next file's patch and reports whether there is one to read.
func (p *patches) next() bool {
	p.inHunk = false
	if p.at >= 0 && !p.again && typeChanged(p.files[p.at].Mode) {
		p.again = true
		return true
	}
	p.finish()
	p.again = false
	p.at++
	return p.at < len(p.files) && p.total < p.room.all
}

// count notes what the beginning of a line says of its file.
func (p *patches) count(line []byte) {
	switch {
	case p.at < 0 || len(line) == 0:
	case !p.inHunk:
		p.files[p.at].Binary = p.files[p.at].Binary || bytes.HasPrefix(line, []byte("Binary files "))
	case line[0] == '+':
		p.files[p.at].Added++
	case line[0] == '-':
		p.files[p.at].Removed++
	}
}

// add appends a part of a line, as far as there is room.
func (p *patches) add(part []byte) {
	f := p.files[p.at]
	room := min(p.room.file-p.text.Len(), p.room.all-p.total)
	if len(part) > room {
		f.Cut = true
		part = part[:room]
	}
	p.text.Write(part)
	p.total += len(part)
}

// finish gives the file its patch.
func (p *patches) finish() {
	if p.at >= 0 && p.at < len(p.files) {
		p.files[p.at].Patch = strings.ToValidUTF8(p.text.String(), "\uFFFD")
	}
	p.text.Reset()
}

// typeChanged reports whether a mode change is one from a file to a link or a
// submodule, or back, for which git prints two patches.
func typeChanged(mode string) bool {
	old, now, ok := strings.Cut(mode, " → ")
	return ok && old[:3] != now[:3]
}
