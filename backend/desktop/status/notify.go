package status

// This file shows notifications of the desktop and tells what the user
// did with them: by D-Bus on Linux, by Wails on Windows and macOS.
//
// A note is replaced by the next one of its id, never stacked. That one was
// dismissed is not told at all, for it means nothing. It knows nothing
// of Beckon; texts are plain and need no escape.

// Note is one notification.
type Note struct {
	ID    string
	Title string
	Body  string
	// Actions are buttons; not every desktop has them, nor more than three.
	Actions []NoteAction
	// Open is the word for what a click on the note itself does.
	Open string
	// Reply is the word for answering in the note, where the desktop can;
	// empty offers it nowhere.
	Reply string
	// Urgent notes stay until they are closed.
	Urgent bool
	Sound  bool
}

// NoteAction is one button. Its key is reported when it is pressed.
type NoteAction struct{ Key, Label string }

// NoteResponse is what the user did with a note.
type NoteResponse struct {
	ID string
	// Action is the key of the button, or empty for the note itself.
	Action string
	// Text is what was written into the note.
	Text string
}

// Notifier shows notes. It is used by one goroutine.
type Notifier interface {
	// Show shows a note, in the place of the one with its id.
	Show(Note) error
	// Close takes a note away; one that is gone is no error.
	Close(id string)
	// Available reports whether somebody shows notes at this moment. It may be
	// called at any time by anyone.
	Available() bool
	// End takes all notes away and tells nothing more.
	End()
}
