package notifying

// Why is why a notice comes at this moment.
type Why string

// The reasons.
const (
	News  Why = "news"  // it just happened
	Soon  Why = "soon"  // the question's clock is about to run out
	Again Why = "again" // nobody looked at the question since it was told
	After Why = "after" // the quiet hours are over, and this is what came in them
)

// Whys lists every one.
var Whys = []Why{News, Soon, Again, After}

// Summary is the ID of the notice after quiet hours.
const Summary = "quiet-hours"

// Notice is one thing of which the user is notified, decided: what shows it adds nothing.
// A later notice of the same ID takes its place.
type Notice struct {
	// ID is that of the question, "task/ID" for a task, "task/SUBJECT/SCOPE" for a budget,
	// "ssh/ID" for what ssh asks, or Summary.
	ID   string `json:"id"`
	Kind Kind   `json:"kind"` // of a summary: the first of Kinds that it counts
	Why  Why    `json:"why"`
	// Banner has the desktop show it, Sound has that banner sound, and Chime names the sound
	// that the page makes; empty for none.
	Banner bool   `json:"banner"`
	Sound  bool   `json:"sound"`
	Chime  string `json:"chime"`
	// Waiting and Others count what a summary is about: what waits for an answer, and the rest.
	Waiting int `json:"waiting"`
	Others  int `json:"others"`
	// Over takes the notice away: it was settled, or is not wanted any more.
	Over bool `json:"over"`
}

// As returns the notice with the banner and the sound of a way. A way that is a sound alone has one also where the
// page's own is off.
func (n Notice) As(how How, chime string) Notice {
	sounds := how == Both || how == Sound
	n.Banner = how == Both || how == Banner
	n.Sound = how == Both && chime == ""
	n.Chime = ""
	if sounds {
		n.Chime = chime
	}
	if how == Sound && chime == "" {
		n.Chime = Chimes[0]
	}
	return n
}
