package beckon

import (
	"cmp"
	"fmt"

	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
)

// Project is a folder, usually a git repository, with its defaults.
type Project struct {
	ID    string `json:"id"`
	Key   string `json:"key"` // 2 to 5 capital letters or digits, such as KES
	Name  string `json:"name"`
	Dir   string `json:"dir"`   // absolute, symbolic links resolved
	Color int    `json:"color"` // 1 to 4, the design's p1 to p4
	Git   bool   `json:"git"`   // false: runs work in the folder itself
	Base  string `json:"base"`  // branch that worktrees start from; empty without git
	// BranchPattern names the branches of new tasks; empty for BranchPattern.
	BranchPattern string `json:"branchPattern"`

	// Agent is the kind of agent that new tasks have, the Name of an AgentKind or ClaudeCode;
	// empty: as the settings say.
	Agent  string         `json:"agent"`
	Model  string         `json:"model"` // empty: claude's own default
	Mode   PermissionMode `json:"mode"`
	Policy Policy         `json:"policy"`
	// WaitMs is how long the policies proceed and park wait for an answer.
	WaitMs int64 `json:"waitMs"`
	// Allowed are permission rules in the CLI's words, such as
	// "Bash(make test)", that every run of the project starts with.
	Allowed []string `json:"allowed"`
	// Trusted is the user's word that what the repository brings along may run.
	Trusted  bool               `json:"trusted"`
	MergeWay reviewing.MergeWay `json:"mergeWay"` // how branches are taken into their base
	Scripts  ScriptSet          `json:"scripts"`  // what worktrees run
	// Executor is the id of where its runs execute; empty for this computer.
	Executor     string                 `json:"executor"`
	Repositories []reviewing.Repository `json:"repositories"` // further ones, in the order in which they are merged
	Created      int64                  `json:"created"`
}

// ModelFor returns the model of a new task of the project that names one, or none: that of
// the project is Claude's, and another agent begins with its own default.
func (p Project) ModelFor(agent, named string) string {
	if agent != "" {
		return named
	}
	return cmp.Or(named, p.Model)
}

// ChatModel returns the model of a task's chat, which is Claude's whatever agent the task has.
func (p Project) ChatModel(t Task) string {
	if t.Agent != "" {
		return p.Model
	}
	return cmp.Or(t.Model, p.Model)
}

// CheckTrust returns why no agent may work in the project, if so.
func (p Project) CheckTrust() error {
	if p.Trusted {
		return nil
	}
	return problem.New(problem.Untrusted, fmt.Errorf("trust %s before an agent works there: what its folder contains could run: %w", p.Name, ErrUntrusted), "name", p.Name)
}

// NewProject is what AddProject needs to know. Empty fields take what Beckon
// finds in the folder.
type NewProject struct {
	Dir          string                 `json:"dir"`
	Name         string                 `json:"name"`
	Key          string                 `json:"key"`
	Base         string                 `json:"base"`
	Trusted      bool                   `json:"trusted"`
	Scripts      ScriptSet              `json:"scripts"` // what its worktrees run and get
	Repositories []reviewing.Repository `json:"repositories,omitempty"`
}

// ProjectFound is what Beckon sees in a folder before it becomes a project.
type ProjectFound struct {
	Dir      string   `json:"dir"`
	Name     string   `json:"name"`
	Key      string   `json:"key"`
	Git      bool     `json:"git"`
	Base     string   `json:"base"`
	Branches []string `json:"branches"`
	// Brings lists what the repository would steer or run once trusted.
	Brings []Brought `json:"brings"`
	Offer  Offer     `json:"offer"` // what there is for its worktrees, if it is a repository
	// ProjectID is set when the folder is a project already.
	ProjectID string `json:"projectId"`
}

// Brought is what a repository brings of one kind, such as ".mcp.json", the
// git setting "core.hookspath" or the git hook "pre-commit".
type Brought struct {
	Kind  BroughtKind `json:"kind"`
	Names []string    `json:"names"` // the first ones
	More  int         `json:"more"`  // how many there are besides
}

// BroughtKind says what something would do once its project is trusted.
type BroughtKind string

// The kinds, those that run programs first.
const (
	BroughtServers      BroughtKind = "servers"      // MCP servers
	BroughtContainers   BroughtKind = "containers"   // dev containers, whose file names commands of this computer and mounts
	BroughtSettings     BroughtKind = "settings"     // of claude, its hooks included
	BroughtOthers       BroughtKind = "others"       // settings of other agents, which may name programs
	BroughtHooks        BroughtKind = "hooks"        // of git
	BroughtConfig       BroughtKind = "config"       // of git, which names programs
	BroughtFilters      BroughtKind = "filters"      // files that go through one
	BroughtTools        BroughtKind = "tools"        // commands, sub-agents and skills of claude
	BroughtInstructions BroughtKind = "instructions" // what agents read and follow
	BroughtSubmodules   BroughtKind = "submodules"   // other repositories
)

// BroughtKinds lists every kind, in the order in which they are shown.
var BroughtKinds = []BroughtKind{
	BroughtServers, BroughtContainers, BroughtSettings, BroughtOthers, BroughtHooks, BroughtConfig, BroughtFilters, BroughtTools,
	BroughtInstructions, BroughtSubmodules,
}

// PermissionMode is what Claude may do without asking; the words are the CLI's.
type PermissionMode string

// The modes that a project or task may choose.
const (
	ModeAuto        PermissionMode = "auto"
	ModeDefault     PermissionMode = "default"
	ModeAcceptEdits PermissionMode = "acceptEdits"
	ModePlan        PermissionMode = "plan"
	ModeBypass      PermissionMode = "bypassPermissions"
)

// PermissionModes lists every mode.
var PermissionModes = []PermissionMode{ModeAuto, ModeDefault, ModeAcceptEdits, ModePlan, ModeBypass}

// Policy is what happens to a question when nobody answers.
type Policy string

// The policies.
const (
	// Proceed tells the agent, after a while, to use its best judgment.
	Proceed Policy = "proceed"
	// Wait has no limit.
	Wait Policy = "wait"
	// Park, after the same while, interrupts the run and frees its slot. The
	// question stays, orphaned, and its answer resumes the session.
	Park Policy = "park"
)

// Policies lists every policy.
var Policies = []Policy{Proceed, Wait, Park}

// DefaultWaitMs is how long a task run's question waits under Proceed or Park.
const DefaultWaitMs = 3 * 60 * 1000

// The bounds of Project.WaitMs and Task.WaitMs: 10 seconds to 24 hours.
const (
	MinWaitMs = 10 * 1000
	MaxWaitMs = 24 * 60 * 60 * 1000
)

// MaxAllowed is how many rules a project may allow, and MaxRule how long one
// may be, in bytes.
const (
	MaxAllowed = 200
	MaxRule    = 2 << 10
)
