package toolserver

// What Claude calls the tools of a server named "beckon".
const (
	AskUserName          = claudePrefix + "ask_user"
	RecordAssumptionName = claudePrefix + "record_assumption"
	claudePrefix         = "mcp__beckon__"
)

// Naming is how an agent knows the tools. The zero value is of one that is not offered them.
type Naming struct {
	Prefix string // of their names
	Own    string // its own tool for questions, empty for none
}

// ClaudesNaming is Claude's.
var ClaudesNaming = Naming{claudePrefix, "AskUserQuestion"}

// whenToAsk is said wherever an agent meets the tool, for without examples
// agents ask too rarely.
const whenToAsk = `Ask the user one to four questions and wait for the answers. The call blocks until they come, which may take minutes; do not repeat it.

` + when + `

Offer two to four options where you can, the recommended one first, each with what it would mean. The user can always answer in their own words. If the result says "No response received", nobody answered in time: decide by your best judgment, name what you assumed with record_assumption, then go on.`

// when is said of any way to ask.
const when = `Ask when a wrong guess would be costly or hard to undo, and the answer is not in the task, the code or the history. Do not ask what you can find out by looking, what has an obvious default, or whether to go on.

Ask: "The migration can drop the column legacy_id or keep it. Two exports still read it. Which?" Dropping data cannot be undone.
Do not ask: "Should I name the helper parseDate or readDate?" Either is fine; choose the one that fits the code around it.`

// whenToAssume describes the tool that keeps a guess from being silent.
const whenToAssume = `Record what you assumed when a question of yours got "No response received", right after you decided, once for each such question. Record as well what you decided for the user without asking, where another choice would have been reasonable and they would want to know: then name in "question" what you decided. Those that you did not record yet you record before your last message. The user sees them beside the work, and may correct them later. Then go on.

Record: "Kept the column legacy_id, since two exports still read it."
Do not record: the name of a helper, the order of two functions, or what the task says.`

// instructions introduce the server to any MCP client.
const instructions = `Beckon shows a person your questions and brings back their answers. Its tools are ask_user and, for when nobody answered, record_assumption.

` + whenToAsk

// SystemPrompt is the addition to an agent's system prompt, for
// --append-system-prompt, that makes it raise its hand when it should.
func SystemPrompt(n Naming) string {
	if n == (Naming{}) {
		return askInWords
	}
	by := n.Prefix + "ask_user"
	if n.Own != "" {
		by += " or " + n.Own + ", which both reach the user"
	}
	return `# Asking the user

You run inside Beckon, unattended: the user does not read along. What you write in a message is not seen until you are done, so a question in a message gets no answer. To ask, call the tool ` + by + `. Ending your turn with a question is not asking. What nobody answered you decide yourself, and name what you assumed with ` + n.Prefix + `record_assumption; a message may bring the answer later. Before your last message record with it, too, what you chose for the user without asking, if they might have chosen otherwise.

` + whenToAsk
}

// askInWords is said to an agent that has no tool to ask: a turn that ends with a question is
// taken for one that waits.
const askInWords = `# Asking the user

You run inside Beckon, unattended: the user does not read along, and you have no tool to ask. To ask, end your turn with the question: write what the user must know, then the question as the last sentence of your last message, with its question mark at the very end. The answer comes as the next message, which may take minutes. End no turn with a question for any other reason: not to offer more work, and not to be polite.

` + when + `

If the answer says "No response received", nobody answered in time: decide by your best judgment, name what you assumed in your last message, then go on.`
