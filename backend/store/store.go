// Package store keeps Beckon's projects, tasks, runs, questions and settings
// in one SQLite file of the data folder. All SQL is here and below: what lies
// beside the database is datadir's, the full text textindex's.
//
// What a method has returned as done is on the disk: it survives the death of
// Beckon and of the machine. Of several who settle one question the database
// picks the first, and the others get beckon.ErrConflict. The package decides
// nothing else, publishes nothing, and knows neither processes nor git.
package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"beckon/backend/store/away"
	"beckon/backend/store/checkpoints"
	"beckon/backend/store/database"
	"beckon/backend/store/datadir"
	"beckon/backend/store/decisions"
	"beckon/backend/store/money"
	"beckon/backend/store/numbers"
	"beckon/backend/store/parts"
	"beckon/backend/store/reviewed"
	"beckon/backend/store/sentence"
	"beckon/backend/store/table"
	"beckon/backend/store/undolog"
	"beckon/backend/store/worktrees"

	"github.com/gofrs/flock"
)

//go:embed migrations/*.sql
var migrations embed.FS

// databaseName is the file in the data folder.
const databaseName = "beckon.db"

// Store is an open data folder. Its methods may be called from any goroutine.
//
// Methods that write begin only while their context lives, and then run to
// their end whatever becomes of it: a caller that gets an error from one may
// rely on it that nothing was changed.
type Store struct {
	dir  string
	lock *flock.Flock
	*datadir.Ends
	datadir.Images
	// Settings are what the user set.
	Settings Settings
	// Abilities are what agents said that they can do.
	Abilities Abilities
	// Drafts are what was typed and not sent.
	Drafts Drafts
	// Viewed are the files of tasks' changes that the user viewed.
	Viewed reviewed.Viewed
	// Told is what the channels told away from the desk.
	Told away.Told
	// Paired are the chats and people that may answer away from the desk.
	Paired away.Paired
	// Devices are the phones that may.
	Devices away.Devices
	// Undo is what changed last on cards and can be taken back.
	Undo      undolog.Book
	Views     Views     // looks at the board
	Executors Executors // where runs execute besides this computer
	// Comments are those on lines of tasks' changes.
	Comments reviewed.Comments
	// Scripts are how commands ran in worktrees.
	Scripts     worktrees.Runs
	Ports       worktrees.Ports  // those that tasks have
	Pulls       reviewed.Pulls   // the pull requests of tasks
	Money       money.Rows       // what runs took, and what the user allows
	Numbers     numbers.Rows     // sums of what agents took and did, by the day
	Decisions   decisions.Rows   // questions that were decided
	Checkpoints checkpoints.Rows // what worktrees were when questions were asked
	// Templates make tasks again and again.
	Templates Templates
	// Intents are what git is about to do to tasks' branches.
	Intents Intents
	// Parts are the work of tasks in further repositories.
	Parts parts.Rows
	// Turns are what the work was at turns and reviews.
	Turns reviewed.Turns
	// write has a single connection, and writer decides who is next, so that
	// none queues in SQLite's busy handler, which is neither fair nor heeds a
	// context.
	write  *sql.DB
	writer database.Writer
	// read has its own connections: in WAL mode they neither wait for the
	// writer nor hold it up.
	read *sql.DB
	full chan struct{} // 1-buffered; see Full
}

// Open opens the data folder dir, and makes it or brings it up to date where
// that is needed. A folder that another Beckon has open is left as it is, and
// the error is datadir.ErrInUse; data of a newer Beckon is database.ErrNewer,
// damaged data database.ErrDamaged. Their texts are for the user.
func Open(ctx context.Context, dir string) (*Store, error) {
	return open(ctx, dir, migrations)
}

func open(ctx context.Context, dir string, scripts fs.FS) (_ *Store, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	held, err := datadir.Lock(dir)
	if err != nil {
		return nil, err
	}
	s := &Store{dir: dir, lock: held, Images: datadir.ImagesOf(dir), full: make(chan struct{}, 1)}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	path := filepath.Join(dir, databaseName)
	if err := database.RefuseEmptied(path); err != nil {
		return nil, err
	}
	if err := makePrivate(dir); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	if err := database.Migrate(ctx, path, scripts,
		database.Steps{"migrations/0029_reasons.sql": sentence.Rewrite}); err != nil {
		return nil, err
	}
	if s.Ends, err = datadir.OpenEnds(dir); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	return s, s.connect(ctx, path)
}

