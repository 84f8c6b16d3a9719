// Package remote has the words for what leaves this computer so that questions are
// seen away from the desk. Like beckon it is words, and no work.
package remote

// Channel is a way on which Beckon tells of what waits.
type Channel string

// The channels.
const (
	Hook     Channel = "hook" // an address that is sent JSON
	Phone    Channel = "phone"
	Push     Channel = "push"
	Telegram Channel = "telegram"
)

// Ways lists every channel.
var Ways = []Channel{Hook, Phone, Push, Telegram}

// Part is a part of what a channel tells.
type Part string

// The parts.
const (
	Kind      Part = "kind"  // of what waits: a question, a permission, a plan
	Key       Part = "key"   // of the task, with its project's name
	Count     Part = "count" // of what waits
	Times     Part = "times" // when it was asked, and until when it waits
	Text      Part = "text"  // of the question, with its options
	Elsewhere Part = "elsewhere"
	Ended     Part = "ended"    // that a run ended, and how
	Diff      Part = "diff"     // of what an agent wants to change
	Plan      Part = "plan"     // its text
	Progress  Part = "progress" // what agents do at the moment
	Lines     Part = "lines"    // the last of a transcript
	Link      Part = "link"     // to the question on the page for phones
)

// Parts lists every one.
var Parts = []Part{Kind, Key, Count, Times, Text, Elsewhere, Ended, Diff, Plan, Progress, Lines, Link}

// Trouble is why a channel does not deliver.
type Trouble string

// The troubles.
const (
	Unreachable Trouble = "unreachable"
	Refused     Trouble = "refused"   // the service answers with an error
	Forbidden   Trouble = "forbidden" // an address that Beckon does not connect to
	Keyless     Trouble = "keyless"   // its secret cannot be read
	Taken       Trouble = "taken"     // another program uses the same bot
	Hooked      Trouble = "hooked"    // a webhook gets what the bot is sent
	Unknown     Trouble = "unknown"   // the service does not know the secret
	PortTaken   Trouble = "portTaken" // another program listens on the port that was chosen
	Certificate Trouble = "certificate"
)

// Troubles lists every one.
var Troubles = []Trouble{Unreachable, Refused, Forbidden, Keyless, Taken, Hooked, Unknown, PortTaken, Certificate}

// Channels is what leaves this computer, and how that goes.
type Channels struct {
	All []State `json:"all"`
	// InFile says that secrets are in a file that only the user can read, since
	// there is no key ring of the system that is open.
	InFile bool `json:"inFile"`
	// Asking are the devices that wait for a word at the desk.
	Asking []Device `json:"asking"`
}

// State is a channel as the user set it, and how it goes. Times are Unix
// milliseconds, 0 for never.
type State struct {
	Channel Channel `json:"channel"`
	Setup
	Always []Part `json:"always"`
	// Optional parts leave only where Chosen has them.
	Optional []Part `json:"optional"`
	// ByRight are parts that go only to devices which have the right to see them.
	ByRight []Part `json:"byRight"`
	Last    int64  `json:"last"`    // when the service last took something
	Waiting int    `json:"waiting"` // messages that it did not take yet
	// Refused is how much came from people who are not paired, or was forged, wrong, too
	// much or beyond their rights, since Beckon began; RefusedAt is when that was last.
	Refused   int     `json:"refused"`
	RefusedAt int64   `json:"refusedAt"`
	Trouble   Trouble `json:"trouble"` // empty: none
	Detail    string  `json:"detail"`  // such as the status of HTTP
}

// Setup is a channel as the user set it.
type Setup struct {
	On bool `json:"on"`
	// To names the receiver, such as the host of an address; empty where the
	// channel has none yet.
	To     string `json:"to"`
	Shape  Shape  `json:"shape"`
	Chosen []Part `json:"chosen"`
}

// Shape is what a hook's receiver understands.
type Shape string

// The shapes.
const (
	JSON    Shape = "json"
	Ntfy    Shape = "ntfy"
	Slack   Shape = "slack"
	Discord Shape = "discord"
)

// Shapes lists every one.
var Shapes = []Shape{JSON, Ntfy, Slack, Discord}

// Address is where a hook sends to. It may itself be a secret, and is never shown
// again.
type Address struct {
	URL   string `json:"url"`
	Shape Shape  `json:"shape"`
}

// Rights are what may be done from a device. Without any, it shows what waits.
type Rights struct {
	Questions bool `json:"questions"` // answer them
	Plans     bool `json:"plans"`     // approve them
	Commands  bool `json:"commands"`  // allow them, and other permissions
	Steer     bool `json:"steer"`     // write to agents, and stop them
	Elsewhere bool `json:"elsewhere"` // see, and answer, sessions that Beckon did not start
	Lines     bool `json:"lines"`     // see the last lines of a transcript
}

// And is what both allow.
func (r Rights) And(o Rights) Rights {
	return Rights{
		r.Questions && o.Questions, r.Plans && o.Plans, r.Commands && o.Commands, r.Steer && o.Steer,
		r.Elsewhere && o.Elsewhere, r.Lines && o.Lines,
	}
}

// Device is a phone or a chat that may answer. Times are Unix milliseconds.
type Device struct {
	ID      string  `json:"id"`
	Channel Channel `json:"channel"`
	Name    string  `json:"name"`
	Private bool    `json:"private"` // of one person; else a group
	Rights  Rights  `json:"rights"`
	// Projects, by their ids, and kinds of questions that come there; none for all.
	Projects []string `json:"projects"`
	Kinds    []string `json:"kinds"`
	Since    int64    `json:"since"`
	Last     int64    `json:"last"` // when it last answered; 0 for never
	// Confirmed says that somebody at the desk said that it is theirs: a phone may
	// do nothing before, and sees nothing.
	Confirmed bool  `json:"confirmed"`
	Push      bool  `json:"push"` // it is sent notifications
	Seen      int64 `json:"seen"` // when it was last there, to the minute; 0 for unknown
	// Apart is when it was last there from two networks within a minute, 0 for never.
	// One that somebody carries out of the house is, and so is a cookie that was stolen.
	Apart int64 `json:"apart"`
}

// PhoneSetup is how phones reach Beckon.
type PhoneSetup struct {
	// Origin is the address that the user's tunnel or proxy gives it, such as
	// https://studio-pc.tail1234.ts.net; empty while there is none.
	Origin string `json:"origin"`
	Port   int    `json:"port"` // of 127.0.0.1, to which that leads
	Addr   string `json:"addr"` // where it listens; empty while it does not
	// Public is where Beckon itself listens with a certificate; empty where it does not.
	Public string `json:"public"`
}

// Pairing is how a device shows that its owner was at the desk.
type Pairing struct {
	Code  string `json:"code"`
	Link  string `json:"link"` // opens the page or the chat with the code in it
	Until int64  `json:"until"`
	// QR is the link as the d of an SVG path, in squares of one unit, of which Size
	// are beside each other.
	QR   string `json:"qr"`
	Size int    `json:"size"`
}
