package beckon

import (
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/notifying"
	"beckon/backend/beckon/remote"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/beckon/spending"
)

// Event announces the new value of whatever is set. It carries values, never
// differences, so it may be repeated, replaced by a later one with the same
// Key, or lost and made good by attaching again.
type Event struct {
	Project   *Project                `json:"project,omitempty"`
	Task      *Task                   `json:"task,omitempty"`
	Run       *Run                    `json:"run,omitempty"`
	Question  *Question               `json:"question,omitempty"`
	Settings  *Settings               `json:"settings,omitempty"`
	Mission   *Mission                `json:"mission,omitempty"`
	Disk      *Disk                   `json:"disk,omitempty"`
	Floods    *Floods                 `json:"floods,omitempty"`
	Spending  *spending.State         `json:"spending,omitempty"`
	Channels  *remote.Channels        `json:"channels,omitempty"` // what leaves this computer
	Views     *ViewList               `json:"views,omitempty"`
	Executors *executing.List         `json:"executors,omitempty"` // where runs execute besides this computer
	Release   *ReleaseNotice          `json:"release,omitempty"`   // a newer version, or none
	Slept     *Slept                  `json:"slept,omitempty"`     // the last sleep of this computer
	Notice    *notifying.Notice       `json:"notice,omitempty"`    // never in the whole state: it is of a moment
	Script    *ScriptRun              `json:"script,omitempty"`
	Terminal  *executing.Terminal     `json:"terminal,omitempty"`
	Pull      *reviewing.PullRequest  `json:"pull,omitempty"`
	Session   *OutsideSession         `json:"session,omitempty"` // one that runs elsewhere
	Queue     *MessageQueue           `json:"queue,omitempty"`   // all that the task's agent has not taken; none is an empty one
	Comments  *reviewing.CommentCount `json:"comments,omitempty"`
	// Entry and Live go only to clients that watch TaskID.
	Entry  *Entry `json:"entry,omitempty"`
	Live   *Live  `json:"live,omitempty"`
	TaskID string `json:"taskId,omitempty"`
	Reload string `json:"reload,omitempty"` // a task whose transcript ran ahead: its last page is fetched again
	Gone   string `json:"gone,omitempty"`   // id of what was deleted
}

// Key names the thing whose value e carries.
func (e Event) Key() string {
	switch {
	case e.Project != nil:
		return "project/" + e.Project.ID
	case e.Task != nil:
		return "task/" + e.Task.ID
	case e.Run != nil:
		return "run/" + e.Run.ID
	case e.Question != nil:
		return "question/" + e.Question.ID
	case e.Settings != nil:
		return "settings"
	case e.Mission != nil:
		return "mission"
	case e.Disk != nil:
		return "disk"
	case e.Floods != nil:
		return "floods"
	case e.Spending != nil:
		return "spending"
	case e.Channels != nil:
		return "channels"
	case e.Views != nil:
		return "views"
	case e.Executors != nil:
		return "executors"
	case e.Release != nil:
		return "release"
	case e.Slept != nil:
		return "slept"
	case e.Notice != nil:
		return "notice/" + e.Notice.ID
	case e.Script != nil:
		return "script/" + e.Script.ID
	case e.Terminal != nil:
		return "terminal/" + e.Terminal.ID
	case e.Pull != nil:
		return "pull/" + e.Pull.TaskID
	case e.Session != nil:
		return "session/" + e.Session.ID
	case e.Queue != nil:
		return "queue/" + e.Queue.TaskID
	case e.Comments != nil:
		return "comments/" + e.Comments.TaskID
	case e.Entry != nil:
		return "entry/" + e.Entry.RunID + "/" + e.Entry.ID
	case e.Live != nil:
		return "live/" + e.Live.RunID
	case e.Reload != "":
		return "reload/" + e.Reload
	default:
		return "gone/" + e.Gone
	}
}

// Frame is events sent together, in order.
type Frame struct {
	// Seq counts frames; of two values for one key the higher number is newer.
	Seq    int64   `json:"seq"`
	Whole  bool    `json:"whole"` // it is the whole state: what it does not name is gone
	Events []Event `json:"events"`
	More   string  `json:"more,omitempty"` // what AttachMore goes on with, where this is not all
	Lost   bool    `json:"lost"`           // the client fell behind and must attach again
}

