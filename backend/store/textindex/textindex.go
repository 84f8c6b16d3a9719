// Package textindex is the full text of the transcripts, in a file of its own
// beside the database: which words stand where, and the landmarks of each run.
// It can be made again from the transcripts, so what is damaged or of another
// version is thrown away. It is given tokens and places; it reads no transcript.
package textindex

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/store/database"
)

//go:embed schema.sql
var schema string

// version changes with what the index is made of, or how.
const version = 1

// Index is the open file. It is large, can be made again, and is written all
// the time, so it is neither copied nor checked with the database, which cannot
// be made again, nor does it hold that up.
//
// The words of 32,768 rows are a table. FTS5 gathers all that begins with a
// prefix before it gives the first row; of a table of that size this takes
// milliseconds, and the newest rows are found in the newest tables.
type Index struct{ write, read *sql.DB }

const tableBits = 15

// Place is where words stand.
type Place struct {
	ID            int64
	RunID, TaskID string
	Line          int64 // that holds them
	Own           int   // their part of the line
	Pos           int64 // the entry that shows them
	Part          int
	Kind          beckon.EntryKind
	At            int64
	// Normalised is, of a new row, its tokens, with blanks between.
	Normalised string
}

// Progress is how far a run's words are in.
type Progress struct {
	TaskID, ProjectID string
	Done              int64 // lines
	Size              int64 // of the log, when it was read last
}

// Open opens the index of a data folder that is open. What is damaged or of
// another version is made again, empty.
func Open(ctx context.Context, dir string) (*Index, error) {
	path := filepath.Join(dir, "search.db")
	x, err := openFile(ctx, path)
	if err == nil {
		return x, nil
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !os.IsNotExist(err) {
			return nil, fmt.Errorf("make the search index again: %w", err)
		}
	}
	return openFile(ctx, path)
}

func openFile(ctx context.Context, path string) (_ *Index, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) // before SQLite makes it less private
	if err != nil {
		return nil, err
	}
	x := &Index{}
	defer func() {
		if err != nil {
			err = errors.Join(err, x.Close())
		}
	}()
	if err := f.Close(); err != nil {
		return nil, err
	}
	// NORMAL may lose the last commits in a power cut, not more: they are read
	// from the transcripts again.
	if x.write, err = database.Open(path, "", "journal_mode(wal)", "synchronous(normal)"); err != nil {
		return nil, err
	}
	x.write.SetMaxOpenConns(1)
	if x.read, err = database.Open(path, "ro"); err != nil {
		return nil, err
	}
	x.read.SetMaxOpenConns(2)
	var found int
	if err := x.write.QueryRowContext(ctx, "PRAGMA user_version").Scan(&found); err != nil {
		return nil, err
	}
	switch found {
	case version:
		return x, nil
	case 0:
		_, err = x.write.ExecContext(ctx, fmt.Sprintf("BEGIN; %s; PRAGMA user_version = %d; COMMIT", schema, version))
		return x, err
	default:
		return nil, fmt.Errorf("the search index has version %d", found)
	}
}

// Close closes the file.
func (x *Index) Close() error {
	var errs []error
	for _, db := range []*sql.DB{x.read, x.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// Progress returns how far the words of each run are in, by its id.
func (x *Index) Progress(ctx context.Context) (map[string]Progress, error) {
	rows, err := x.read.QueryContext(ctx, "SELECT id, task, project, done, size FROM run")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]Progress{}
	for rows.Next() {
		var id string
		var p Progress
		if err := rows.Scan(&id, &p.TaskID, &p.ProjectID, &p.Done, &p.Size); err != nil {
			return nil, err
		}
		all[id] = p
	}
	return all, rows.Err()
}

// Done is how many lines of a run are in.
func (x *Index) Done(ctx context.Context, runID string) (lines int64, err error) {
	err = x.read.QueryRowContext(ctx, "SELECT coalesce(max(done), 0) FROM run WHERE id = ?", runID).Scan(&lines)
	return lines, err
}

// Lines are the next lines of a run, and how far it is in with them.
type Lines struct {
	RunID string
	Progress
	Places []Place
	Marks  []beckon.Landmark
}

// Add adds the words and landmarks of lines, all or none: FTS5 writes what a
// transaction added at its end, which costs the same for one row and for a hundred.
// It calls pace between two rows, which may take its time.
//
// The words come after all else: a statement that SQLite could have to undo makes
// FTS5 write down what it gathered, which for each row costs several times as much.
func (x *Index) Add(ctx context.Context, all []Lines, pace func()) error {
	return x.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var first int64
		var tokens []string // of the entries from first on
		for _, lines := range all {
			from, err := putLines(ctx, tx, lines)
			if err != nil {
				return err
			}
			if len(tokens) == 0 {
				first = from
			}
			for _, at := range lines.Places {
				tokens = append(tokens, filterTokens(lines.ProjectID, lines.TaskID, at.Kind)+" "+at.Normalised)
			}
		}
		return putTokens(ctx, tx, first, tokens, pace)
	})
}

