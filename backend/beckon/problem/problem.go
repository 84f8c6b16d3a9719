// Package problem names the errors that the page says in the user's language.
// It knows no other package: that of an error is its English text, and what
// callers compare it with.
package problem

import (
	"errors"
	"fmt"
)

// Kind names an error that the page says in the user's language:
// frontend/messages has its sentence as errors.<kind>.
type Kind string

// The kinds, with the values that their sentences have.
const (
	Move            Kind = "move"          // from, to: statuses
	AgentFirst      Kind = "agentFirst"    // the task's agent must be stopped first
	AgentWorks      Kind = "agentWorks"    // the task has an agent already
	HandOver        Kind = "handOver"      // key: of the task; agent: that was to go on with it
	NoAgent         Kind = "noAgent"       // the task has none
	NotReady        Kind = "notReady"      // its agent takes no messages yet
	ProjectBusy     Kind = "projectBusy"   // an agent works in the project
	FolderTaken     Kind = "folderTaken"   // name, key: the project that has it
	KeyTaken        Kind = "keyTaken"      // name, key: the project that has it
	Held            Kind = "held"          // a merge, discard, archive or delete is under way
	Moved           Kind = "moved"         // the card was moved meanwhile
	Saving          Kind = "saving"        // the last agent's work is being saved
	Closing         Kind = "closing"       // Beckon is
	InQueue         Kind = "inQueue"       // the task is
	NoBranch        Kind = "noBranch"      // key: of the task
	TaskOver        Kind = "taskOver"      // key: of a task that is in Done or archived
	NoWorktree      Kind = "noWorktree"    // key: of the task
	Untrusted       Kind = "notTrusted"    // name: the project
	ForkEmpty       Kind = "forkEmpty"     // key: of the task whose chat has nothing to fork
	RewindWorking   Kind = "rewindWorking" // the agent works, so no file is taken back
	MessageStuck    Kind = "messageStuck"  // the agent did not give it back
	MessageRead     Kind = "messageRead"   // the agent has it already
	ImageGone       Kind = "imageGone"     // it is no longer kept
	NoFolder        Kind = "noFolder"      // dir
	FolderAway      Kind = "folderAway"    // dir: a project's or a task's, that was there
	NoFile          Kind = "noFile"        // file
	NoFileManager   Kind = "noFileManager" // dir
	NoProgram       Kind = "noProgram"     // program
	NotFolder       Kind = "notFolder"     // dir
	Bare            Kind = "bare"          // dir: a repository without files to work on
	InsideGit       Kind = "insideGit"     // dir
	NoCommit        Kind = "noCommit"      // dir: a repository that is empty
	ProjectName     Kind = "projectName"   // most: bytes
	ProjectKey      Kind = "projectKey"
	NoBase          Kind = "noBase" // base: a branch
	NoTitle         Kind = "noTitle"
	LongTitle       Kind = "longTitle"   // most: bytes
	LongBrief       Kind = "longBrief"   // most: bytes
	LongMessage     Kind = "longMessage" // most: kilobytes, of a commit
	ManyLabels      Kind = "manyLabels"  // most
	AgentLabel      Kind = "agentLabel"  // most: bytes
	AgentCommand    Kind = "agentCommand"
	AgentVariables  Kind = "agentVariables"
	OtherSession    Kind = "otherSession" // key: of the task whose agent has a session
	Label           Kind = "label"        // most: bytes; label
	Wait            Kind = "wait"
	GitMissing      Kind = "gitMissing"
	GitOld          Kind = "gitOld"          // version
	BranchInUse     Kind = "branchInUse"     // branch, dir: where it is checked out
	BranchTaken     Kind = "branchTaken"     // branch: it exists, and a new one is to be named so
	BranchGone      Kind = "branchGone"      // branch
	BranchUnrelated Kind = "branchUnrelated" // branch, base: they have no commit in common
	BranchDiverged  Kind = "branchDiverged"  // branch, remote: each has commits of its own
	BranchUsed      Kind = "branchUsed"      // branch, key: of the task that works on it
	BranchName      Kind = "branchName"      // branch: git takes no such name
	BranchPattern   Kind = "branchPattern"   // pattern, example
	FetchFailed     Kind = "fetchFailed"     // ref, remote, detail
	NotOnForge      Kind = "notOnForge"      // number, repo: it is no pull request or issue there
	OtherRepo       Kind = "otherRepo"       // repo: of the address, here: that of the project
	NoForge         Kind = "noForge"         // server: no program here asks it
	WorktreeInUse   Kind = "worktreeInUse"   // by: the process that works in it
	InTerminal      Kind = "inTerminal"      // a session elsewhere is answered there only
	// What stands in the way of further repositories.
	RepositoryName   Kind = "repositoryName"    // name
	RepositoryTaken  Kind = "repositoryTaken"   // name: two have it
	RepositoryTwice  Kind = "repositoryTwice"   // dir: another of them, or the project itself, has that repository
	RepositoryLinked Kind = "repositoryLinked"  // dir: it is a worktree of another folder
	NotRepository    Kind = "notRepository"     // dir: it is not in git
	ManyRepositories Kind = "manyRepositories"  // most
	NoRepository     Kind = "unknownRepository" // name: of the project; repository; all: those that there are
	PartsElsewhere   Kind = "partsElsewhere"    // name: of the project; key: of the task that is to run on another machine
	PutBackParts     Kind = "putBackParts"      // repository: whose base could not be moved; back: those put back
	PartNotMerged    Kind = "partNotMerged"     // repository: so nothing was merged
	StuckParts       Kind = "stuckParts"        // repository, back; stuck: those that stay merged
	HalfMerged       Kind = "halfMerged"        // repository: not merged; back; stuck: those that could not be put back
	CutMerge         Kind = "cutMerge"          // repository: not merged; back; stuck: those that stay merged
	HalfTurned       Kind = "halfTurned"        // stuck: those that are not as the others
	PartOrder        Kind = "partOrder"         // repository: it is named twice, or the task has none of it
	// What stands in the way of continuing a session that began elsewhere.
	SessionGone    Kind = "sessionGone"    // it is not listed
	SessionEmpty   Kind = "sessionEmpty"   // nothing was said in it
	SessionOpen    Kind = "sessionOpen"    // a process has it open
	SessionFolder  Kind = "sessionFolder"  // dir: it is gone
	SessionProject Kind = "sessionProject" // dir: it is in no project
	NoSession      Kind = "noSession"      // the run has none that a terminal could go on with
	Relative       Kind = "relative"       // dir: no whole path
	NotYours       Kind = "notYours"       // dir: of another user
	// What stands in the way of taking a change back, or of one of many cards.
	ChangedSince Kind = "changedSince" // key: of the card
	ChangedOften Kind = "changedOften" // n: how often an answer was
	BuiltOn      Kind = "builtOn"      // base: the branch; key: of the card
	MergeAgain   Kind = "mergeAgain"   // base: the branch
	MoreToLose   Kind = "moreToLose"   // key: of a card with files by now that no commit holds
	HasWork      Kind = "hasWork"      // key: of a card that is not deleted with others
	Circle       Kind = "circle"       // key, first: of a card that waits for the first already
	WorkedOn     Kind = "workedOn"     // key: of a card that goes to no other project
	// What stands in the way of a run on another machine, or of the machine.
	ExecutorName    Kind = "executorName"    // most: bytes
	ExecutorHost    Kind = "executorHost"    // host
	ExecutorSlots   Kind = "executorSlots"   // most
	ExecutorField   Kind = "executorField"   // field, value
	ExecutorBusy    Kind = "executorBusy"    // name, keys: of the tasks whose agents work there
	ExecutorFailed  Kind = "executorFailed"  // name, why
	ExecutorLost    Kind = "executorLost"    // name
	ExecutorChecked Kind = "executorChecked" // name: it is being looked at
	ExecutorHeld    Kind = "executorHeld"    // name: it is being moved or removed
	ExecutorAsks    Kind = "executorAsks"    // name: ssh asks something first
	ExecutorGit     Kind = "executorGit"     // the project is no repository
	ExecutorGone    Kind = "executorGone"    // name
	ExecutorApart   Kind = "executorApart"   // name, ref: that keeps what was done there
	// ExecutorInTheWay has name, files: that git ignores, ref: that keeps what was done there.
	ExecutorInTheWay Kind = "executorInTheWay"
	VariableValue    Kind = "variableValue" // variable, most: kilobytes
	// What stands in the way of a command in a worktree.
	CopyPattern Kind = "copyPattern" // pattern
	CopyList    Kind = "copyList"    // file: that is no small plain file
	CopyMuch    Kind = "copyMuch"    // files: how many, most: megabytes
	SetupFailed Kind = "setupFailed" // key: of the task
	NoPorts     Kind = "noPorts"     // first, last: all between are in use or other tasks'
	NoCommand   Kind = "noCommand"   // name: of the project, which has none of that kind
	CommandRuns Kind = "commandRuns" // it runs already
	LongCommand Kind = "longCommand" // most: kilobytes
	CheckFailed Kind = "checkFailed" // key: of the task that is not merged for that
	Steering    Kind = "steering"    // key: the same; files: that steer or run something here
	// What stands in the way of a terminal.
	TerminalsOff  Kind = "terminalsOff"  // this Beckon serves phones at a public address
	ManyTerminals Kind = "manyTerminals" // key: of the task; most
	TerminalBusy  Kind = "terminalBusy"  // something runs in it
	TerminalFull  Kind = "terminalFull"  // what runs in it does not read
	// What stands in the way of a pull request.
	NoRemote     Kind = "noRemote"     // the repository has none
	ManyRemotes  Kind = "manyRemotes"  // base: a branch that follows none of them
	PushRejected Kind = "pushRejected" // remote, branch: it has other commits
	PushReplaces Kind = "pushReplaces" // branch, remote: what was pushed is gone from the branch
	PushFailed   Kind = "pushFailed"   // remote, detail
	ForgeLogin   Kind = "forgeLogin"   // tool, server: nobody is signed in
	ForgeFailed  Kind = "forgeFailed"  // tool, detail
	PullTitle    Kind = "pullTitle"    // most: bytes
	PullBody     Kind = "pullBody"     // most: kilobytes
	NotPushed    Kind = "notPushed"    // path: whose lines the pull request does not have
	NotInDiff    Kind = "notInDiff"    // server, where: that its diff does not show
	NoCheckLog   Kind = "noCheckLog"   // name: of a check whose log the server does not have
	// OtherConflict is a file that is in conflict otherwise than it was shown, or no more.
	OtherConflict Kind = "otherConflict" // path
	// ByHandAlready is a conflict that the user resolves in the worktree already.
	ByHandAlready Kind = "byHandAlready"
	// StillConflict is what stands in the way of ending a merge by hand.
	StillConflict Kind = "stillConflict" // files: that have marks
	// What stands in the way of a template.
	Schedule      Kind = "schedule"      // schedule, example: of a line of cron
	TemplateName  Kind = "templateName"  // name
	TemplateTaken Kind = "templateTaken" // name: another template of the project has it
	ManyTemplates Kind = "manyTemplates" // most
	RepeatWaits   Kind = "repeatWaits"   // key: of the last card, which is not over
	// What stands in the way of an import.
	ImportGone   Kind = "importGone"   // what was found is not kept any more
	ImportSize   Kind = "importSize"   // most: megabytes of a text
	ImportFile   Kind = "importFile"   // file: that is no database that can be read
	ImportBig    Kind = "importBig"    // file, most: megabytes
	ImportBusy   Kind = "importBusy"   // file: it is written all the time
	ImportSchema Kind = "importSchema" // file, missing: a column that every known version has
	// What stands in the way of a saved view.
	ViewName  Kind = "viewName"  // most: characters
	ManyViews Kind = "manyViews" // most
	// What stands in the way of comments on changes.
	CommentSent  Kind = "commentSent"  // it is on its way to the agent
	CommentText  Kind = "commentText"  // most: bytes
	ManyComments Kind = "manyComments" // most: of a task
	LongComments Kind = "longComments" // they do not fit one message
	NoComments   Kind = "noComments"   // there is no draft to be sent
	ChatOpen     Kind = "chatOpen"     // key: of the task whose chat has the agent
	// What stands in the way of a channel.
	NoAddress    Kind = "noAddress"    // it has none yet
	BadAddress   Kind = "badAddress"   // that is none
	LongAddress  Kind = "longAddress"  // most: characters
	HookRefused  Kind = "hookRefused"  // detail: what its receiver answers
	HookNotFound Kind = "hookNotFound" // detail: why it is not reached
	NoBot        Kind = "noBot"        // Telegram has no token yet
	BotToken     Kind = "botToken"     // it does not know the token
	BotAway      Kind = "botAway"      // it was not reached, so the token was not tried
	BotStarts    Kind = "botStarts"    // it has not said yet what the bot is called
	PairingOff   Kind = "pairingOff"   // too many wrong codes ended it
	PhoneOrigin  Kind = "phoneOrigin"  // phones have no address yet
	BadOrigin    Kind = "badOrigin"    // it is not https://name, with or without a port
	PhonePort    Kind = "phonePort"    // port: another program listens on it
	PhoneAway    Kind = "phoneAway"    // phones are switched off
	// What a phone reads, in its own words.
	Code   Kind = "pairing" // the code does not hold
	Rights Kind = "rights"  // the phone may not do this
	Sure   Kind = "sure"    // what destroys takes a second press
	// Why a part of a task's changes cannot be shown alone.
	NotReviewed    Kind = "notReviewed"    // the user reviewed no other state of the work
	TurnUnrecorded Kind = "turnUnrecorded" // number: of the turn
	SinceGone      Kind = "sinceGone"      // a turn or commit that is not in the work any more
	// Bug is a panic of a call, which may have done a part of what it was asked; what: of it.
	Bug Kind = "bug"
	// DayLimit: a limit of today is at least that of every day; limit: that one, as it is said.
	DayLimit Kind = "dayLimit"
	// DemoEnded is a demo that a page shows and that is gone.
	DemoEnded Kind = "demoEnded"
)

