package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/beckon/change"
	"beckon/backend/beckon/comment"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/found"
	"beckon/backend/beckon/merging"
	"beckon/backend/beckon/pagecall"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/pull"
	"beckon/backend/beckon/release"
	"beckon/backend/beckon/remote"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/beckon/savedview"
	"beckon/backend/beckon/script"
	"beckon/backend/board"
	"beckon/backend/bulk"
	"beckon/backend/channel"
	"beckon/backend/channel/desk"
	"beckon/backend/claude/cli"
	"beckon/backend/demo/process"
	"beckon/backend/desktop/openin"
	"beckon/backend/disk/room"
	"beckon/backend/executor"
	"beckon/backend/export"
	"beckon/backend/external/hooks"
	"beckon/backend/feed"
	"beckon/backend/filefind"
	"beckon/backend/forge"
	"beckon/backend/git"
	"beckon/backend/history"
	"beckon/backend/nearby"
	"beckon/backend/observe/watch"
	"beckon/backend/question"
	"beckon/backend/review"
	"beckon/backend/review/conflict"
	"beckon/backend/review/lost"
	"beckon/backend/review/since"
	"beckon/backend/runner"
	"beckon/backend/runner/attachment"
	"beckon/backend/scripts"
	"beckon/backend/search"
	"beckon/backend/store/undolog"
	"beckon/backend/undo"
	"beckon/backend/update"
	"beckon/backend/views"
)

// App is the page's view of Beckon, in the window and over `serve` alike.
// Every exported method is callable from the page, so each exists because a
// person does that thing. What is decided belongs into the back end.
type App struct {
	ctx       context.Context // of the program; Wails leaves no other place for it
	board     *board.Board
	bulk      *bulk.Cards
	undo      *undo.Undo
	views     *views.Views
	comments  *review.Comments
	since     *since.Since
	runner    *runner.Runner
	history   *history.History
	files     *filefind.Finder
	images    attachment.Images
	desk      *question.Desk
	outside   *watch.Outside
	channels  *channel.Hub
	devices   desk.Devices
	feed      *feed.Feed
	search    *search.Index
	scripts   *scripts.Scripts
	pulls     *forge.Forge
	update    *update.Watch
	lost      lost.Work
	conflict  conflict.Finder
	export    *export.Exporter
	demo      *process.Demo
	usage     *room.Meter
	executors *executor.Executors
	claude    func() (cli.Options, error)
	shell     shell
}

// shell is what only the window or only the browser can do.
type shell struct {
	about        func() beckon.About
	chooseFolder func() (string, error)
	openURL      func(url string) error
	// showFolder shows a folder in the file manager.
	showFolder func(dir string) error
	// programs are what a folder can be opened in.
	programs openin.Machine
	// events takes what the desktop asks of the page.
	events func() []pagecall.Call
	quit   func(beckon.QuitChoice) error
}

// About tells what Beckon found on this machine. It looks again each time.
func (a *App) About() (about beckon.About, err error) {
	defer recovered(&err)
	about = a.runner.About(a.ctx, a.shell.about())
	about.DataDir, about.System = a.board.DataDir, runtime.GOOS
	about.GitVersion, _ = git.Version(a.ctx) // empty where there is none
	about.Observed, about.Polled = a.outside.Observed()
	about.Updates, about.Build = a.update.Asks(), release.Build{Commit: commit, Date: date, Notices: update.NoticesFile()}
	about.Home, _ = os.UserHomeDir() // without it folders are shown in full
	return about, nil
}

// Attach returns the whole present state, or its first part; later frames go to the
// same client.
func (a *App) Attach(client string) (f beckon.Frame, err error) {
	defer recovered(&err)
	a.outside.Rescan() // roots that no process had at the last look
	more := false
	f, err = a.feed.Snapshot(func() ([]beckon.Event, error) {
		events, others, err := a.history.State(a.ctx)
		asks, err2 := a.channels.State(a.ctx)
		views, err3 := a.views.All(a.ctx)
		comments, err4 := a.comments.State(a.ctx)
		runs, err5 := a.scripts.State(a.ctx)
		pulls, err6 := a.pulls.State(a.ctx)
		news, err7 := a.update.State(a.ctx)
		executors, err8 := a.executors.State(a.ctx)
		more = others
		events = slices.Concat(events, asks, comments, runs, pulls)
		return append(events, beckon.Event{Views: &views}, news, executors), errors.Join(err, err2, err3, err4, err5, err6, err7, err8)
	})
	if more {
		f.More = history.BeforeAll
	}
	return f, err
}