// Disk reports whether the disk of the data folder has room to write.
type Disk struct {
	Full bool   `json:"full"`
	Dir  string `json:"dir"` // the data folder
}

// Floods tells whose questions are refused, because they are too many.
type Floods struct {
	Floods []Flood `json:"floods"`
}

// Flood is what one task's agent, or all programs outside, asked and was refused since it began.
type Flood struct {
	TaskID  string `json:"taskId"` // empty for programs outside
	Origin  string `json:"origin"` // the one outside that was refused last
	Refused int    `json:"refused"`
}

// Settings are the user's own, for all projects.
type Settings struct {
	Slots     int    `json:"slots"`     // how many task runs work at once
	HoldQueue bool   `json:"holdQueue"` // queued tasks start only when the user starts them
	Language  string `json:"language"`  // "", "en" or "de"; empty follows the system
	Theme     string `json:"theme"`     // "", "light" or "dark"
	// SingleKeys turns the single-key shortcuts on (WCAG 2.1.4).
	SingleKeys bool `json:"singleKeys"`
	// Paused holds every clock, those of new questions too, until it is off.
	Paused bool               `json:"away"`
	Notify notifying.Settings `json:"notify"`
	// QuietMinutes is how long an agent may neither say nor ask anything before its run is
	// quiet; 0 for ever.
	QuietMinutes int `json:"quietMinutes"`
	// Observe shows the sessions that run elsewhere on this machine.
	Observe       bool     `json:"observe"`
	ObserveRoots  []string `json:"observeRoots"`  // that are read besides those that are found
	TellElsewhere bool     `json:"tellElsewhere"` // also in the tray and in notifications
	ElsewhereMet  bool     `json:"elsewhereMet"`  // the user has read that they are shown
	HooksDeclined bool     `json:"hooksDeclined"` // and wants to see them only
	ClaudeMet     string   `json:"claudeMet"`     // the untried version of claude that the user has read of
	TakeBackMs    int64    `json:"takeBackMs"`    // how long an answer of one key waits to be taken back; 0 sends it at once
	Autostart     bool     `json:"autostart"`     // begins Beckon, hidden, with the user's session
	// Shortcut is what answers the next question from anywhere, as "Ctrl+Alt+J"; empty for none.
	Shortcut string `json:"shortcut"`
	Awake    Awake  `json:"awake"`
	SleptMet int64  `json:"sleptMet"` // the end of the sleep that the user has read of
	// Keys are the page's keys that the user chose, as the page's key map names them: all of a
	// row, by the row.
	Keys  map[string][]string `json:"keys"`
	Looks Looks               `json:"looks"`
	// LabelTones are the user's colours of labels, 1 to 4 or 0 for none; others go by their name.
	LabelTones map[string]int `json:"labelTones"`
	Updates    bool           `json:"updates"` // has Beckon ask once a day for a newer version
	// Agent is the kind of agent that new tasks have whose project names none; empty for
	// Claude Code. OwnAgents are the user's, besides those that Beckon knows.
	Agent     string     `json:"agent"`
	OwnAgents []OwnAgent `json:"ownAgents"`
}

// Slept is a sleep of this computer, in Unix milliseconds; zero for none since Beckon began. Runs
// are those that worked when it began, and Questions those that waited.
type Slept struct {
	From      int64    `json:"from"`
	To        int64    `json:"to"`
	Runs      []string `json:"runs"`
	Questions []string `json:"questions"`
}

// Awake is whether this computer is kept from idle sleep while agents work on it.
type Awake struct {
	On    bool `json:"on"`
	Asked bool `json:"asked"` // the user was asked whether they want it
	// Battery is the charge in percent below which it may sleep on battery; 100: always there.
	Battery int `json:"battery"`
}

// AwakeState is what is done about sleep at a moment.
type AwakeState string

// The states.
const (
	AwakeIdle        AwakeState = "idle"        // nothing is to be kept awake for
	AwakeKept        AwakeState = "kept"        // it is kept awake
	AwakeBattery     AwakeState = "battery"     // it may sleep, for its battery is low
	AwakeUnavailable AwakeState = "unavailable" // nothing here keeps it awake
)

// AwakeStates lists every one.
var AwakeStates = []AwakeState{AwakeIdle, AwakeKept, AwakeBattery, AwakeUnavailable}

