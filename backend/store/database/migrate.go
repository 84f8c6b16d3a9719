package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// errCheck is what a database that does not pass SQLite's own check wraps.
var errCheck = errors.New("check")

// Migrate brings the database at path up to the last of the scripts, which are
// migrations/*.sql in the order of their names. Its PRAGMA user_version is the
// number of scripts it has seen, so one that was released is never edited: the
// next one changes what it made. The database is written to only if it is sound and not
// of a newer Beckon, and copied first unless it is empty. One that is damaged is
// ErrDamaged, one of a newer Beckon ErrNewer.
func Migrate(ctx context.Context, path string, scripts fs.FS, steps Steps) error {
	return explainDamage(path, migrate(ctx, path, scripts, steps))
}

// Steps are what follows a script in its transaction, by the script's name: what SQL
// cannot say.
type Steps map[string]func(context.Context, *sql.Tx) error

func migrate(ctx context.Context, path string, scripts fs.FS, steps Steps) error {
	names, err := fs.Glob(scripts, "migrations/*.sql")
	if err != nil {
		return err
	}
	have, empty, err := inspect(ctx, path, len(names))
	if err != nil || have == len(names) {
		return err
	}
	// Foreign keys are off because a script that makes a table again drops the
	// old one, which would delete what refers to it. apply checks them.
	db, err := Open(path, "", "journal_mode(wal)", "synchronous(full)", "foreign_keys(off)")
	if err != nil {
		return err
	}
	defer db.Close()
	if !empty {
		if err := backUp(ctx, db, path, have); err != nil {
			return fmt.Errorf("copy %s before the upgrade: %w", path, err)
		}
	}
	for i, name := range names[have:] {
		if err := apply(ctx, db, scripts, steps, name, have+i+1); err != nil {
			return fmt.Errorf("upgrade %s with %s: %w", path, name, err)
		}
	}
	return nil
}

// inspect returns the version of the database at path and whether it has no
// tables, without changing it. Versions above known are ErrNewer.
func inspect(ctx context.Context, path string, known int) (version int, empty bool, err error) {
	unclean := leftLog(path)
	db, err := Open(path, "ro")
	if err != nil {
		return 0, false, err
	}
	defer db.Close()
	err = db.QueryRowContext(ctx,
		"SELECT user_version, (SELECT count(*) FROM sqlite_schema) = 0 FROM pragma_user_version").
		Scan(&version, &empty)
	if err != nil {
		return 0, false, err
	}
	if version > known {
		return 0, false, fmt.Errorf("%s was %w (its version is %d, this Beckon knows up to %d) and was left as it is: install the newer Beckon again, or choose another folder with --data",
			path, ErrNewer, version, known)
	}
	if unclean {
		err = check(ctx, db)
	}
	return version, empty, err
}

// leftLog reports whether the database has a -wal file that was not moved into
// it, as it is after a kill or a power cut.
func leftLog(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0
}

// check reads the whole database. It takes long for a large one, so it is for
// the times when damage is likely. The copy before an upgrade reads it too.
func check(ctx context.Context, db *sql.DB) error {
	var finding string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&finding); err != nil {
		return err
	}
	if finding != "ok" {
		return fmt.Errorf("%w: %s", errCheck, finding)
	}
	return nil
}

func backupDir(path string) string { return filepath.Join(filepath.Dir(path), "backups") }

// backUp copies the database into its backup folder.
func backUp(ctx context.Context, db *sql.DB, path string, version int) (err error) {
	dir := backupDir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	name := fmt.Sprintf("beckon-v%d-%s.db", version, time.Now().UTC().Format("20060102T150405.000000000Z"))
	// VACUUM INTO takes an empty file. Making it here makes it private, and
	// never one that was there before.
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err := f.Close(); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", f.Name())
	return err
}

// apply runs one script and its step, all of it or nothing, and notes that it did.
func apply(ctx context.Context, db *sql.DB, scripts fs.FS, steps Steps, name string, version int) error {
	script, err := fs.ReadFile(scripts, name)
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after a commit
	if _, err := tx.ExecContext(ctx, string(script)); err != nil {
		return err
	}
	if step := steps[name]; step != nil {
		if err := step(ctx, tx); err != nil {
			return err
		}
	}
	var orphans int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM pragma_foreign_key_check").Scan(&orphans); err != nil {
		return err
	}
	if orphans > 0 {
		return fmt.Errorf("%d rows would refer to nothing", orphans)
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		return err
	}
	return tx.Commit()
}
