package executing

// AskKind is what ssh wants to know before it lets a machine be reached.
type AskKind string

// The kinds.
const (
	AskHostKey    AskKind = "hostKey"    // whether an unknown key is the right machine's
	AskPassphrase AskKind = "passphrase" // of a file with a key
	AskPassword   AskKind = "password"   // of an account there
	AskConfirm    AskKind = "confirm"    // yes or no, in ssh's words
	AskTouch      AskKind = "touch"      // a security key is to be touched: nothing is to be said
	AskWords      AskKind = "words"      // anything else, in ssh's or the other machine's words
)

// AskKinds lists every kind.
var AskKinds = []AskKind{AskHostKey, AskPassphrase, AskPassword, AskConfirm, AskTouch, AskWords}

// Ask is what ssh asks and the user has not answered. All texts in it are fit to be
// shown; the other machine may have chosen them.
type Ask struct {
	ID    string  `json:"id"`
	Kind  AskKind `json:"kind"`
	Since int64   `json:"since"` // in Unix milliseconds
	Again bool    `json:"again"` // the secret that was given before was wrong

	Host        string   `json:"host"`        // of HostKey: as ssh calls it; of Password: the account
	Address     string   `json:"address"`     // of HostKey; empty where a jump host hides it
	Key         string   `json:"key"`         // of HostKey: its type, such as "ED25519"
	Fingerprint string   `json:"fingerprint"` // of HostKey
	Known       []string `json:"known"`       // of HostKey: where the same key is known by another name
	File        string   `json:"file"`        // of Passphrase
	Words       []string `json:"words"`       // of the others: what is asked, line by line
}

// Reply is what the user answers: no, or yes with the text that was asked for. The text
// is a secret.
type Reply struct {
	Yes  bool   `json:"yes"`
	Text string `json:"text"`
}