// AttachMore returns the next part of the state, after what the More of the one before
// says.
func (a *App) AttachMore(after string) (f beckon.Frame, err error) {
	defer recovered(&err)
	next := ""
	f, err = a.feed.Snapshot(func() (events []beckon.Event, err error) {
		events, next, err = a.history.StateAfter(a.ctx, after)
		return events, err
	})
	f.Whole, f.More = false, next
	return f, err
}

// SkipUpdate has a newer version mentioned no more.
func (a *App) SkipUpdate(version string) (err error) {
	defer recovered(&err)
	return a.update.Skip(a.ctx, version)
}

// Watch names the tasks whose transcripts the client shows at this moment.
func (a *App) Watch(client string, taskIDs []string) (err error) {
	defer recovered(&err)
	err = a.feed.Watch(client, taskIDs)
	a.runner.Watching(taskIDs)
	a.outside.ReadOn()
	return err
}

// Transcript returns the page that ends before the cursor; an empty cursor
// means the end.
func (a *App) Transcript(taskID, before string, limit int) (p beckon.TranscriptPage, err error) {
	defer recovered(&err)
	return a.history.Transcript(a.ctx, taskID, before, limit)
}

// TranscriptAfter returns the page that begins after the cursor.
func (a *App) TranscriptAfter(taskID, after string, limit int) (p beckon.TranscriptPage, err error) {
	defer recovered(&err)
	return a.history.TranscriptAfter(a.ctx, taskID, after, limit)
}

// TranscriptAround returns the page around a place, "RUN/POS" of an entry.
func (a *App) TranscriptAround(taskID, place string, limit int) (p beckon.TranscriptPage, err error) {
	defer recovered(&err)
	return a.history.TranscriptAround(a.ctx, taskID, place, limit)
}

// Landmarks returns the places of a task's transcript worth jumping to, in
// order.
func (a *App) Landmarks(taskID string) (ls []beckon.Landmark, err error) {
	defer recovered(&err)
	return a.search.Landmarks(a.ctx, taskID)
}

// Search finds entries of all transcripts, newest first.
func (a *App) Search(q found.Query) (p found.Page, err error) {
	defer recovered(&err)
	return a.search.Search(a.ctx, q)
}

// Picture returns an image of a transcript's line as a data: URL.
func (a *App) Picture(runID string, pos int64, index int) (url string, err error) {
	defer recovered(&err)
	return a.history.Picture(a.ctx, runID, pos, index)
}

// ExportRun writes a run's transcript, secrets masked, to a new file in the
// user's download folder and returns its path.
func (a *App) ExportRun(runID string, format beckon.ExportFormat) (path string, err error) {
	defer recovered(&err)
	return a.export.Run(a.ctx, runID, format)
}

// SaveMission keeps how Mission Control is laid out.
func (a *App) SaveMission(m beckon.Mission) (err error) {
	defer recovered(&err)
	return a.board.SaveMission(a.ctx, m)
}

// SaveView keeps a look at the board under a name: a new one without an id.
func (a *App) SaveView(view savedview.View) (saved savedview.View, err error) {
	defer recovered(&err)
	return a.views.Save(a.ctx, view)
}

// DeleteView removes a view; the cards that it showed stay.
func (a *App) DeleteView(id string) (err error) {
	defer recovered(&err)
	return a.views.Delete(a.ctx, id)
}

// Questions returns all questions of a task, oldest first.
func (a *App) Questions(taskID string) (qs []beckon.Question, err error) {
	defer recovered(&err)
	return a.history.Questions(a.ctx, taskID)
}

