package view

import (
	"fmt"
	"strings"
)

// Words are what the bot says to people, in one language. Those with a verb of
// package fmt are formats.
type Words struct {
	// Buttons.
	Done, Other, AnswerIt, Back, Allow, AlwaysHere, Deny, Really, GoBack        string
	Approve, AcceptEdits, Change, Hold, WholeDiff, Late, Open, Stop, StopReally string

	// Questions.
	Of, More, MoreOptions, Until, Held, WhileItRuns, Wants, AlwaysMeans string
	ReallyRun, CutOff, DiffStays, PlanStays, PlanToApprove, NeedsForm   string
	NoWords, SubAgent, WriteAnswer, WriteChange, WriteFor               string
	ReallyStop                                                          string

	// How a question was settled.
	Answered, AnsweredBy, AnsweredFirst                            string
	ByRule, ByTerminal, ByBeckon                                   string
	Allowed, AllowedAlways, Denied, Skipped, Approved, ChangeAsked string
	ExpiredAsk, ExpiredPermission, ExpiredPlan, ExpiredForm        string
	Parked, Orphaned, Withdrawn, LateTaken                         string

	// Toasts, which the service cuts at 200 units.
	NothingChosen, Stale, UseButtons, TooLong, Ticked, Forged, Gone string
	MayNotAnswer, MayNotAllow, MayNotApprove, MayNotSteer, Failed   string
	HeldNow, Sent, Already                                          string

	// The chat.
	Unknown, Welcome, WrongCode, CodeInPrivate, GroupAdded, NotYours    string
	Forgotten, NothingWaits, WaitingHead, NoTasks, TasksHead            string
	MutedFor, Unmuted, MuteHow, HeldAll, NewHow, NewMade, NoProject     string
	MessageSent, NotTaken, Stopped, WhichOne, OnlyText, NotPaired, Help string

	// What an agent does.
	DoesThinking, DoesWriting, DoesReading, DoesEditing, DoesExecuting, DoesSearching, DoesFetching string
	DoesPlanning, DoesAsking, DoesDelegating, DoesUsing, DoesWaiting, DoesBackground                string

	// The menu.
	CmdWaiting, CmdTasks, CmdHold, CmdMute, CmdNew, CmdForget, CmdHelp string
}

// NewWords returns the words of a language, English for one that there are none in.
func NewWords(language string) Words {
	code, _, _ := strings.Cut(strings.ToLower(language), "-")
	if code == "de" {
		return german
	}
	return english
}

