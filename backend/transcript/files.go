package transcript

import "beckon/backend/agent"

// Files returns what a line of a log says of tool calls that may change files, and EndsTurn
// whether it ends a turn. Lines of Beckon's own say nothing of either.
func Files(line []byte) agent.FileLine {
	if isOwn(line) {
		return agent.FileLine{}
	}
	return reader.Files(line)
}

// EndsTurn reports whether a line ends a turn; see Files.
func EndsTurn(line []byte) bool {
	if isOwn(line) || !reader.MayEndTurn(line) {
		return false
	}
	_, ends := reader.EndsTurn(line)
	return ends
}
