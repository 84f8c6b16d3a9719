package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime/debug"

	"beckon/backend/beckon"
)

// recovered turns a panic of a bound method into an error: Wails would leave
// the page's promise unsettled for ever.
func recovered(err *error) {
	if p := recover(); p != nil {
		slog.Error("a bound method panicked", "panic", p, "stack", string(debug.Stack()))
		*err = fmt.Errorf("Beckon met a bug in itself; nothing was changed: %v", p)
	}
}

// formatError gives the page an error as JSON text, {"code","message"}: an
// object would arrive as "[object Object]".
func formatError(err error) any {
	text, _ := json.Marshal(map[string]string{"code": beckon.Code(err), "message": err.Error()})
	return string(text)
}
