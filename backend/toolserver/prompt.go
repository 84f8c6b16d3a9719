package toolserver

// AskUserName is what Claude calls the tool of a server named "beckon".
const AskUserName = "mcp__beckon__ask_user"

// whenToAsk is said wherever an agent meets the tool, for without examples
// agents ask too rarely.
const whenToAsk = `Ask the user one to four questions and wait for the answers. The call blocks until they come, which may take minutes; do not repeat it.

Ask when a wrong guess would be costly or hard to undo, and the answer is not in the task, the code or the history. Do not ask what you can find out by looking, what has an obvious default, or whether to go on.

Ask: "The migration can drop the column legacy_id or keep it. Two exports still read it. Which?" Dropping data can not be undone.
Do not ask: "Should I name the helper parseDate or readDate?" Either is fine; choose the one that fits the code around it.

Offer two to four options where you can, the recommended one first, each with what it would mean. The user can always answer in their own words. If nobody answers in time you are told so: then use your best judgment, and say in your final message what you assumed.`

// instructions introduce the server to any MCP client.
const instructions = `Beckon shows a person your questions and brings back their answers. Its tool is ask_user.

` + whenToAsk

// SystemPrompt is the addition to an agent's system prompt, for
// --append-system-prompt, that makes it raise its hand when it should.
func SystemPrompt() string {
	return `# Asking the user

You run inside Beckon, unattended: the user does not read along. What you write in a message is not seen until you are done, so a question in a message gets no answer. To ask, call the tool ` + AskUserName + ` or AskUserQuestion, which both reach the user. Ending your turn with a question is not asking.

` + whenToAsk
}