// DefaultSettings are those of a fresh install.
func DefaultSettings() Settings {
	return Settings{
		Slots: 3, SingleKeys: true, Observe: true, ObserveRoots: []string{}, TellElsewhere: true, LabelTones: map[string]int{},
		OwnAgents: []OwnAgent{}, Keys: map[string][]string{}, QuietMinutes: 10,
		Awake:  Awake{Battery: 30},
		Notify: notifying.Default(),
	}
}

// ClaudeTrouble is what is wrong with the claude of this machine.
type ClaudeTrouble string

// The troubles.
const (
	ClaudeMissing ClaudeTrouble = "missing"
	ClaudeOld     ClaudeTrouble = "old"
	ClaudeSilent  ClaudeTrouble = "silent" // it does not answer
)

// ClaudeTroubles lists every one.
var ClaudeTroubles = []ClaudeTrouble{ClaudeMissing, ClaudeOld, ClaudeSilent}

// Tried says which versions of claude Beckon was tried with.
type Tried struct {
	From string `json:"from"`
	To   string `json:"to"`
	// Newer reports that the claude here is newer than that. It is used all the same.
	Newer bool `json:"newer"`
}

// AgentKind is a kind of agent besides Claude Code that Beckon can run.
type AgentKind struct {
	Name  string `json:"name"`
	Label string `json:"label"` // its name for people
	Sign  string `json:"sign"`  // two letters of it
	// Own is whether the user added it, Found whether its program is on this machine. Program
	// is the command that starts it, Install one that installs it, SignIn one that signs in,
	// each empty for none.
	Own     bool   `json:"own"`
	Found   bool   `json:"found"`
	Program string `json:"program"`
	Install string `json:"install"`
	SignIn  string `json:"signIn"`

	Asks AgentAsks `json:"asks"`
	// Plans is whether it puts a plan to the user before it works, and Resumes whether it
	// goes on with the session of an earlier process.
	Plans   bool      `json:"plans"`
	Resumes bool      `json:"resumes"`
	Cost    AgentCost `json:"cost"`
	// Models are those that it offered when it last opened a session; none before that.
	Models []Model `json:"models"`
}

// AgentAsks is how a kind of agent asks the user.
type AgentAsks string

// The ways. Each has those behind it too.
const (
	AsksOwn  AgentAsks = "own"  // by questions of its own
	AsksTool AgentAsks = "tool" // by Beckon's ask_user
	AsksText AgentAsks = "text" // by ending its turn with a question
)

// AgentAsksAll lists every way.
var AgentAsksAll = []AgentAsks{AsksOwn, AsksTool, AsksText}

// AgentCost is what a kind of agent says of what a turn used; empty for nothing.
type AgentCost string

// What it says.
const (
	CostsMoney  AgentCost = "money"
	CostsTokens AgentCost = "tokens"
)

// AgentCosts lists what any may say.
var AgentCosts = []AgentCost{CostsMoney, CostsTokens}

// About is what the page shows of the machine.
type About struct {
	Version       string `json:"version"`
	Build         Build  `json:"build"`
	ClaudePath    string `json:"claudePath"`
	ClaudeVersion string `json:"claudeVersion"` // empty: not found, or it does not say
	// ClaudeTrouble is why no agent can work, empty where one can.
	ClaudeTrouble ClaudeTrouble `json:"claudeTrouble"`
	ClaudeOldest  string        `json:"claudeOldest"` // the oldest version that can be used
	ClaudeTried   Tried         `json:"claudeTried"`
	Agents        []AgentKind   `json:"agents"`
	// Trials are the last of each kind since Beckon began.
	Trials     []AgentTrial `json:"trials"`
	GitVersion string       `json:"gitVersion"` // empty: not found
	DataDir    string       `json:"dataDir"`
	Demo       bool         `json:"demo"`
	Updates    bool         `json:"updates"`  // it can ask for newer versions
	Window     bool         `json:"window"`   // false in a browser
	System     string       `json:"system"`   // GOOS
	Home       string       `json:"home"`     // of the user
	Observed   []string     `json:"observed"` // the folders that are read for sessions elsewhere
	Polled     []string     `json:"polled"`   // those of them that report no changes
	// Tray and Notifications report whether the desktop shows them.
	Tray          bool `json:"tray"`
	Notifications bool `json:"notifications"`
	// Awake is what is done about the sleep of this computer.
	Awake AwakeState `json:"awake"`
}