// Runs returns all runs of a task, oldest first.
func (a *App) Runs(taskID string) (rs []beckon.Run, err error) {
	defer recovered(&err)
	return a.history.Runs(a.ctx, taskID)
}

// ChooseFolder shows the system's folder dialog; "" means the user closed it.
func (a *App) ChooseFolder() (dir string, err error) {
	defer recovered(&err)
	return a.shell.chooseFolder()
}

// OpenURL shows a web page outside Beckon.
func (a *App) OpenURL(url string) (err error) {
	defer recovered(&err)
	return a.shell.openURL(url)
}

// OpenWorktree shows the folder that a task's agent works in.
func (a *App) OpenWorktree(taskID string) (err error) {
	defer recovered(&err)
	dir, err := a.board.Worktree(a.ctx, taskID)
	if err != nil {
		return err
	}
	return a.shell.showFolder(dir)
}

// Programs names what opens a worktree on this machine: editors, and "terminal". A
// browser has no hand on them.
func (a *App) Programs() (names []string, err error) {
	defer recovered(&err)
	return a.shell.programs.Programs(), nil
}

// OpenIn opens the folder that a task's agent works in, in one of the Programs.
func (a *App) OpenIn(taskID, program string) (err error) {
	defer recovered(&err)
	dir, err := a.board.Worktree(a.ctx, taskID)
	if err != nil {
		return err
	}
	return a.shell.programs.Open(program, dir)
}

// OpenFile opens a file of a task's changes, at a line, in one of the Programs.
func (a *App) OpenFile(taskID, program string, at reviewing.Spot) (err error) {
	defer recovered(&err)
	dir, err := a.board.Worktree(a.ctx, taskID)
	if err != nil {
		return err
	}
	return a.shell.programs.OpenFile(program, dir, at.Path, at.Line)
}

// ShellEvents takes what the desktop asked of the page since the last call.
// Events that go to a page which is not there yet would be lost.
func (a *App) ShellEvents() (es []pagecall.Call, err error) {
	defer recovered(&err)
	return a.shell.events(), nil
}

// Quit ends Beckon, or asks in the page what becomes of agents that work.
func (a *App) Quit(choice beckon.QuitChoice) (err error) {
	defer recovered(&err)
	return a.shell.quit(choice)
}

// InspectFolder tells what a folder would be as a project.
func (a *App) InspectFolder(dir string) (f beckon.ProjectFound, err error) {
	defer recovered(&err)
	return a.board.InspectFolder(a.ctx, dir)
}

// AddProject makes a folder a project.
func (a *App) AddProject(n beckon.NewProject) (p beckon.Project, err error) {
	defer recovered(&err)
	return a.board.AddProject(a.ctx, n)
}

// EditProject replaces a project's name and defaults.
func (a *App) EditProject(edit beckon.Project) (p beckon.Project, err error) {
	defer recovered(&err)
	return a.board.EditProject(a.ctx, edit)
}

// RemoveProject takes a project off Beckon; its folder is not touched.
func (a *App) RemoveProject(id string) (err error) {
	defer recovered(&err)
	return a.board.RemoveProject(a.ctx, id)
}

// CreateTask puts a new card on the board.
func (a *App) CreateTask(n beckon.NewTask) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.board.CreateTask(a.ctx, n)
}

// CreateTasks puts new cards on the board, and tells which could not be made.
func (a *App) CreateTasks(list []beckon.NewTask) (r change.Result, err error) {
	defer recovered(&err)
	return a.bulk.Create(a.ctx, list)
}

// ChangeTasks makes one change of several cards, and tells which it could not be
// made of.
func (a *App) ChangeTasks(ids []string, many change.Many) (r change.Result, err error) {
	defer recovered(&err)
	return a.bulk.Change(a.ctx, ids, many)
}

// Undo takes back what was changed last on cards, or on one card where its id is
// not empty, and tells of which it could not.
func (a *App) Undo(taskID string) (r change.Result, err error) {
	defer recovered(&err)
	return a.undo.Last(a.ctx, taskID)
}

