package transcript

import (
	"beckon/backend/agent"
	"beckon/backend/agent/acp"
	"beckon/backend/agent/claude/fold"
	"beckon/backend/beckon"
)

// reader reads the lines that logs have of agents.
var reader agent.Reader = readers{}

// readers reads each line by its own words: whichever agent a run has, a line of another
// kind in its log is shown as what it is.
type readers struct{}

func readerOf(line []byte) agent.Reader {
	if acp.Is(line) {
		return acp.Reader{}
	}
	return fold.Reader{}
}

func (readers) Entries(pos, at int64, line agent.Line) []beckon.Entry {
	return readerOf(line.Bytes()).Entries(pos, at, line)
}

func (readers) Piece(line agent.Line) (agent.Piece, bool) {
	return readerOf(line.Bytes()).Piece(line)
}
func (readers) MayEndTurn(head []byte) bool          { return readerOf(head).MayEndTurn(head) }
func (readers) EndsTurn(line []byte) (float64, bool) { return readerOf(line).EndsTurn(line) }
func (readers) MayHaveResults(line []byte) bool      { return readerOf(line).MayHaveResults(line) }
func (readers) Files(line []byte) agent.FileLine     { return readerOf(line).Files(line) }
func (readers) Pictures(line []byte) []agent.Block   { return readerOf(line).Pictures(line) }