var english = Words{
	Done: "Done", Other: "Other…", AnswerIt: "Answer…", Back: "‹ Back",
	Allow: "Allow", AlwaysHere: "Always allow here", Deny: "Deny", Really: "Yes, really", GoBack: "No, go back",
	Approve: "Approve", AcceptEdits: "Approve and accept edits", Change: "Change…", Hold: "Hold the clock",
	WholeDiff: "Send the whole diff", Late: "Answer late", Open: "Open in Beckon", Stop: "Stop", StopReally: "Yes, stop it",

	Of: "Question %d of %d", More: "… %d more lines", MoreOptions: "… %d more options; reply with the one you mean",
	Until: "The agent waits until %s.", Held: "The clock is held.", WhileItRuns: "Answers reach Beckon while it runs.",
	Wants: "Allow %s?", AlwaysMeans: "“Always allow here” lasts for this session and covers: ",
	ReallyRun: "Really allow this?", CutOff: "Not all of it is shown here.",
	DiffStays: "+%d −%d lines. The diff stays on your computer.", PlanStays: "The plan has %d lines and stays on your computer.",
	PlanToApprove: "A plan to approve", NeedsForm: "This needs a form. Fill it in in Beckon.",
	NoWords: "no answer yet", SubAgent: "sub-agent %s",
	WriteAnswer: "Your answer:", WriteChange: "What should change?", WriteFor: "Reply to this message. It answers: ",
	ReallyStop: "Really stop %s?",

	Answered: "Answered: %s", AnsweredBy: ", by %s", AnsweredFirst: "Before it was changed: %s", ByRule: "a standing answer", ByTerminal: "the terminal", ByBeckon: "Beckon",
	Allowed: "allowed", AllowedAlways: "always allowed", Denied: "denied", Skipped: "skipped", Approved: "approved", ChangeAsked: "change asked for",
	ExpiredAsk: "Nobody answered in time. The agent went on as it judged best.", ExpiredPermission: "Nobody answered in time, so it was denied.",
	ExpiredPlan: "Nobody answered in time. The plan is not approved.", ExpiredForm: "Nobody answered in time. The form was not filled in.",
	Parked: "Nobody answered in time, and the agent stopped. An answer starts it again.", Orphaned: "Its run has ended. An answer starts the agent again.",
	Withdrawn: "The agent does not wait for this any more.", LateTaken: "Your late answer is on its way to the agent.",

	NothingChosen: "Choose at least one, or Other.", Stale: "That button is from before. Look again.", UseButtons: "Please use the buttons.",
	TooLong: "That answer is too long.", Ticked: "Noted. Press Done to send.", Forged: "That button is not Beckon’s.", Gone: "Beckon does not know this question any more.",
	MayNotAnswer: "This chat may not answer questions.", MayNotAllow: "This chat may not allow commands.", MayNotApprove: "This chat may not approve plans.",
	MayNotSteer: "This chat may not steer agents.", Failed: "Beckon could not do that. Nothing has changed; try again.",
	HeldNow: "Held. The agent waits.", Sent: "Sent.", Already: "Too late: %s",

	Unknown:   "This is somebody’s private Beckon. To pair with yours, open Settings in Beckon and scan the code.",
	Welcome:   "Paired. Questions from your agents come here. Answers reach Beckon while it runs and your computer is awake. Bots are not end-to-end encrypted.",
	WrongCode: "That code is not valid. Make a new one in Beckon’s settings.", CodeInPrivate: "Send the code in a private chat with me.",
	GroupAdded: "Questions come to this group too. Only people who are paired can answer.", NotYours: "Only people who are paired can use this.",
	Forgotten: "This chat is unpaired. Nothing more comes here.", NothingWaits: "Nothing waits for you.", WaitingHead: "Waiting for you:",
	NoTasks: "No agent is at work.", TasksHead: "At work:", MutedFor: "Without a sound until %s.", Unmuted: "With a sound again.",
	MuteHow: "Say for how long: /mute 1h, /mute 30m, or /mute off.", HeldAll: "All clocks are held.",
	NewHow: "Say for which project, and what: /new KES Fix the login", NewMade: "%s is in the Backlog.", NoProject: "No project is called %s.",
	MessageSent: "Sent to the agent of %s.", NotTaken: "That was not taken: %s", Stopped: "Stopping %s.", WhichOne: "Which one is that for? Reply to its message.",
	OnlyText:  "I understand text only.",
	NotPaired: "You are not paired. Send me /start and the code from Beckon’s settings in a private chat.",
	Help:      "/waiting – what waits for you\n/tasks – what is at work\n/hold – hold all clocks\n/mute 1h – make no sound for a while\n/new KES text – put a card into the Backlog\n/forget – unpair this chat\n\nReply to a message about a task to write to its agent.",

	DoesThinking: "Thinking", DoesWriting: "Writing", DoesReading: "Reading %s", DoesEditing: "Editing %s", DoesExecuting: "Running %s", DoesSearching: "Searching for %s", DoesFetching: "Fetching %s", DoesPlanning: "Planning", DoesAsking: "Asking you", DoesDelegating: "Delegating %s", DoesUsing: "Using %s", DoesWaiting: "Waiting for %s", DoesBackground: "Waiting for %s in the background",

	CmdWaiting: "What waits for you", CmdTasks: "What is at work", CmdHold: "Hold all clocks", CmdMute: "Make no sound for a while",
	CmdNew: "Put a card into the Backlog", CmdForget: "Unpair this chat", CmdHelp: "What I understand",
}

