package beckon

import "errors"

// ProblemKind names an error that the page says in the user's language:
// frontend/messages has its sentence as errors.<kind>.
type ProblemKind string

// The kinds, with the values that their sentences have.
const (
	ProblemMove          ProblemKind = "move"          // from, to: statuses
	ProblemAgentFirst    ProblemKind = "agentFirst"    // the task's agent must be stopped first
	ProblemAgentWorks    ProblemKind = "agentWorks"    // the task has an agent already
	ProblemNoAgent       ProblemKind = "noAgent"       // the task has none
	ProblemNotReady      ProblemKind = "notReady"      // its agent takes no messages yet
	ProblemProjectBusy   ProblemKind = "projectBusy"   // an agent works in the project
	ProblemFolderTaken   ProblemKind = "folderTaken"   // name, key: the project that has it
	ProblemKeyTaken      ProblemKind = "keyTaken"      // name, key: the project that has it
	ProblemHeld          ProblemKind = "held"          // a merge, discard, archive or delete is under way
	ProblemMoved         ProblemKind = "moved"         // the card was moved meanwhile
	ProblemSaving        ProblemKind = "saving"        // the last agent's work is being saved
	ProblemClosing       ProblemKind = "closing"       // Beckon is
	ProblemInQueue       ProblemKind = "inQueue"       // the task is
	ProblemNoBranch      ProblemKind = "noBranch"      // key: of the task
	ProblemNoWorktree    ProblemKind = "noWorktree"    // key: of the task
	ProblemUntrusted     ProblemKind = "notTrusted"    // name: the project
	ProblemForkEmpty     ProblemKind = "forkEmpty"     // key: of the task whose chat has nothing to fork
	ProblemRewindWorking ProblemKind = "rewindWorking" // the agent works, so no file is taken back
	ProblemMessageStuck  ProblemKind = "messageStuck"  // the agent did not give it back
	ProblemMessageRead   ProblemKind = "messageRead"   // the agent has it already
	ProblemImageGone     ProblemKind = "imageGone"     // it is no longer kept
	ProblemNoFolder      ProblemKind = "noFolder"      // dir
	ProblemNoFileManager ProblemKind = "noFileManager" // dir
	ProblemNotFolder     ProblemKind = "notFolder"     // dir
	ProblemBare          ProblemKind = "bare"          // dir: a repository without files to work on
	ProblemInsideGit     ProblemKind = "insideGit"     // dir
	ProblemNoCommit      ProblemKind = "noCommit"      // dir: a repository that is empty
	ProblemProjectName   ProblemKind = "projectName"   // most: bytes
	ProblemProjectKey    ProblemKind = "projectKey"
	ProblemNoBase        ProblemKind = "noBase" // base: a branch
	ProblemNoTitle       ProblemKind = "noTitle"
	ProblemLongTitle     ProblemKind = "longTitle"  // most: bytes
	ProblemLongBrief     ProblemKind = "longBrief"  // most: bytes
	ProblemManyLabels    ProblemKind = "manyLabels" // most
	ProblemLabel         ProblemKind = "label"      // most: bytes; label
	ProblemWait          ProblemKind = "wait"
	ProblemGitMissing    ProblemKind = "gitMissing"
	ProblemGitOld        ProblemKind = "gitOld"      // version
	ProblemBranchInUse   ProblemKind = "branchInUse" // branch, dir: where it is checked out
	ProblemInTerminal    ProblemKind = "inTerminal"  // a session elsewhere is answered there only
)

// ProblemKinds lists every kind.
var ProblemKinds = []ProblemKind{
	ProblemMove, ProblemAgentFirst, ProblemAgentWorks, ProblemNoAgent, ProblemNotReady, ProblemProjectBusy, ProblemFolderTaken,
	ProblemKeyTaken, ProblemHeld, ProblemMoved, ProblemSaving, ProblemClosing, ProblemInQueue, ProblemNoBranch, ProblemNoWorktree,
	ProblemUntrusted, ProblemForkEmpty, ProblemRewindWorking, ProblemMessageStuck, ProblemMessageRead,
	ProblemImageGone, ProblemNoFolder, ProblemNoFileManager, ProblemNotFolder, ProblemBare, ProblemInsideGit,
	ProblemNoCommit, ProblemProjectName, ProblemProjectKey, ProblemNoBase, ProblemNoTitle,
	ProblemLongTitle, ProblemLongBrief, ProblemManyLabels, ProblemLabel, ProblemWait,
	ProblemGitMissing, ProblemGitOld, ProblemBranchInUse, ProblemInTerminal,
}

// problem is an error with a name and the values of its sentence.
type problem struct {
	error
	kind ProblemKind
	data map[string]string
}

func (p *problem) Unwrap() error { return p.error }

// Problem gives err a name that the page translates; err's own text stays the
// English one, for agents and logs. values are names, each with its value.
func Problem(kind ProblemKind, err error, values ...string) error {
	p := &problem{error: err, kind: kind}
	for i := 0; i+1 < len(values); i += 2 {
		if p.data == nil {
			p.data = make(map[string]string, len(values)/2)
		}
		p.data[values[i]] = values[i+1]
	}
	return p
}

// Failure is an error as the page gets it.
type Failure struct {
	Code    string            `json:"code"` // see Code
	Message string            `json:"message"`
	Problem ProblemKind       `json:"problem,omitempty"` // empty: only Code and Message say what it is
	Data    map[string]string `json:"data,omitempty"`
}

// FailureOf describes err, which is not nil, for the page.
func FailureOf(err error) Failure {
	f := Failure{Code: Code(err), Message: err.Error()}
	var p *problem
	if errors.As(err, &p) {
		f.Problem, f.Data = p.kind, p.data
	}
	return f
}
