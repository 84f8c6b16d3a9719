//go:build !windows

package claude

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"beckon/backend/agent"
)

const recordSession = "29415263-59dc-4b65-bbad-00e030ce1cb9"

// recorded writes a session's record and returns the environment that leads
// to it.
func recorded(t *testing.T, text string) (env []string, path string) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, "projects", "-a-project", recordSession+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"HOME=/nowhere", "CLAUDE_CONFIG_DIR=" + dir}, path
}

// TestARecordShowsWhatTheAgentHeard and nothing else: neither the question of
// a call, nor its rejection, nor a line that was cut short passes for it.
func TestARecordShowsWhatTheAgentHeard(t *testing.T) {
	t.Parallel()
	const message = "33333333-3333-4333-8333-333333333333"
	result := func(more string) string {
		return `{"type":"user","uuid":"x","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_1"` + more +
			`}]}}` + "\n"
	}
	for name, c := range map[string]struct {
		record string
		proof  agent.Proof
		heard  bool
	}{
		"message": {
			`{"type":"user","uuid":"` + message + `","message":{"content":"hi"}}` + "\n",
			agent.Proof{ID: message},
			true,
		},
		"last line without end": {
			`{"type":"user","uuid":"` + message + `","message":{"content":"hi"}}`,
			agent.Proof{ID: message},
			true,
		},
		"cut short": {
			`{"type":"user","uuid":"` + message + `","message":{"cont`,
			agent.Proof{ID: message},
			false,
		},
		"only a child of it": {
			`{"type":"assistant","parentUuid":"` + message + `","uuid":"y"}` + "\n",
			agent.Proof{ID: message},
			false,
		},
		"queued and not taken": {
			`{"type":"queue-operation","uuid":"` + message + `"}` + "\n",
			agent.Proof{ID: message},
			false,
		},
		"within a turn": {`{"type":"attachment","attachment":{"type":"queued_command","source_uuid":"` + message +
			`"}}` + "\n", agent.Proof{ID: message}, true},
		"result":                {result(`,"content":"Blue"`), agent.Proof{ID: "toolu_1"}, true},
		"another call's result": {result(`,"content":"Blue"`), agent.Proof{ID: "toolu_12"}, false},
		"the call alone": {
			`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_1"}]}}` + "\n",
			agent.Proof{ID: "toolu_1"},
			false,
		},
		"rejected by the CLI": {
			result(`,"is_error":true,"content":"The user doesn't want to proceed"`),
			agent.Proof{ID: "toolu_1", Words: "Not that one."},
			false,
		},
		"denied by the user": {
			result(`,"is_error":true,"content":"Not that one."`),
			agent.Proof{ID: "toolu_1", Words: "Not that one."},
			true,
		},
		"error without a denial": {result(`,"is_error":true,"content":"timed out"`), agent.Proof{ID: "toolu_1"}, false},
		"no JSON at all":         {"\x00\xff\n\n[[[[\n", agent.Proof{ID: message}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env, _ := recorded(t, c.record)
			r, err := FindRecord(env, recordSession)
			if err != nil {
				t.Fatal(err)
			}
			found, err := r.Has([]agent.Proof{c.proof}, agent.RecordMost)
			if err != nil || found[c.proof.ID] != c.heard {
				t.Errorf("heard %t, %v; want %t", found[c.proof.ID], err, c.heard)
			}
		})
	}
}

// TestOfAHugeRecordOnlyTheEndIsRead: what is not in it may be before, and is
// not taken for unheard.
func TestOfAHugeRecordOnlyTheEndIsRead(t *testing.T) {
	t.Parallel()
	env, path := recorded(t, "")
	if err := os.Truncate(path, 3<<30); err != nil { // sparse
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString("\n" + `{"type":"user","uuid":"late","message":{"content":"hi"}}` + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := FindRecord(env, recordSession)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := r.Has([]agent.Proof{{ID: "late"}}, agent.RecordMost); err != nil || !found["late"] {
		t.Errorf("the end: %v, %v", found, err)
	}
	if _, err := r.Has([]agent.Proof{{ID: "early"}}, agent.RecordMost); err == nil {
		t.Error("what was not read passes for what is not there")
	}
}

// TestWhatIsNoRecordIsNotRead: a name that leads elsewhere, a link, a FIFO.
func TestWhatIsNoRecordIsNotRead(t *testing.T) {
	t.Parallel()
	env, path := recorded(t, "")
	for _, session := range []string{"", "../" + recordSession, strings.Repeat("a", 36) + "/", "*"} {
		if _, err := FindRecord(env, session); err == nil {
			t.Errorf("a session %q was looked for", session)
		}
	}
	r, err := FindRecord(env, recordSession)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", path); err != nil {
		t.Skip(err)
	}
	if _, err := FindRecord(env, recordSession); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a link was taken for a record: %v", err)
	}
	if _, err := r.Has([]agent.Proof{{ID: "x"}}, agent.RecordMost); err == nil {
		t.Error("a device was read")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := r.Has([]agent.Proof{{ID: "x"}}, agent.RecordMost); err == nil {
		t.Error("a FIFO was read")
	}
}

// TestARecordThatGrowsIsReadOnFromWhereItWas, and from its end's beginning for
// what nobody looked for yet: claude writes a message down before it says so.
func TestARecordThatGrowsIsReadOnFromWhereItWas(t *testing.T) {
	t.Parallel()
	line := func(id string) string { return `{"type":"user","uuid":"` + id + `","message":{"content":"hi"}}` + "\n" }
	env, path := recorded(t, line("old"))
	r, err := FindRecord(env, recordSession)
	if err != nil {
		t.Fatal(err)
	}
	has := func(want bool, id string, others ...string) {
		t.Helper()
		proofs := []agent.Proof{{ID: id}}
		for _, other := range others {
			proofs = append(proofs, agent.Proof{ID: other})
		}
		if found, err := r.Has(proofs, agent.RecordMost); err != nil || found[id] != want {
			t.Errorf("%s: %v, %v; want %v", id, found, err, want)
		}
	}
	write := func(text string) {
		t.Helper()
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			_, err = f.WriteString(text)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	has(false, "new")
	read := r.next
	if has(false, "new"); r.next != read || read != int64(len(line("old"))) {
		t.Errorf("read up to %d, then %d", read, r.next)
	}
	write(line("new")[:20])
	has(false, "new")
	write(line("new")[20:])
	has(true, "new")
	if r.next != read+int64(len(line("new"))) {
		t.Errorf("read up to %d", r.next)
	}
	has(true, "old", "new")
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	has(false, "old")
	write(line("old"))
	has(true, "old")
}
