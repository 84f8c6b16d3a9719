// Package executing has the words for where runs execute. Like beckon it is words, and
// no work.
package executing

import (
	"reflect"
	"regexp"
	"strings"

	"beckon/backend/beckon/reason"
)

// Here is what a task chooses that executes on this computer although its project
// has an executor.
const Here = "here"

// Kind is how an executor is reached.
type Kind string

// The kinds.
const (
	SSH        Kind = "ssh"        // a host, through the system's ssh
	Container  Kind = "container"  // a container for each task, by this computer's podman or docker
	Kubernetes Kind = "kubernetes" // a Job for each run, through the user's kubectl
	Slurm      Kind = "slurm"      // a job for each run, by sbatch here or on a host
)

// Kinds lists every kind.
var Kinds = []Kind{SSH, Container, Kubernetes, Slurm}

// Engine is a program that runs containers.
type Engine string

// The engines.
const (
	Podman Engine = "podman"
	Docker Engine = "docker"
)

// Engines lists every engine.
var Engines = []Engine{Podman, Docker}

// Executor is where runs execute besides this computer.
type Executor struct {
	ID   string `json:"id"`
	Name string `json:"name"` // as its chip says it
	Kind Kind   `json:"kind"`
	// Host is what ssh calls it: a name of the user's ssh configuration, or user@host. Of
	// Slurm it is the host that has sbatch; empty: this computer.
	Host    string `json:"host"`
	Slots   int    `json:"slots"` // how many task runs work there at once
	Created int64  `json:"created"`
	// Variables are the names of those that agents there get: of Beckon's own environment, but
	// for the Kept, whose values are in the system's key ring. Only Executors changes these.
	Variables []string `json:"variables"`
	Kept      []string `json:"kept"`

	Engine Engine `json:"engine"` // of containers; of others it says nothing
	// Image is of containers, and of pods without a template. Empty: a task's container is
	// made as its project's devcontainer.json says.
	Image   string  `json:"image"`
	Network Network `json:"network"` // of containers; of others it says nothing
	// Options are more words for the engine's run, or for sbatch, as a shell splits them.
	Options string `json:"options"`

	// Of Kubernetes. Empty are kubectl's own context and namespace, and no template: a file
	// here with the Job that runs are made of.
	Context   string `json:"context"`
	Namespace string `json:"namespace"`
	Template  string `json:"template"`
	Queue     string `json:"queue"`  // Kueue's, for quota; empty: none
	Secret    string `json:"secret"` // whose keys become variables of agents; empty: none
}

// Reaches reports whether it is reached as another is: links to the one lead to the other.
func (e Executor) Reaches(other Executor) bool {
	e.ID, e.Name, e.Slots, e.Created, e.Kept = other.ID, other.Name, other.Slots, other.Created, other.Kept
	return reflect.DeepEqual(e, other)
}

// Along is which part of a project goes to an executor besides its commits, and what stays here.
type Along struct {
	Files      []string `json:"files"` // the first that git ignores and that go along; a folder ends in a slash
	Count      int      `json:"count"` // of them all
	LFS        int      `json:"lfs"`   // files in LFS, whose contents stay here
	Submodules int      `json:"submodules"`
}

// The bounds of what an executor says.
const (
	MaxName      = 40
	MaxHost      = 255
	MaxSlots     = 64   // of this computer, too
	MaxText      = 1000 // bytes of what else is written
	MaxVariables = 32
	MaxValue     = 32 << 10 // bytes of a variable's value
)

var hostPart = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// ValidHost reports whether ssh can be given a host: a name, or a user and a name.
// None begins with a dash, which ssh would take for an option.
func ValidHost(host string) bool {
	user, name, named := strings.Cut(host, "@")
	if !named {
		user, name = "user", host
	}
	return len(host) <= MaxHost && hostPart.MatchString(user) && hostPart.MatchString(name)
}

// Network is what a container reaches.
type Network string

// The networks.
const (
	EngineNetwork Network = "engine" // what the engine gives
	OnlyAPI       Network = "api"    // Claude's API alone, through Beckon
)

// Networks lists every network.
var Networks = []Network{EngineNetwork, OnlyAPI}

// Reason is why a run does not start yet where it executes.
type Reason string

// The reasons. None is empty: it does not wait.
const (
	Image    Reason = "image"    // is fetched; Waits.Words is its name
	Build    Reason = "build"    // of a dev container
	Quota    Reason = "quota"    // of a queue; Waits.Words is its name
	Room     Reason = "room"     // of a scheduler; Waits.Words is what it says
	Commands Reason = "commands" // of a dev container are run
)

// Reasons lists every reason.
var Reasons = []Reason{Image, Build, Commands, Quota, Room}

// Waits is what the start of a run waits for where it executes.
type Waits struct {
	For   Reason `json:"for"`
	Words string `json:"words"`
}

// State is how an executor was found the last time.
type State string

// The states.
const (
	Unknown  State = "unknown"  // nobody looked yet
	Checking State = "checking" // and somebody does
	Ready    State = "ready"
	Lost     State = "lost"   // the link broke; agents there go on
	Failed   State = "failed" // no run can begin there; Health.Problem says why
)

// States lists every state.
var States = []State{Unknown, Checking, Ready, Lost, Failed}

// Health is what is known of an executor.
type Health struct {
	State   State          `json:"state"`
	Since   int64          `json:"since"`         // when it came into the state, in Unix milliseconds
	Seen    int64          `json:"seen"`          // when it answered last; 0 for never since Beckon began
	Answer  int64          `json:"answer"`        // how long that took, in milliseconds
	Problem *reason.Reason `json:"why,omitempty"` // of Failed and Lost: what is wrong and what to do
	Found   Found          `json:"found"`         // as it was when it answered last
	// Ask is what ssh wants to know first; nil where it asks nothing.
	Ask *Ask `json:"ask,omitempty"`
	// Changed is of Failed, where the host shows another key than it did; else nil.
	Changed *ChangedKey `json:"changed,omitempty"`
}

// MarshalJSON has "problem" beside "why".
func (h Health) MarshalJSON() ([]byte, error) {
	type fields Health
	return h.Problem.Beside(fields(h), "problem")
}

// ChangedKey is where ssh has the key that a host had before.
type ChangedKey struct {
	File string `json:"file"` // empty where ssh did not say it
	Line int    `json:"line"`
}

// Login is whether claude is signed in on an executor, as far as can be known without
// starting it.
type Login string

// The logins.
const (
	SignedIn     Login = "in"  // a key or a login is there, which may have expired
	SignedOut    Login = "out" // none is
	LoginUnknown Login = "unknown"
)

// Logins lists every login.
var Logins = []Login{SignedIn, SignedOut, LoginUnknown}

// Found is what there is on an executor.
type Found struct {
	System string `json:"system"` // such as "Linux"
	Arch   string `json:"arch"`
	User   string `json:"user"`
	Claude string `json:"claude"` // version; empty where there is none
	Git    string `json:"git"`    // version; empty where there is none
	Free   int64  `json:"free"`   // bytes where worktrees go
	Login  Login  `json:"login"`
}

// Status is an executor with its health.
type Status struct {
	Executor Executor `json:"executor"`
	Health   Health   `json:"health"`
}

// List is every executor but this computer, the oldest first.
type List struct {
	All []Status `json:"all"`
}

// Left is what Beckon has on an executor.
type Left struct {
	Worktrees int   `json:"worktrees"`
	Bytes     int64 `json:"bytes"`
	// Keys are of the tasks whose agents work there at the moment.
	Keys []string `json:"keys"`
}