// UndoNext tells what Undo would take back; its kind is empty where that is
// nothing.
func (a *App) UndoNext() (s change.Step, err error) {
	defer recovered(&err)
	return a.undo.Next(a.ctx)
}

// Redo does again what Undo took back last, and tells of which cards it could not.
func (a *App) Redo() (r change.Result, err error) {
	defer recovered(&err)
	return a.undo.Again(a.ctx)
}

// RedoNext tells what Redo would do; its kind is empty where that is nothing.
func (a *App) RedoNext() (s change.Step, err error) {
	defer recovered(&err)
	return a.undo.NextAgain(a.ctx)
}

// EditTask replaces what the user may edit of a task.
func (a *App) EditTask(id string, edit beckon.TaskEdit) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.board.EditTask(undolog.Into(a.ctx, change.Edit), id, edit)
}

// MoveTask puts a card into a column at a rank, 0 for its end. Moving to
// running starts or resumes the agent; moving away stops it.
func (a *App) MoveTask(id string, to beckon.Status, rank float64) (t beckon.Task, err error) {
	defer recovered(&err)
	ctx := a.ctx
	if to != beckon.Running { // an agent is stopped, not taken back
		ctx = undolog.Into(ctx, change.To(to))
	}
	return a.board.MoveTask(ctx, id, to, rank)
}

// CloseTask puts a task into done although its base lacks some of its work,
// which stays on its branch.
func (a *App) CloseTask(id string) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.board.CloseTask(undolog.Into(a.ctx, change.Close), id)
}

// RestoreTask puts an archived card back where it was, with its branch where
// that was discarded and is still kept.
func (a *App) RestoreTask(id string) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.board.Restore(undolog.Into(a.ctx, change.Restore), id)
}

// Behind counts the commits of a task's base that its branch lacks.
func (a *App) Behind(taskID string) (commits int, err error) {
	defer recovered(&err)
	return a.board.Behind(a.ctx, taskID)
}

// Loss tells what discarding or deleting a task would take out of sight.
func (a *App) Loss(taskID string) (l beckon.Loss, err error) {
	defer recovered(&err)
	return a.board.Loss(a.ctx, taskID)
}

// DiscardTask throws a task's work away and archives it; the branch is kept
// under a private ref for 30 days. token is the Loss that the user saw.
func (a *App) DiscardTask(taskID, token string) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.board.Discard(undolog.Into(a.ctx, change.Discard), taskID, token)
}

// StartOver takes a task's work away, which is kept like that of a discarded
// task, and has an agent begin the task again. token is the Loss that the user saw.
func (a *App) StartOver(taskID, token string) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.board.StartOver(a.ctx, taskID, token)
}

// DeleteTask discards a task and removes its card, runs and transcript.
func (a *App) DeleteTask(taskID, token string) (err error) {
	defer recovered(&err)
	return a.board.DeleteTask(undolog.Into(a.ctx, change.Delete), taskID, token)
}

// Review returns a task's branch against its base, or what a part of its work changed.
func (a *App) Review(taskID string, v reviewing.View) (d beckon.ReviewDiff, err error) {
	defer recovered(&err)
	return a.since.Review(a.ctx, taskID, v)
}

// DiffFile returns a file of a task's changes with more of its patch than Review does.
func (a *App) DiffFile(taskID string, of reviewing.File) (f beckon.FileDiff, err error) {
	defer recovered(&err)
	return a.since.File(a.ctx, taskID, of)
}

// DiffLines returns lines of a changed file that its diff leaves out.
func (a *App) DiffLines(taskID string, of reviewing.Stretch) (l reviewing.Lines, err error) {
	defer recovered(&err)
	return a.comments.Stretch(a.ctx, taskID, of)
}

// Merge merges a task's branch into its base the project's way and moves it to done.
func (a *App) Merge(taskID string) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.board.Merge(undolog.Into(a.ctx, change.Merge), taskID, merging.Order{})
}

// MergeAs is Merge in a way, or with a message, that is not the project's.
func (a *App) MergeAs(taskID string, order merging.Order) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.board.Merge(undolog.Into(a.ctx, change.Merge), taskID, order)
}