// putLines adds all of a run's lines but the words, and returns the id of the first
// entry, if there are any.
func putLines(ctx context.Context, tx *sql.Tx, lines Lines) (first int64, err error) {
	var run int64
	err = tx.QueryRowContext(ctx, `
		INSERT INTO run (id, task, project, done, size) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET done = excluded.done, size = excluded.size RETURNING n`,
		lines.RunID, lines.TaskID, lines.ProjectID, lines.Done, lines.Size).Scan(&run)
	if err != nil {
		return 0, err
	}
	for _, m := range lines.Marks {
		_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO landmark VALUES (?, ?, ?, ?, ?, ?)", run, m.Pos,
			m.Part, m.Kind, m.Text, m.At)
		if err != nil {
			return 0, err
		}
	}
	if len(lines.Places) == 0 {
		return 0, nil
	}
	if first, err = putEntries(ctx, tx, run, lines.Places); err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, "UPDATE run SET first = iif(first = 0, ?, first), last = ? WHERE n = ?", first,
		first+int64(len(lines.Places))-1, run)
	return first, err
}

// putTokens adds the tokens of entries, whose ids begin with first, to their tables.
func putTokens(ctx context.Context, tx *sql.Tx, first int64, tokens []string, pace func()) error {
	for len(tokens) > 0 {
		table := first >> tableBits
		n := min(int64(len(tokens)), (table+1)<<tableBits-first)
		if err := makeTable(ctx, tx, table); err != nil {
			return err
		}
		if err := putWords(ctx, tx, table, first, tokens[:n], pace); err != nil {
			return err
		}
		first, tokens = first+n, tokens[n:]
	}
	return nil
}

// putEntries adds rows of places and returns the id of the first; those of the others
// follow it.
func putEntries(ctx context.Context, tx *sql.Tx, run int64, places []Place) (first int64, err error) {
	err = tx.QueryRowContext(ctx,
		"SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'entry'").Scan(&first)
	if err != nil {
		return 0, err
	}
	insert, err := tx.PrepareContext(ctx,
		"INSERT INTO entry (id, run, line, own, pos, part, kind, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
	if err != nil {
		return 0, err
	}
	defer func() { _ = insert.Close() }() // the transaction tells of errors
	for i, at := range places {
		if _, err := insert.ExecContext(ctx, first+int64(i), run, at.Line, at.Own, at.Pos, at.Part,
			at.Kind, at.At); err != nil {
			return 0, err
		}
	}
	return first, nil
}

// putWords adds the tokens of entries, whose ids begin with first, to a table.
func putWords(ctx context.Context, tx *sql.Tx, table, first int64, tokens []string, pace func()) error {
	insert, err := tx.PrepareContext(ctx, fmt.Sprintf("INSERT INTO words_%d (rowid, tokens) VALUES (?, ?)", table))
	if err != nil {
		return err
	}
	defer func() { _ = insert.Close() }() // the transaction tells of errors
	for i, row := range tokens {
		if _, err := insert.ExecContext(ctx, first+int64(i), row); err != nil {
			return err
		}
		pace()
	}
	return nil
}

// makeTable makes the table of some rows' words. Texts are cut into tokens
// before they come here, so the tokenizer has only to see the blanks.
func makeTable(ctx context.Context, tx *sql.Tx, n int64) error {
	_, err := tx.ExecContext(ctx, fmt.Sprintf(
		"CREATE VIRTUAL TABLE IF NOT EXISTS words_%d USING fts5 (tokens, content = '', contentless_delete = 1, detail = none, prefix = '1 2', tokenize = ascii)", n))
	return err
}

// tokenMark begins the tokens that are no words, so that filters are found by
// the index as well. It is no letter, so no word begins with it.
const tokenMark = "\uE000"

func filterTokens(projectID, taskID string, kind beckon.EntryKind) string {
	var tokens []string
	for i, id := range []string{projectID, taskID, string(kind)} {
		if id != "" {
			tokens = append(tokens, tokenMark+"ptk"[i:i+1]+id)
		}
	}
	return strings.Join(tokens, " ")
}

func (x *Index) change(ctx context.Context, do func(context.Context, *sql.Tx) error) error {
	return database.Change(ctx, x.write, do)
}
