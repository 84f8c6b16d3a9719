package database

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"beckon/backend/beckon"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Why a database cannot be opened. Errors that wrap them say what happened and
// what the user can do.
var (
	ErrNewer   = errors.New("made by a newer Beckon")
	ErrDamaged = errors.New("damaged")
)

// explainDamage makes SQLite's finding that the database at path is broken
// into words for the user. Other errors it returns as they are.
func explainDamage(path string, err error) error {
	code := Code(err) & 0xff
	if code != sqlite3.SQLITE_CORRUPT && code != sqlite3.SQLITE_NOTADB && !errors.Is(err, errCheck) {
		return err
	}
	return fmt.Errorf("%s is %w (%w) and was left as it is: %s; to go on, move it and %s-wal away, then put a copy in its place or start with an empty board",
		path, ErrDamaged, err, describeBackups(path), filepath.Base(path))
}

// RefuseEmptied returns ErrDamaged for a database of no bytes beside what only
// a Beckon with cards leaves: a file system or a copy that was cut short lost
// the rest, and SQLite would take it for a new one. A database that is not
// there is one that its user moved away.
func RefuseEmptied(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Size() > 0 || leftLog(path) {
		return nil
	}
	var kept []string
	for _, name := range []string{"transcripts", "worktrees", "backups"} {
		dir := filepath.Join(filepath.Dir(path), name)
		if files, err := os.ReadDir(dir); err == nil && len(files) > 0 {
			kept = append(kept, dir)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return fmt.Errorf("%s is %w: it is empty, though there were cards; it was left as it is, and so was what lies in %s; %s; to go on, move it away, then put a copy in its place or start with an empty board",
		path, ErrDamaged, strings.Join(kept, " and "), describeBackups(path))
}

func describeBackups(path string) string {
	dir := backupDir(path)
	files, err := os.ReadDir(dir)
	if err != nil || len(files) == 0 {
		return "copies that Beckon makes before an upgrade would lie in " + dir + ", but there is none"
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	return "copies made before upgrades lie in " + dir + ": " + strings.Join(names, ", ")
}

// explainConstraint gives SQLite's refusal of a row the word that callers
// compare with.
func explainConstraint(err error) error {
	switch Code(err) {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
		return fmt.Errorf("%w: %w", beckon.ErrConflict, err)
	case sqlite3.SQLITE_CONSTRAINT_CHECK, sqlite3.SQLITE_CONSTRAINT_NOTNULL, sqlite3.SQLITE_CONSTRAINT_DATATYPE:
		return fmt.Errorf("%w: %w", beckon.ErrInvalid, err)
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
		return fmt.Errorf("what this belongs to: %w: %w", beckon.ErrNotFound, err)
	default:
		return err
	}
}

// Code returns SQLite's extended result code, 0 if err is not one of its.
func Code(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return sqlite3.SQLITE_OK
	}
	return e.Code()
}