// MergeProposal tells what merging a task's branch would make: the commits that it
// has, and the messages.
func (a *App) MergeProposal(taskID string) (p merging.Proposal, err error) {
	defer recovered(&err)
	return a.board.MergeProposal(a.ctx, taskID)
}

// Conflicts returns the files in which a task's branch conflicts with its base, and
// where.
func (a *App) Conflicts(taskID string) (list []merging.Conflict, err error) {
	defer recovered(&err)
	return a.conflict.Of(a.ctx, taskID)
}

// UpdateFromBase brings what a task's base has by now into its branch.
func (a *App) UpdateFromBase(taskID string) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.board.UpdateFromBase(undolog.Into(a.ctx, change.Update), taskID)
}

// SendBack resumes a task's session with a comment on its work.
func (a *App) SendBack(taskID, comment string) (t beckon.Task, err error) {
	defer recovered(&err)
	err = a.since.Reviewing(a.ctx, taskID, func() error { t, err = a.runner.SendBack(a.ctx, taskID, comment); return err })
	return t, err
}

// StartInteractive opens a chat on a task, in the project's folder.
func (a *App) StartInteractive(taskID string) (r beckon.Run, err error) {
	defer recovered(&err)
	return a.runner.StartInteractive(a.ctx, taskID)
}

// SendMessage sends a message to a task's agent, or queues it, and returns it
// as it then is. A redirect whose interrupt fails is queued.
func (a *App) SendMessage(taskID string, n beckon.NewMessage) (m beckon.Message, err error) {
	defer recovered(&err)
	return a.runner.SendMessage(a.ctx, taskID, n)
}

// EditMessage replaces the text and images of a message that the agent has
// not taken; too late is a conflict.
func (a *App) EditMessage(id string, n beckon.NewMessage) (m beckon.Message, err error) {
	defer recovered(&err)
	return a.runner.EditMessage(a.ctx, id, n)
}

// MoveMessage puts a queued message at a place of its queue, 0 for the first.
func (a *App) MoveMessage(id string, to int) (err error) {
	defer recovered(&err)
	return a.runner.MoveMessage(a.ctx, id, to)
}

// RemoveMessage takes back a message that the agent has not taken; too late
// is a conflict.
func (a *App) RemoveMessage(id string) (err error) {
	defer recovered(&err)
	return a.comments.RemoveMessage(a.ctx, id)
}

// KeepImage keeps an image for messages that will name it.
func (a *App) KeepImage(n beckon.NewImage) (i beckon.Image, err error) {
	defer recovered(&err)
	return a.images.KeepImage(n)
}

// Image returns a kept image as a data: URL.
func (a *App) Image(id string) (url string, err error) {
	defer recovered(&err)
	return a.images.Image(id)
}

// SaveMessageDraft keeps what was typed as a message to a task's agent; empty
// text drops it.
func (a *App) SaveMessageDraft(taskID, text string) (err error) {
	defer recovered(&err)
	return a.board.SaveMessageDraft(a.ctx, taskID, text)
}

// Abilities tells what a task's agent can do; of one that never ran, what the
// project's newest agent could.
func (a *App) Abilities(taskID string) (b beckon.Abilities, err error) {
	defer recovered(&err)
	return a.runner.Abilities(a.ctx, taskID)
}

// FindFiles returns the files of a task's folder that best match what was
// typed, at most limit, relative to it.
func (a *App) FindFiles(taskID, typed string, limit int) (files []string, err error) {
	defer recovered(&err)
	return a.files.Find(a.ctx, a.board.Files.Listing, taskID, typed, limit)
}

// FindProjectFiles returns the same of a project's folder, for who writes a
// task that is not there yet.
func (a *App) FindProjectFiles(projectID, typed string, limit int) (files []string, err error) {
	defer recovered(&err)
	return a.files.Find(a.ctx, a.board.Files.ProjectListing, projectID, typed, limit)
}

// SwitchModel has a task's live agent go on with another model; "" is the
// default.
func (a *App) SwitchModel(taskID, model string) (err error) {
	defer recovered(&err)
	return a.runner.SwitchModel(a.ctx, taskID, model)
}

