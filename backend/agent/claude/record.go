package claude

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"beckon/backend/agent"
	"beckon/backend/agent/lenient"
	"beckon/backend/beckon"
)

// Record is the file in which the CLI writes a conversation down: what it has
// not written when it is killed, the model of the next process does not know,
// and what it has written that model knows; see docs/PROTOCOL.md section 10.
// The CLI writes within about 100 ms of what it prints, and a message even
// before it prints its echo.
//
// It remembers how far it was read, so that what is looked for again is looked
// for in what is new alone. It is for one goroutine.
type Record struct {
	path string
	// next is where the first line begins that was not read whole, and from
	// where reading began; looked is what was not found in between.
	from, next int64
	looked     map[agent.Proof]bool
}

// FindRecord returns the record of a session, by the environment of the CLI.
// fs.ErrNotExist says that the CLI has written none; where it is unknown
// whether the CLI writes its records there, beckon.ErrUnavailable.
func FindRecord(env []string, session string) (*Record, error) {
	if !IsUUID(session) {
		return nil, fmt.Errorf("the session %q: %w", session, beckon.ErrInvalid)
	}
	dir := ConfigDir(env)
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("the CLI's own folder: %w: %w", beckon.ErrUnavailable, err)
	}
	projects := filepath.Join(dir, "projects")
	folders, err := os.ReadDir(projects)
	if err != nil {
		return nil, err
	}
	for _, f := range folders {
		path := filepath.Join(projects, f.Name(), session+".jsonl")
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			return &Record{path: path}, nil
		}
	}
	return nil, fmt.Errorf("the record of session %s: %w", session, fs.ErrNotExist)
}

// IsUUID reports whether a string has the form of a session's ID, so that it is
// nothing but a name in a path.
func IsUUID(s string) bool {
	return len(s) == 36 && !strings.ContainsFunc(s, func(r rune) bool {
		return !strings.ContainsRune("0123456789abcdefABCDEF-", r)
	})
}

// ConfigDir is where a CLI of this environment keeps what it writes.
func ConfigDir(env []string) string {
	if dir := lookup(env, "CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	home := "HOME"
	if runtime.GOOS == "windows" {
		home = "USERPROFILE"
	}
	return filepath.Join(lookup(env, home), ".claude")
}

func lookup(env []string, name string) string {
	for _, pair := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value
		}
	}
	return ""
}

// Has returns which of the proofs are in the end of the record, by their IDs.
// Where the file has more than most bytes and not all were found, errUnread
// says that the others may be in it all the same. What an earlier call found
// is to be left out.
func (r *Record) Has(proofs []agent.Proof, most int64) (map[string]bool, error) {
	found := map[string]bool{}
	f, err := os.OpenFile(r.path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a FIFO in its place must not keep us
	if err != nil {
		return found, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return found, err
	}
	if !info.Mode().IsRegular() {
		return found, fmt.Errorf("%s is no regular file: %w", r.path, beckon.ErrInvalid)
	}
	r.begin(proofs, info.Size(), most)
	if err := r.read(io.NewSectionReader(f, r.next, info.Size()-r.next), proofs, found); err != nil {
		r.looked = nil
		return found, err
	}
	if r.from > 0 && len(found) < len(proofs) {
		return found, errUnread
	}
	return found, nil
}

// begin goes back to the end of the record's last most bytes where one of the
// proofs was not looked for in them yet, or the file was replaced by a shorter
// one.
func (r *Record) begin(proofs []agent.Proof, size, most int64) {
	if size < r.next || slices.ContainsFunc(proofs, func(p agent.Proof) bool { return !r.looked[p] }) {
		r.from = max(0, size-most)
		r.next = r.from
	}
	r.looked = map[agent.Proof]bool{}
	for _, p := range proofs {
		r.looked[p] = true
	}
}

// read notes which of the proofs the rest of the record has.
func (r *Record) read(rest io.Reader, proofs []agent.Proof, found map[string]bool) error {
	lines := bufio.NewReader(rest)
	for {
		line, err := lines.ReadBytes('\n')
		for _, p := range proofs {
			if !found[p.ID] && proves(p, line) {
				found[p.ID] = true
			}
		}
		switch {
		case errors.Is(err, io.EOF): // the line that is being written is read again
			return nil
		case err != nil:
			return err
		}
		r.next += int64(len(line))
		if len(found) == len(proofs) {
			return nil
		}
	}
}

var errUnread = errors.New("the record is too large to be read whole")

// proves reports whether a line of a record is the proof. Most lines do not hold
// its ID and are not decoded; a line that was cut short by a kill is no JSON,
// for the CLI too.
func proves(p agent.Proof, line []byte) bool {
	if p.ID == "" || !bytes.Contains(line, []byte(`"`+p.ID+`"`)) {
		return false
	}
	var entry struct {
		Type       string          `json:"type"`
		UUID       string          `json:"uuid"`
		Attachment json.RawMessage `json:"attachment"`
		Message    struct {
			Content Content `json:"content"`
		} `json:"message"`
	}
	if lenient.Unmarshal(line, &entry) != nil {
		return false
	}
	switch entry.Type {
	case "user":
		return entry.UUID == p.ID || slices.ContainsFunc(entry.Message.Content, func(b Block) bool { return isResult(p, b) })
	case "attachment": // a message that was heard within a turn
		return bytes.Contains(entry.Attachment, []byte(`"`+p.ID+`"`))
	}
	return false
}

func isResult(p agent.Proof, b Block) bool {
	return b.Type == ToolResultBlock && b.ToolUseID == p.ID &&
		(!b.IsError || p.Words != "" && strings.Contains(b.Content.Text(), p.Words))
}
