// Package api has the methods that the page may call, a file a subject. Each calls the
// package that decides, and passes on its answer or its error; a panic becomes an error.
// It knows neither the window nor the server that the page calls it by.
package api

import (
	"context"
	"encoding/json"
	"log/slog"
	"runtime/debug"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/agent/trial"
	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/board"
	"beckon/backend/board/steps"
	"beckon/backend/board/views"
	"beckon/backend/budget"
	"beckon/backend/channel"
	"beckon/backend/channel/desk"
	"beckon/backend/demo"
	"beckon/backend/desktop/openin"
	"beckon/backend/disk"
	"beckon/backend/executor"
	"beckon/backend/export"
	"beckon/backend/feed"
	"beckon/backend/filefind"
	"beckon/backend/forge"
	"beckon/backend/history"
	"beckon/backend/imports"
	"beckon/backend/notify"
	"beckon/backend/observe/watch"
	"beckon/backend/question"
	"beckon/backend/repeat"
	"beckon/backend/review"
	"beckon/backend/review/attempt"
	"beckon/backend/review/rewind"
	"beckon/backend/review/since"
	"beckon/backend/review/since/replay"
	"beckon/backend/review/since/why"
	"beckon/backend/runner"
	"beckon/backend/runner/outbox"
	"beckon/backend/scripts"
	"beckon/backend/search"
	"beckon/backend/store/numbers"
	"beckon/backend/terminal"
	"beckon/backend/update"
)

// API is the page's view of Beckon, in the window and over `serve` alike.
// Every exported method is callable from the page, so each exists because a
// person does that thing. What is decided belongs into the back end.
type API struct {
	ctx   context.Context // of the program; Wails leaves no other place for it
	parts Parts
}

// Shown is a part that has a state which clients show.
type Shown interface {
	// State returns the present state, as events.
	State(ctx context.Context) ([]beckon.Event, error)
}

// Parts are what the methods call.
type Parts struct {
	Board     *board.Board
	Bulk      *steps.ManyCards
	Undo      *steps.Undo
	Views     *views.Saved
	Comments  *review.Comments
	Since     *since.Since
	Runner    *runner.Runner
	Trials    *trial.Trials
	History   *history.History
	Files     *filefind.Finder
	Images    outbox.Images
	Questions *question.Desk
	// Answer gives an answer to a question, wherever it was asked.
	Answer   func(ctx context.Context, id string, answer beckon.Answer) error
	Outside  *watch.Outside
	Channels *channel.Hub
	Devices  desk.Devices
	Feed     *feed.Feed
	Search   *search.Index
	// Shown are those whose state is sent to each new client, beside History's.
	Shown     []Shown
	Scripts   *scripts.Scripts
	Terminals *terminal.Terminals
	Repeat    *repeat.Repeater
	Imports   *imports.Importer
	Budgets   *budget.Keeper
	Notices   *notify.Center
	Numbers   numbers.Rows
	Ledger    *since.Ledger
	Rewinder  *rewind.Rewinder
	Attempts  *attempt.Attempts
	Why       *why.Finder
	Replay    *replay.Replayer
	Pulls     *forge.Forge
	Update    *update.Watch
	Build     beckon.Build // what About tells of it, but where its notices are
	Lost      review.LostWork
	Conflict  review.ConflictFinder
	Export    *export.Exporter
	Demo      *demo.Process
	Usage     *disk.RoomMeter
	Executors *executor.Executors
	Claude    func() (cli.Options, error)
	Shell     *Shell
}

// New returns the methods over the parts. They work until ctx ends.
func New(ctx context.Context, p Parts) *API { return &API{ctx, p} }

// Shell is what only the window or only the browser can do.
type Shell struct {
	About        func() beckon.About
	ChooseFolder func() (string, error)
	OpenURL      func(url string) error
	// ShowFolder shows a folder in the file manager.
	ShowFolder func(dir string) error
	// Programs are what a folder can be opened in.
	Programs openin.Machine
	// Events takes what the desktop asks of the page.
	Events func() []beckon.PageCall
	Quit   func(beckon.QuitChoice) error
}

// recovered turns a panic of a bound method into an error: Wails would leave
// the page's promise unsettled forever.
func recovered(err *error) {
	if p := recover(); p != nil {
		slog.Error("a bound method panicked", "panic", p, "stack", string(debug.Stack()))
		*err = problem.FromPanic(p)
	}
}

// FormatError gives the page an error as the JSON text of a beckon.Failure: an
// object would arrive as "[object Object]".
func FormatError(err error) any {
	text, _ := json.Marshal(beckon.FailureOf(err))
	return string(text)
}
