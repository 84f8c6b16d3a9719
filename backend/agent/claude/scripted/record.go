package scripted

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/sessionfile"
)

// recordPath returns where the record of the conversation is: in the CLI's folder for the
// working directory, or nowhere unless CLAUDE_CONFIG_DIR names a folder. The user's own
// is not for a stand-in.
func (o *output) recordPath() string {
	dir := os.Getenv("CLAUDE_CONFIG_DIR")
	if dir == "" {
		return ""
	}
	at, err := filepath.EvalSymlinks(workDir())
	if err != nil {
		at = workDir()
	}
	return filepath.Join(dir, "projects", sessionfile.Folder(at), o.session()+".jsonl")
}

// recorded reports whether the conversation has a record.
func (o *output) recorded() bool {
	_, err := os.Stat(cmp.Or(o.recordPath(), "."))
	return err == nil
}

// record writes a line into the record of the conversation, as the CLI does,
// but before it prints it.
func (o *output) record(line []byte) {
	path := o.recordPath()
	if path == "" || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.Write(append(line[:len(line):len(line)], '\n'))
}

// speech is what one side said, as the Messages API has it.
type speech struct {
	Role    string         `json:"role"`
	Content claude.Content `json:"content"`
}

// conversation returns what was said so far, by the record. A call that has no result is
// left out, as the CLI leaves it out of a session that it resumes.
func (o *output) conversation() ([]speech, error) {
	text, err := os.ReadFile(o.recordPath())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var said []speech
	answered := map[string]bool{}
	for line := range bytes.Lines(text) {
		var entry struct {
			Message speech `json:"message"`
		}
		if json.Unmarshal(line, &entry) != nil {
			continue // a kill cut it short
		}
		for _, b := range entry.Message.Content {
			answered[b.ToolUseID] = true
		}
		said = append(said, entry.Message)
	}
	var whole []speech
	for _, s := range said {
		s.Content = slices.DeleteFunc(s.Content, func(b claude.Block) bool { return b.Type == claude.ToolUseBlock && !answered[b.ID] })
		whole = joined(whole, s)
	}
	return whole, nil
}

// joined appends a speech. The two sides take turns in the Messages API.
func joined(all []speech, s speech) []speech {
	last := len(all) - 1
	switch {
	case len(s.Content) == 0:
	case last >= 0 && all[last].Role == s.Role:
		all[last].Content = append(all[last].Content, s.Content...)
	default:
		all = append(all, s)
	}
	return all
}