// SwitchMode changes the permission mode of a task's live agent.
func (a *App) SwitchMode(taskID string, mode beckon.PermissionMode) (err error) {
	defer recovered(&err)
	return a.runner.SwitchMode(a.ctx, taskID, mode)
}

// SwitchEffort changes how hard a task's live agent thinks; "" is the model's
// default.
func (a *App) SwitchEffort(taskID, effort string) (err error) {
	defer recovered(&err)
	return a.runner.SwitchEffort(a.ctx, taskID, effort)
}

// ContextUsage asks a task's live agent what its context is filled with.
func (a *App) ContextUsage(taskID string) (u beckon.ContextUsage, err error) {
	defer recovered(&err)
	return a.runner.ContextUsage(a.ctx, taskID)
}

// ToolServers asks a task's live agent for its MCP servers.
func (a *App) ToolServers(taskID string) (ss []beckon.ToolServer, err error) {
	defer recovered(&err)
	return a.runner.ToolServers(a.ctx, taskID)
}

// ReconnectServer has a task's live agent connect an MCP server again.
func (a *App) ReconnectServer(taskID, name string) (err error) {
	defer recovered(&err)
	return a.runner.ReconnectServer(a.ctx, taskID, name)
}

// PreviewRewind tells what Rewind would do; messageID is the id of the user's
// entry in the transcript.
func (a *App) PreviewRewind(taskID, messageID string) (r beckon.Rewind, err error) {
	defer recovered(&err)
	return a.runner.PreviewRewind(a.ctx, taskID, messageID)
}

// Rewind takes the files that the agent changed back to how a message found
// them. What was said stays said.
func (a *App) Rewind(taskID, messageID string) (r beckon.Rewind, err error) {
	defer recovered(&err)
	return a.runner.Rewind(a.ctx, taskID, messageID)
}

// Fork makes a task whose chat goes on from where this one's is, without
// touching it.
func (a *App) Fork(taskID string) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.runner.Fork(a.ctx, taskID)
}

// Interrupt ends the turn of a task's live agent; the agent stays.
func (a *App) Interrupt(taskID string) (err error) {
	defer recovered(&err)
	return a.runner.Interrupt(a.ctx, taskID)
}

// Stop ends a task's live agent. Its session and work are kept.
func (a *App) Stop(taskID string) (err error) {
	defer recovered(&err)
	return a.runner.Stop(a.ctx, taskID)
}

// AnswerQuestion settles a question, or gives one that expired, or that a rule
// answered, the answer of a person.
func (a *App) AnswerQuestion(id string, answer beckon.Answer) (err error) {
	defer recovered(&err)
	answer.By, answer.ByName = beckon.ByUser, ""
	return a.answer(a.ctx, id, answer)
}

// ChangeAnswer replaces the answer that a question has after so many changes, which
// its agent gets as a correction.
func (a *App) ChangeAnswer(id string, changes int, answer beckon.Answer) (err error) {
	defer recovered(&err)
	answer.By, answer.ByName = beckon.ByUser, ""
	return a.desk.Change(a.ctx, id, changes, answer)
}

// answer gives an answer from wherever it came.
func (a *App) answer(ctx context.Context, id string, answer beckon.Answer) error {
	if typed, err := a.outside.Answer(ctx, id, answer); typed {
		return err
	}
	return a.desk.Answer(ctx, id, answer)
}

// AllowKeys has the answer to a question typed into its terminal although the
// version of Claude Code there is not known, as well as later ones there.
func (a *App) AllowKeys(questionID string) (err error) {
	defer recovered(&err)
	return a.outside.AllowKeys(questionID)
}

// ShowTerminal brings the terminal of a session that runs elsewhere to the front
// of its tmux. It types nothing.
func (a *App) ShowTerminal(sessionID string) (err error) {
	defer recovered(&err)
	return a.outside.ShowTerminal(a.ctx, sessionID)
}