// makePrivate makes the database's file, if there is none, and takes it and
// its folder from everybody but the user. SQLite gives its -wal and -shm files
// the mode of the database.
func makePrivate(dir string) error {
	f, err := os.OpenFile(filepath.Join(dir, databaseName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Chmod(0o600), f.Close(), os.Chmod(dir, 0o700))
}

// connect opens the pools.
//
// Commits are synchronous=FULL. NORMAL would survive the death of Beckon too,
// but a power cut could undo the last commits, and with them an answer that
// the agent has acted on already. FULL costs an fsync for each commit, and
// commits come at a person's pace: the agents' stream goes to the transcript.
//
// Who reads keeps few pages: those of the file are in the system's memory already,
// which all readers share.
func (s *Store) connect(ctx context.Context, path string) (err error) {
	s.write, err = database.Open(path, "", "journal_mode(wal)", "synchronous(full)", "foreign_keys(on)")
	if err != nil {
		return err
	}
	s.write.SetMaxOpenConns(1)
	s.writer.DB = s.write
	s.read, err = database.Open(path, "ro", "cache_size(-512)")
	if err != nil {
		return err
	}
	s.read.SetMaxOpenConns(4)
	s.Settings, s.Abilities = newSettings(s.read, s.change), newAbilities(s.read, s.change)
	s.Drafts, s.Viewed = newDrafts(s.read, s.change), reviewed.NewViewed(s.read, s.change)
	s.Told, s.Paired, s.Devices = away.NewTold(s.read, s.change), away.NewPaired(s.read, s.change),
		away.NewDevices(s.read, s.change)
	s.Undo, s.Views, s.Executors = undolog.NewBook(s.read, s.change), newViews(s.read, s.change),
		newExecutors(s.read, s.change)
	s.Comments, s.Turns = reviewed.NewComments(s.read, s.change), reviewed.NewTurns(s.read, s.change)
	s.Scripts, s.Ports = worktrees.NewRuns(s.read, s.change), worktrees.NewPorts(s.read, s.change)
	s.Money, s.Parts, s.Numbers, s.Decisions, s.Checkpoints = money.New(s.read, s.change), parts.New(s.read, s.change), numbers.New(s.read), decisions.New(s.read, questions), checkpoints.New(s.read, s.change)
	s.Templates, s.Pulls, s.Intents = newTemplates(s.read, s.change), reviewed.NewPulls(s.read, s.change),
		newIntents(s.read, s.change)
	return errors.Join(s.write.PingContext(ctx), s.read.PingContext(ctx))
}

// Close closes the database and leaves the data folder to others.
func (s *Store) Close() error {
	var errs []error
	// Readers first: the last connection to go moves the -wal file into the
	// database, and a reader cannot.
	for _, db := range []*sql.DB{s.read, s.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(append(errs, s.Ends.Close(), datadir.Unlock(s.lock))...)
}

// change runs do in a transaction that holds the write lock from its beginning, once
// where the context is of package once. The context that do gets does not end.
func (s *Store) change(ctx context.Context, do func(context.Context, *sql.Tx) error) error {
	if ctx.Value(togetherKey{}) != nil {
		return s.changeFirst(ctx, do)
	}
	return s.changeBy(ctx, s.writer.Change, do)
}

// changeFirst is change for what an agent or a person waits for: it does not wait for
// the other writers in line, and is committed with what else goes first.
func (s *Store) changeFirst(ctx context.Context, do func(context.Context, *sql.Tx) error) error {
	return s.changeBy(ctx, s.writer.ChangeFirst, do)
}

func (s *Store) changeBy(ctx context.Context, change table.Transaction, do func(context.Context, *sql.Tx) error) error {
	return s.explainFull(changeOnce(ctx, change, do))
}
