package transcript

import (
	"encoding/json"
	"errors"
	"io/fs"
)

// Told returns which of the messages with these uuids a run's log says that
// the agent was told. A run that never wrote was told nothing.
func Told(dir, runID string, uuids []string) (map[string]bool, error) {
	log, err := OpenRead(dir, runID)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer log.Close()
	asked, told := map[string]bool{}, map[string]bool{}
	for _, uuid := range uuids {
		asked[uuid] = true
	}
	for line, err := range log.Read(0, -1) {
		if err != nil {
			return nil, err
		}
		if uuid := messageOf(line.Raw); asked[uuid] {
			told[uuid] = true
		}
	}
	return told, nil
}

// messageOf returns the uuid of the message that a line records, "" for none.
func messageOf(line []byte) string {
	if !isOwn(line) {
		return ""
	}
	var own ownLine
	if json.Unmarshal(line, &own) != nil || own.Subtype != ownMessage {
		return ""
	}
	return own.UUID
}
