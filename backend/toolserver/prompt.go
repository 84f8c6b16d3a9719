package toolserver

// What Claude calls the tools of a server named "beckon".
const (
	AskUserName          = "mcp__beckon__ask_user"
	RecordAssumptionName = "mcp__beckon__record_assumption"
)

// whenToAsk is said wherever an agent meets the tool, for without examples
// agents ask too rarely.
const whenToAsk = `Ask the user one to four questions and wait for the answers. The call blocks until they come, which may take minutes; do not repeat it.

Ask when a wrong guess would be costly or hard to undo, and the answer is not in the task, the code or the history. Do not ask what you can find out by looking, what has an obvious default, or whether to go on.

Ask: "The migration can drop the column legacy_id or keep it. Two exports still read it. Which?" Dropping data cannot be undone.
Do not ask: "Should I name the helper parseDate or readDate?" Either is fine; choose the one that fits the code around it.

Offer two to four options where you can, the recommended one first, each with what it would mean. The user can always answer in their own words. If the result says "No response received", nobody answered in time: decide by your best judgment, name what you assumed with record_assumption, then go on.`

// whenToAssume describes the tool that keeps a guess from being silent.
const whenToAssume = `Record what you assumed when a question of yours got "No response received". The user sees it beside the question, and may correct it later. Call it once for each such question, right after you decided, then go on.

Record: "Kept the column legacy_id, since two exports still read it."`

// instructions introduce the server to any MCP client.
const instructions = `Beckon shows a person your questions and brings back their answers. Its tools are ask_user and, for when nobody answered, record_assumption.

` + whenToAsk

// SystemPrompt is the addition to an agent's system prompt, for
// --append-system-prompt, that makes it raise its hand when it should.
func SystemPrompt() string {
	return `# Asking the user

You run inside Beckon, unattended: the user does not read along. What you write in a message is not seen until you are done, so a question in a message gets no answer. To ask, call the tool ` + AskUserName + ` or AskUserQuestion, which both reach the user. Ending your turn with a question is not asking. What nobody answered you decide yourself, and name what you assumed with ` + RecordAssumptionName + `; a message may bring the answer later.

` + whenToAsk
}
