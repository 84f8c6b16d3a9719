package diff

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/git/command"
)

// Patches fills in the patches of files, which are those that differ
// between the two trees, in git's order.
func Patches(ctx context.Context, c command.Git, from, to string, files []beckon.FileDiff) error {
	p := patches{files: files, at: -1}
	return comparing(c).Stream(ctx, p.read, arguments("-p", "-U3", from, to)...)
}

// patches sorts git's output into the files it belongs to. It goes by their
// order, because names in it are quoted and may be anything.
type patches struct {
	files []beckon.FileDiff
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
		start = !errors.Is(err, bufio.ErrBufferFull)
		if errors.Is(err, io.EOF) {
			p.finish()
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
	if p.total < MaxAll {
		return p.at < len(p.files)
	}
	for i := p.at; i < len(p.files); i++ {
		p.files[i].Cut = p.files[i].Added+p.files[i].Removed > 0
	}
	return false
}

// add appends a part of a line, as far as there is room.
func (p *patches) add(part []byte) {
	f := &p.files[p.at]
	room := min(MaxPatch-p.text.Len(), MaxAll-p.total)
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
