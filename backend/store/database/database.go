// Package database opens SQLite databases: it connects, upgrades with a copy
// made first, runs transactions, and says in the user's words what is wrong
// with a database that cannot be used. What is in the tables it does not know.
package database

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver
)

// Open returns a pool for the database at path. The mode is that of
// SQLite's URIs: "ro", or empty to write.
func Open(path, mode string, pragmas ...string) (*sql.DB, error) {
	query := url.Values{"_txlock": {"immediate"}, "_pragma": append(pragmas, "busy_timeout(5000)")}
	if mode != "" {
		query.Set("mode", mode)
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // file:///C:/…
	}
	uri := url.URL{Scheme: "file", Path: slashed, RawQuery: query.Encode()}
	c, err := newConnector(uri.String())
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return sql.OpenDB(c), nil
}

// Change runs do in a transaction of db that holds the write lock from its
// beginning. The context that do gets does not end.
func Change(ctx context.Context, db *sql.DB, do func(context.Context, *sql.Tx) error) error {
	return transact(ctx, db, func(tx *sql.Tx) error {
		return explainConstraint(do(context.WithoutCancel(ctx), tx))
	})
}

// transact runs do in a transaction, which goes on though ctx ends.
func transact(ctx context.Context, db *sql.DB, do func(*sql.Tx) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	tx, err := conn.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after a commit
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}
