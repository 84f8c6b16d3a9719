package transcript

import (
	"encoding/json"
	"errors"
	"io/fs"
)

// Delivered returns which of the messages with these uuids a run's log records as
// sent to the agent. A run that never wrote got none.
func Delivered(dir, runID string, uuids []string) (map[string]bool, error) {
	log, err := OpenRead(dir, runID)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer log.Close()
	asked, delivered := map[string]bool{}, map[string]bool{}
	for _, uuid := range uuids {
		asked[uuid] = true
	}
	for line, err := range log.View().ReadShort(new([]byte), 0, -1) {
		if err != nil {
			return nil, err
		}
		if uuid := messageOf(line.Raw); asked[uuid] {
			delivered[uuid] = true
		}
	}
	return delivered, nil
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
