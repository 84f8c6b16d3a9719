package beckon

// Message is what the user tells an agent, from when it was written until the
// agent has taken it. Those that wait for the turn's end are the task's queue.
type Message struct {
	ID     string  `json:"id"` // a UUID, which the CLI knows it by too
	TaskID string  `json:"taskId"`
	Text   string  `json:"text"`
	Images []Image `json:"images"`
	// Written is when it was written, Sent when it was handed to the agent: 0
	// while it waits.
	Written int64 `json:"written"`
	Sent    int64 `json:"sent"`
	// Doubtful messages are sent once more, since it is unknown whether the
	// agent had them before it died.
	Doubtful bool `json:"-"`
}

// NewMessage is a message that the user is about to send.
type NewMessage struct {
	ID     string  `json:"-"` // set where its author wants to know it again
	Text   string  `json:"text"`
	Images []Image `json:"images"`
	Manner Manner  `json:"manner"`
}

// Manner is what a message does to the turn that it meets. Where the agent is
// idle all begin a turn.
type Manner string

// The manners.
const (
	Redirect Manner = "redirect" // ends the turn and begins the next
	Queue    Manner = "queue"    // waits for the turn's end
	Steer    Manner = "steer"    // is heard within the turn, at its next tool boundary
)

// Manners lists every manner.
var Manners = []Manner{Redirect, Queue, Steer}

// MessageQueue is all that a task's agent has not taken yet, in the order in
// which it will.
type MessageQueue struct {
	TaskID   string    `json:"taskId"`
	Messages []Message `json:"messages"`
}

// Image is a picture that goes along with a message. Its bytes are kept under
// ID and shown by Picture.
type Image struct {
	ID   string `json:"id"` // the hex SHA-256 of its bytes
	Name string `json:"name"`
	Type string `json:"type"` // image/png, image/jpeg, image/gif or image/webp
	Size int    `json:"size"` // bytes
}

// NewImage is an image that the user pasted or dropped.
type NewImage struct {
	Name string `json:"name"`
	Data string `json:"data"` // base64
}

// Sizes that messages are held to. An image fits the body of one call.
const (
	MaxImages     = 8
	MaxImageBytes = 700 << 10
)
