package external

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"beckon/backend/disk"
	"beckon/backend/toolserver"
)

// fileName is the file in the data folder that says where Beckon is.
const fileName = "mcp.json"

// Announce writes where programs outside Beckon begin a run, for the user's eyes
// only, and replaces what a Beckon that died left. withdraw takes the file
// away; the data folder is locked by its Beckon, so it is never another's.
func Announce(dataDir string, e toolserver.Endpoint) (withdraw func() error, err error) {
	text, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dataDir, fileName)
	if err := disk.Replace(path, append(text, '\n')); err != nil {
		return nil, fmt.Errorf("announce Beckon to other programs: %w", err)
	}
	return func() error { return os.Remove(path) }, nil
}

// find returns where the Beckon of a data folder takes clients. That it wrote so
// does not mean that it still runs; what listens there has to prove itself.
func find(dataDir string) (e toolserver.Endpoint, err error) {
	text, err := os.ReadFile(filepath.Join(dataDir, fileName))
	if err != nil {
		return e, err
	}
	return e, json.Unmarshal(text, &e)
}
