package store

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
)

//go:embed words.sql
var wordsSchema string

// wordsVersion changes with what the words are made of, or how.
const wordsVersion = 1

// Words is the full text of the transcripts, in a file of its own beside the
// database: it is large, can be made again, and is written all the time, so it
// shall neither be copied nor checked with what can not be, nor hold it up.
//
// The words of 32,768 rows are a table. FTS5 gathers all that begins with a
// prefix before it gives the first row; of a table of that size this takes
// milliseconds, and the newest rows are found in the newest tables.
type Words struct{ write, read *sql.DB }

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

// OpenWords opens the words of a data folder that is open. What is damaged or
// of another version is begun anew.
func OpenWords(ctx context.Context, dir string) (*Words, error) {
	path := filepath.Join(dir, "search.db")
	w, err := openWords(ctx, path)
	if err == nil {
		return w, nil
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !os.IsNotExist(err) {
			return nil, fmt.Errorf("begin the search index anew: %w", err)
		}
	}
	return openWords(ctx, path)
}

func openWords(ctx context.Context, path string) (_ *Words, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) // before SQLite makes it less private
	if err != nil {
		return nil, err
	}
	w := &Words{}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.Close())
		}
	}()
	if err := f.Close(); err != nil {
		return nil, err
	}
	// NORMAL may lose the last commits in a power cut, not more: they are read
	// from the transcripts again.
	if w.write, err = connect(path, "", "journal_mode(wal)", "synchronous(normal)"); err != nil {
		return nil, err
	}
	w.write.SetMaxOpenConns(1)
	if w.read, err = connect(path, "ro"); err != nil {
		return nil, err
	}
	w.read.SetMaxOpenConns(2)
	var version int
	if err := w.write.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return nil, err
	}
	switch version {
	case wordsVersion:
		return w, nil
	case 0:
		_, err = w.write.ExecContext(ctx, fmt.Sprintf("BEGIN; %s; PRAGMA user_version = %d; COMMIT", wordsSchema, wordsVersion))
		return w, err
	default:
		return nil, fmt.Errorf("the search index has version %d", version)
	}
}

// Close closes the file.
func (w *Words) Close() error {
	var errs []error
	for _, db := range []*sql.DB{w.read, w.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// Progress returns how far the words of each run are in, by its id.
func (w *Words) Progress(ctx context.Context) (map[string]Progress, error) {
	rows, err := w.read.QueryContext(ctx, "SELECT id, task, project, done, size FROM run")
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
func (w *Words) Done(ctx context.Context, runID string) (lines int64, err error) {
	err = w.read.QueryRowContext(ctx, "SELECT coalesce(max(done), 0) FROM run WHERE id = ?", runID).Scan(&lines)
	return lines, err
}

// Put adds the words and landmarks of a run's next lines, and notes how far
// it is in.
func (w *Words) Put(ctx context.Context, runID string, p Progress, places []Place, marks []beckon.Landmark) error {
	return w.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var run int64
		err := tx.QueryRowContext(ctx, `
			INSERT INTO run (id, task, project, done, size) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET done = excluded.done, size = excluded.size RETURNING n`,
			runID, p.TaskID, p.ProjectID, p.Done, p.Size).Scan(&run)
		if err != nil {
			return err
		}
		for _, m := range marks {
			_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO landmark VALUES (?, ?, ?, ?, ?, ?)", run, m.Pos, m.Part, m.Kind, m.Text, m.At)
			if err != nil {
				return err
			}
		}
		return putPlaces(ctx, tx, run, p, places)
	})
}

func putPlaces(ctx context.Context, tx *sql.Tx, run int64, p Progress, places []Place) error {
	var table, id int64 = -1, 0
	for _, at := range places {
		err := tx.QueryRowContext(ctx, "INSERT INTO entry (run, line, own, pos, part, kind, at) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
			run, at.Line, at.Own, at.Pos, at.Part, at.Kind, at.At).Scan(&id)
		if err != nil {
			return err
		}
		if table != id>>tableBits {
			table = id >> tableBits
			if err := makeTable(ctx, tx, table); err != nil {
				return err
			}
		}
		tokens := filterTokens(p.ProjectID, p.TaskID, at.Kind) + " " + at.Normalised
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("INSERT INTO words_%d (rowid, tokens) VALUES (?, ?)", table), id, tokens); err != nil {
			return err
		}
	}
	if len(places) == 0 {
		return nil
	}
	_, err := tx.ExecContext(ctx, "UPDATE run SET first = iif(first = 0, ?1 - ?2 + 1, first), last = ?1 WHERE n = ?3", id, len(places), run)
	return err
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

func (w *Words) change(ctx context.Context, do func(context.Context, *sql.Tx) error) error {
	return (&Store{write: w.write}).change(ctx, do)
}
