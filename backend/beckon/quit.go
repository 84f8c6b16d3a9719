package beckon

// QuitChoice is what becomes of the agents that work when Beckon quits.
type QuitChoice string

// The choices.
const (
	QuitAsk  QuitChoice = "ask"  // quit if none works, else ask in the page
	QuitStop QuitChoice = "stop" // stop them; their work is kept
	QuitPark QuitChoice = "park" // end them, and resume them at the next start
)

// QuitChoices lists every choice.
var QuitChoices = []QuitChoice{QuitAsk, QuitStop, QuitPark}