// EndedSessions lists the sessions elsewhere that ended within a day, the newest
// first.
func (a *App) EndedSessions() (ss []beckon.OutsideSession, err error) {
	defer recovered(&err)
	return a.outside.Ended(a.ctx)
}

// ContinueSession makes a session that ran elsewhere, or a copy of it, the chat of
// a new task. One that is open there is continued as a copy only.
func (a *App) ContinueSession(sessionID string, copied bool) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.outside.Continue(a.ctx, sessionID, copied)
}

// AwaitSession has a session elsewhere continued once it is closed there, or takes
// that back.
func (a *App) AwaitSession(sessionID string, wanted bool) (err error) {
	defer recovered(&err)
	return a.outside.Await(a.ctx, sessionID, wanted)
}

// TerminalCommand returns what continues a run's session in a terminal: a copy of
// it while an agent has it.
func (a *App) TerminalCommand(runID string) (command string, err error) {
	defer recovered(&err)
	return a.outside.TerminalCommand(a.ctx, runID)
}

// CheckRoot returns a folder of Claude Code's files as the settings have it, or why
// it cannot be read for sessions elsewhere.
func (a *App) CheckRoot(dir string) (clean string, err error) {
	defer recovered(&err)
	return nearby.Own(dir)
}

// HookStates tells how Beckon's hook stands in each folder of Claude Code's.
func (a *App) HookStates() (states []hooks.State, err error) {
	defer recovered(&err)
	return a.outside.HookStates()
}

// PreviewHook tells what installing Beckon's hook, or taking it out, would do to the
// settings of a folder of Claude Code's. It writes nothing.
func (a *App) PreviewHook(root string, install bool) (c hooks.Shown, err error) {
	defer recovered(&err)
	return a.outside.PreviewHook(root, install)
}

// ChangeHook makes the very change that the user saw, by its token.
func (a *App) ChangeHook(root string, install bool, token string) (c hooks.Shown, err error) {
	defer recovered(&err)
	return a.outside.ChangeHook(root, install, token)
}

// DismissQuestion closes a question whose run has ended, without an answer.
func (a *App) DismissQuestion(id string) (err error) {
	defer recovered(&err)
	return a.desk.Dismiss(a.ctx, id)
}

// AnsweredSince returns the newest questions that were answered at that time,
// in Unix milliseconds, or later.
func (a *App) AnsweredSince(since int64) (qs []beckon.Question, err error) {
	defer recovered(&err)
	return a.history.AnsweredSince(a.ctx, since)
}

// HoldQuestion stops an open question's clock, or lets it go on with what was
// left.
func (a *App) HoldQuestion(id string, held bool) (err error) {
	defer recovered(&err)
	return a.desk.Hold(a.ctx, id, held)
}

// HoldAll holds every clock, those of new questions too, until it is let go.
func (a *App) HoldAll(held bool) (err error) {
	defer recovered(&err)
	return a.board.PauseAll(a.ctx, held)
}

// SaveDraft keeps what was typed as an answer; empty text drops it.
func (a *App) SaveDraft(questionID, text string) (err error) {
	defer recovered(&err)
	return a.board.SaveDraft(a.ctx, questionID, text)
}

// MarkViewed keeps that a file of a task's changes was viewed, with the content that
// its diff names; an empty one forgets it.
func (a *App) MarkViewed(taskID, path, content string) (err error) {
	defer recovered(&err)
	return a.since.View(a.ctx, taskID, path, content)
}

// Viewed returns the contents by the paths of a task's files that were viewed.
func (a *App) Viewed(taskID string) (files map[string]string, err error) {
	defer recovered(&err)
	return a.board.Viewed(a.ctx, taskID)
}

// RunScript starts a command of the project in a task's worktree.
func (a *App) RunScript(taskID string, kind script.Kind) (r script.Run, err error) {
	defer recovered(&err)
	return a.scripts.Run(a.ctx, taskID, kind)
}

// StopScript ends a command and all that it started.
func (a *App) StopScript(taskID string, kind script.Kind) (err error) {
	defer recovered(&err)
	a.scripts.Stop(taskID, kind)
	return nil
}

