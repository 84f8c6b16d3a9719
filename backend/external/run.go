package external

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"beckon/backend/toolserver"
)

// errNotRunning is what a user reads whose command meets no Beckon.
var errNotRunning = errors.New("Beckon is not running, so no card was made: start it, and try again")

// Run is `beckon run NAME`, or KEY/NAME with a project's key: it has the Beckon of a data
// folder make a card of a template, and prints the card's key.
func Run(ctx context.Context, dataDir, what string, stdout io.Writer) error {
	project, name, both := strings.Cut(what, "/")
	if !both {
		project, name = "", what
	}
	endpoint, err := find(dataDir)
	if err != nil || endpoint.Start == "" {
		return errNotRunning
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	slow := time.AfterFunc(greeting, cancel)
	m, err := meet(ctx, endpoint, endpoint.Start, toolserver.StartCall{Name: name, Project: project})
	slow.Stop()
	if err != nil {
		return errNotRunning
	}
	defer m.body.Close()
	var result toolserver.StartResult
	switch err := m.lines.Decode(&result); {
	case err != nil:
		return fmt.Errorf("Beckon ended before it said which card it made; the board shows it: %w", err)
	case result.Error != "":
		return errors.New(result.Error)
	}
	_, err = fmt.Fprintln(stdout, result.Key)
	return err
}