var german = Words{
	Done: "Fertig", Other: "Anderes …", AnswerIt: "Antworten …", Back: "‹ Zurück",
	Allow: "Erlauben", AlwaysHere: "Hier immer erlauben", Deny: "Ablehnen", Really: "Ja, wirklich", GoBack: "Nein, zurück",
	Approve: "Annehmen", AcceptEdits: "Annehmen, Änderungen erlauben", Change: "Ändern …", Hold: "Uhr anhalten",
	WholeDiff: "Ganzen Diff senden", Late: "Nachträglich antworten", Open: "In Beckon öffnen", Stop: "Stopp", StopReally: "Ja, stoppen",

	Of: "Frage %d von %d", More: "… %d weitere Zeilen", MoreOptions: "… %d weitere Möglichkeiten; antworte mit der, die du meinst",
	Until: "Der Agent wartet bis %s.", Held: "Die Uhr ist angehalten.", WhileItRuns: "Antworten erreichen Beckon, solange es läuft.",
	Wants: "%s erlauben?", AlwaysMeans: "„Hier immer erlauben“ gilt für diese Sitzung und umfasst: ",
	ReallyRun: "Das wirklich erlauben?", CutOff: "Hier ist nicht alles davon zu sehen.",
	DiffStays: "+%d −%d Zeilen. Der Diff bleibt auf deinem Computer.", PlanStays: "Der Plan hat %d Zeilen und bleibt auf deinem Computer.",
	PlanToApprove: "Ein Plan zur Freigabe", NeedsForm: "Das braucht ein Formular. Fülle es in Beckon aus.",
	NoWords: "noch keine Antwort", SubAgent: "Subagent %s",
	WriteAnswer: "Deine Antwort:", WriteChange: "Was soll anders werden?", WriteFor: "Antworte auf diese Nachricht. Sie beantwortet: ",
	ReallyStop: "%s wirklich stoppen?",

	Answered: "Beantwortet: %s", AnsweredBy: ", von %s", AnsweredFirst: "Vor der Änderung: %s", ByRule: "einer festen Antwort", ByTerminal: "dem Terminal", ByBeckon: "Beckon",
	Allowed: "erlaubt", AllowedAlways: "immer erlaubt", Denied: "abgelehnt", Skipped: "übergangen", Approved: "angenommen", ChangeAsked: "Änderung gewünscht",
	ExpiredAsk: "Niemand hat rechtzeitig geantwortet. Der Agent machte nach eigenem Urteil weiter.", ExpiredPermission: "Niemand hat rechtzeitig geantwortet, also wurde es abgelehnt.",
	ExpiredPlan: "Niemand hat rechtzeitig geantwortet. Der Plan ist nicht angenommen.", ExpiredForm: "Niemand hat rechtzeitig geantwortet. Das Formular wurde nicht ausgefüllt.",
	Parked: "Niemand hat rechtzeitig geantwortet, und der Agent hielt an. Eine Antwort startet ihn wieder.", Orphaned: "Der Lauf ist zu Ende. Eine Antwort startet den Agenten wieder.",
	Withdrawn: "Der Agent wartet darauf nicht mehr.", LateTaken: "Deine späte Antwort ist auf dem Weg zum Agenten.",

	NothingChosen: "Wähle mindestens eines, oder Anderes.", Stale: "Dieser Knopf ist von vorher. Sieh noch einmal hin.", UseButtons: "Bitte nimm die Knöpfe.",
	TooLong: "Diese Antwort ist zu lang.", Ticked: "Notiert. Mit Fertig abschicken.", Forged: "Dieser Knopf ist nicht von Beckon.", Gone: "Beckon kennt diese Frage nicht mehr.",
	MayNotAnswer: "Dieser Chat darf keine Fragen beantworten.", MayNotAllow: "Dieser Chat darf keine Befehle erlauben.", MayNotApprove: "Dieser Chat darf keine Pläne annehmen.",
	MayNotSteer: "Dieser Chat darf keine Agenten steuern.", Failed: "Das konnte Beckon nicht tun. Nichts ist geändert; versuche es noch einmal.",
	HeldNow: "Angehalten. Der Agent wartet.", Sent: "Gesendet.", Already: "Zu spät: %s",

	Unknown:   "Das ist jemandes privates Beckon. Um deines zu koppeln, öffne die Einstellungen in Beckon und scanne den Code.",
	Welcome:   "Gekoppelt. Fragen deiner Agenten kommen hierher. Antworten erreichen Beckon, solange es läuft und dein Computer wach ist. Bots sind nicht Ende-zu-Ende-verschlüsselt.",
	WrongCode: "Dieser Code gilt nicht. Erzeuge einen neuen in Beckons Einstellungen.", CodeInPrivate: "Sende den Code in einem privaten Chat mit mir.",
	GroupAdded: "Fragen kommen auch in diese Gruppe. Nur wer gekoppelt ist, kann antworten.", NotYours: "Das kann nur, wer gekoppelt ist.",
	Forgotten: "Dieser Chat ist entkoppelt. Hierher kommt nichts mehr.", NothingWaits: "Nichts wartet auf dich.", WaitingHead: "Wartet auf dich:",
	NoTasks: "Kein Agent arbeitet.", TasksHead: "In Arbeit:", MutedFor: "Ohne Ton bis %s.", Unmuted: "Wieder mit Ton.",
	MuteHow: "Sag, wie lange: /mute 1h, /mute 30m oder /mute off.", HeldAll: "Alle Uhren sind angehalten.",
	NewHow: "Sag, für welches Projekt, und was: /new KES Login reparieren", NewMade: "%s liegt im Backlog.", NoProject: "Kein Projekt heißt %s.",
	MessageSent: "An den Agenten von %s gesendet.", NotTaken: "Das wurde nicht angenommen: %s", Stopped: "%s wird gestoppt.", WhichOne: "Wofür ist das? Antworte auf die Nachricht.",
	OnlyText:  "Ich verstehe nur Text.",
	NotPaired: "Du bist nicht gekoppelt. Sende mir /start und den Code aus Beckons Einstellungen in einem privaten Chat.",
	Help:      "/waiting – was auf dich wartet\n/tasks – was in Arbeit ist\n/hold – alle Uhren anhalten\n/mute 1h – eine Weile ohne Ton\n/new KES Text – eine Karte in den Backlog legen\n/forget – diesen Chat entkoppeln\n\nAntworte auf eine Nachricht über eine Aufgabe, um ihrem Agenten zu schreiben.",

	DoesThinking: "Denkt nach", DoesWriting: "Schreibt", DoesReading: "Liest %s", DoesEditing: "Bearbeitet %s", DoesExecuting: "Führt %s aus", DoesSearching: "Sucht nach %s", DoesFetching: "Ruft %s ab", DoesPlanning: "Plant", DoesAsking: "Fragt dich", DoesDelegating: "Überträgt %s", DoesUsing: "Benutzt %s", DoesWaiting: "Wartet auf %s", DoesBackground: "Wartet auf %s im Hintergrund",

	CmdWaiting: "Was auf dich wartet", CmdTasks: "Was in Arbeit ist", CmdHold: "Alle Uhren anhalten", CmdMute: "Eine Weile ohne Ton",
	CmdNew: "Eine Karte in den Backlog legen", CmdForget: "Diesen Chat entkoppeln", CmdHelp: "Was ich verstehe",
}

// say fills a format in.
func say(format string, args ...any) string { return fmt.Sprintf(format, args...) }