// SkipSetup takes a task's worktree for ready, whatever its setup command said.
func (a *App) SkipSetup(taskID string) (err error) {
	defer recovered(&err)
	return a.scripts.Skip(a.ctx, taskID)
}

// LookAtCheck looks whether the files of a task are still those that its check is about.
func (a *App) LookAtCheck(taskID string) (err error) {
	defer recovered(&err)
	return a.scripts.Look(a.ctx, taskID)
}

// ScriptOutput returns what a command printed the last time, from a place on.
func (a *App) ScriptOutput(taskID string, kind script.Kind, from int64) (o script.Output, err error) {
	defer recovered(&err)
	return a.scripts.Output(taskID, kind, from)
}

// Drafts returns all that was typed as answers and not sent.
func (a *App) Drafts() (ds []beckon.Draft, err error) {
	defer recovered(&err)
	return a.board.Drafts(a.ctx)
}

// Rules returns the standing answers of all projects, oldest first.
func (a *App) Rules() (rs []beckon.Rule, err error) {
	defer recovered(&err)
	return a.desk.Rules(a.ctx)
}

// EditRule replaces the question and the options of a standing answer.
func (a *App) EditRule(edit beckon.Rule) (r beckon.Rule, err error) {
	defer recovered(&err)
	return a.desk.EditRule(a.ctx, edit)
}

// RevokeRule removes a standing answer; what it answered stays answered.
func (a *App) RevokeRule(id string) (err error) {
	defer recovered(&err)
	return a.desk.RevokeRule(a.ctx, id)
}

// SaveSettings replaces the user's settings.
func (a *App) SaveSettings(s beckon.Settings) (err error) {
	defer recovered(&err)
	return a.board.SaveSettings(a.ctx, s)
}

// enum is one word of an enumeration, as Wails wants it.
type enum[T ~string] struct {
	Value  T
	TSName string
}

// named gives each word its own text as its TypeScript name.
func named[T ~string](values []T) []enum[T] {
	list := make([]enum[T], 0, len(values))
	for _, v := range values {
		list = append(list, enum[T]{v, string(v)})
	}
	return list
}

// enums lists every enumeration that crosses to the page, so that the
// generated types know their words.
func enums() []any {
	return []any{
		named(change.Kinds), named(comment.Sides), named(comment.States), named(merging.Ways), named(merging.ConflictKinds), named(beckon.PermissionModes), named(beckon.Policies), named(beckon.Statuses), named(beckon.Resolutions),
		named(executing.Kinds), named(executing.Engines), named(executing.Reasons), named(executing.Networks), named(executing.States), named(executing.AskKinds), named(beckon.RunKinds), named(beckon.Phases), named(beckon.Outcomes), named(beckon.Setbacks), named(beckon.ClaudeTroubles), named(beckon.Verbs),
		named(beckon.QuestionKinds), named(beckon.Settlements), named(beckon.Verdicts), named(beckon.Bys), named(beckon.AnswerWays), named(beckon.OutsideStatuses),
		named(beckon.EntryKinds), named(reviewing.TurnStates), named(beckon.FileChanges), named(beckon.FileKinds), named(beckon.Manners), named(beckon.ExportFormats),
		named(pagecall.Kinds), named(beckon.BroughtKinds), named(beckon.QuitChoices),
		named(savedview.Fields), named(savedview.Groups), named(savedview.Sorts), named(savedview.Parts),
		named(script.Kinds), named(script.States), named(pull.Hosts), named(pull.States), named(remote.Ways), named(remote.Parts), named(remote.Troubles), named(remote.Shapes),
		named(release.Ways),
	}
}

// recovered turns a panic of a bound method into an error: Wails would leave
// the page's promise unsettled forever.
func recovered(err *error) {
	if p := recover(); p != nil {
		slog.Error("a bound method panicked", "panic", p, "stack", string(debug.Stack()))
		*err = problem.OfPanic(p)
	}
}

// formatError gives the page an error as the JSON text of a beckon.Failure: an
// object would arrive as "[object Object]".
func formatError(err error) any {
	text, _ := json.Marshal(beckon.FailureOf(err))
	return string(text)
}
