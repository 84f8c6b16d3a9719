// Package messages has the texts of the page that the program says as well: outside the
// window, in logs and to agents. Each language is a folder, and has the same keys.
package messages

import "embed"

// Files are LANGUAGE/AREA.json.
//
//go:embed */status.json */start.json */channel.json */errors.json */reasons.json
var Files embed.FS