// Kinds lists every kind.
var Kinds = []Kind{
	Move, AgentFirst, AgentWorks, HandOver, NoAgent, AgentLabel, AgentCommand, AgentVariables, OtherSession, NotReady,
	ProjectBusy, FolderTaken,
	KeyTaken, Held, Moved, Saving, Closing, InQueue, NoBranch, TaskOver, NoWorktree,
	Untrusted, ForkEmpty, RewindWorking, MessageStuck, MessageRead,
	ImageGone, NoFolder, FolderAway, NoFile, NoFileManager, NoProgram, NotFolder, Bare, InsideGit,
	NoCommit, ProjectName, ProjectKey, NoBase, NoTitle,
	LongTitle, LongBrief, LongMessage, ManyLabels, Label, Wait,
	GitMissing, GitOld, BranchInUse, BranchTaken, BranchGone, BranchUnrelated, BranchDiverged, BranchUsed, BranchName, BranchPattern,
	FetchFailed, NotOnForge, OtherRepo, NoForge, WorktreeInUse, InTerminal,
	RepositoryName, RepositoryTaken, RepositoryTwice, RepositoryLinked, NotRepository, ManyRepositories, NoRepository, PartsElsewhere, PutBackParts, PartNotMerged, StuckParts, HalfMerged, CutMerge, HalfTurned, PartOrder,
	SessionGone, SessionEmpty, SessionOpen, SessionFolder, SessionProject, NoSession,
	Relative, NotYours, NoAddress, BadAddress, LongAddress, HookRefused, HookNotFound,
	ChangedSince, ChangedOften, BuiltOn, MergeAgain, MoreToLose, HasWork, Circle, WorkedOn, Schedule, TemplateName, TemplateTaken, ManyTemplates, RepeatWaits,
	ImportGone, ImportSize, ImportFile, ImportBig, ImportBusy, ImportSchema, ViewName, ManyViews,
	CommentSent, CommentText, ManyComments, LongComments, NoComments, ChatOpen,
	ExecutorName, ExecutorHost, ExecutorSlots, ExecutorField, ExecutorBusy, ExecutorFailed, ExecutorLost, ExecutorChecked, ExecutorHeld, ExecutorAsks, ExecutorGit, ExecutorGone, ExecutorApart, ExecutorInTheWay, VariableValue,
	CopyPattern, CopyList, CopyMuch, SetupFailed, NoPorts, NoCommand, CommandRuns, LongCommand, CheckFailed, Steering,
	NoRemote, ManyRemotes, PushRejected, PushReplaces, PushFailed, ForgeLogin, ForgeFailed, PullTitle, PullBody, NotPushed, NotInDiff, NoCheckLog, OtherConflict, ByHandAlready, StillConflict, NotReviewed, TurnUnrecorded, SinceGone,
	TerminalsOff, ManyTerminals, TerminalBusy, TerminalFull,
	NoBot, BotToken, BotAway, BotStarts, PairingOff,
	PhoneOrigin, BadOrigin, PhonePort, PhoneAway, Code, Rights, Sure, Bug, DayLimit, DemoEnded,
}

// FromPanic is the error of a call that panicked with p.
func FromPanic(p any) error {
	return New(Bug, fmt.Errorf("Beckon met a bug in itself, and may have done a part of this: see how it stands before you try again. Its log says more (%v)", p), "what", fmt.Sprint(p))
}

// problem is an error with a name and the values of its sentence.
type problem struct {
	error
	kind Kind
	data map[string]string
}

func (p *problem) Unwrap() error { return p.error }

// New gives err a name that the page translates; err's own text stays the
// English one, for agents and logs. values are names, each with its value.
func New(kind Kind, err error, values ...string) error {
	p := &problem{error: err, kind: kind}
	for i := 0; i+1 < len(values); i += 2 {
		if p.data == nil {
			p.data = make(map[string]string, len(values)/2)
		}
		p.data[values[i]] = values[i+1]
	}
	return p
}

// From returns the name of err and the values of its sentence; an empty kind says
// that it has none.
func From(err error) (kind Kind, values map[string]string) {
	var p *problem
	if errors.As(err, &p) {
		return p.kind, p.data
	}
	return "", nil
}
