package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
)

// mostKept is how many statements a connection keeps: those of a screen or of a question, each of
// some kilobytes.
const mostKept = 48

// connector opens connections that keep the statements that they prepared. SQLite would read the
// same words again each time, which is a tenth of what an agent's question costs.
type connector struct {
	driver driver.Driver
	uri    string
}

func newConnector(uri string) (connector, error) {
	db, err := sql.Open("sqlite", uri)
	if err != nil {
		return connector{}, err
	}
	return connector{driver: db.Driver(), uri: uri}, db.Close()
}

func (c connector) Driver() driver.Driver { return c.driver }

func (c connector) Connect(context.Context) (driver.Conn, error) {
	one, err := c.driver.Open(c.uri)
	if err != nil {
		return nil, err
	}
	return &conn{connection: one.(connection), kept: map[string]*statement{}}, nil
}

// connection is what a connection of SQLite's driver can do and is asked for.
type connection interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// conn is a connection with the statements that it keeps. One goroutine at a time uses it.
type conn struct {
	connection
	kept map[string]*statement
	uses int64
}

// statement is one that is prepared.
type statement struct {
	driver.Stmt
	kept bool  // not closed after its use
	busy bool  // its rows are being read
	used int64 // the latest use
}

// Close closes the statements and the connection.
func (c *conn) Close() error {
	for _, s := range c.kept {
		_ = s.Close() // the connection goes with them
	}
	return c.connection.Close()
}

// ExecContext runs a statement that returns no rows.
func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.take(ctx, query)
	if err != nil {
		return nil, err
	}
	result, err := s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
	if gone := s.release(); err == nil {
		err = gone
	}
	return result, err
}

// QueryContext runs a statement that returns rows.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.take(ctx, query)
	if err != nil {
		return nil, err
	}
	all, err := s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
	if err != nil {
		_ = s.release()
		return nil, err
	}
	return &rows{Rows: all, of: s}, nil
}

// take returns the statement for its words, which nobody else uses.
func (c *conn) take(ctx context.Context, query string) (*statement, error) {
	c.uses++
	s := c.kept[query]
	if s == nil || s.busy {
		one, err := c.PrepareContext(ctx, query)
		if err != nil {
			return nil, err
		}
		known := s != nil
		s = &statement{Stmt: one}
		if !known && c.makeRoom() {
			s.kept, c.kept[query] = true, s
		}
	}
	s.busy, s.used = true, c.uses
	return s, nil
}

// makeRoom closes the statement that was not used for the longest time, where there is no room for
// another, and reports whether there is now.
func (c *conn) makeRoom() bool {
	if len(c.kept) < mostKept {
		return true
	}
	oldest, found := "", false
	for query, s := range c.kept {
		if !s.busy && (!found || s.used < c.kept[oldest].used) {
			oldest, found = query, true
		}
	}
	if found {
		_ = c.kept[oldest].Close() // its words are read again when they are needed
		delete(c.kept, oldest)
	}
	return found
}

// release gives a statement back.
func (s *statement) release() error {
	s.busy = false
	if s.kept {
		return nil
	}
	return s.Close()
}

// rows are those of a statement, which is given back with them.
type rows struct {
	driver.Rows
	of *statement
}

// Close closes the rows.
func (r *rows) Close() error {
	err := r.Rows.Close()
	if gone := r.of.release(); err == nil {
		err = gone
	}
	return err
}
