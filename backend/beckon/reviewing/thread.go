package reviewing

// This file has the words for what is said and checked on the server of a pull request.

// Thread is an open discussion on a pull request: of lines, of a file, or of all of it.
type Thread struct {
	ID  string `json:"id"`  // on its server
	URL string `json:"url"` // the page of its first comment; empty where that is unknown
	// CommentLines are what it is about, where the lines are by now: without a path all of
	// the request, without a first line all of the file.
	CommentLines
	// Outdated says that the file does not have the lines any more.
	Outdated bool `json:"outdated"`
	// Said is what was said in it, the oldest first; it is never empty.
	Said []ThreadEntry `json:"said"`
}

// ThreadEntry is what one person said in a thread.
type ThreadEntry struct {
	Author string `json:"author"` // empty where the account is gone
	At     int64  `json:"at"`
	Text   string `json:"text"` // Markdown
}

// Placed are the lines of a comment as the server of a pull request counts them.
type Placed struct {
	Commit      string // the newest of the request
	Path        string
	Side        CommentSide
	First, Last int
}

// FailedCheck is what the server of a pull request checked in vain.
type FailedCheck struct {
	ID   string `json:"id"` // of its log; empty where the server has none
	Name string `json:"name"`
	Says string `json:"says"` // what the check says of itself, on one line
	URL  string `json:"url"`  // its page
}

// Sizes that they are held to.
const (
	ThreadMaxText = 16 << 10 // bytes that are kept of what one person said
	ThreadsMost   = 500      // of a request
	CheckMaxLog   = 24 << 10 // bytes of a log that an agent gets
)
