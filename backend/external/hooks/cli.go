package hooks

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"
)

// CLI is `beckon hooks`.
type CLI struct {
	In  io.Reader // where the user confirms
	Out io.Writer
	// ConfigDir is the configuration folder of Claude Code, Command what its hook
	// is to call.
	ConfigDir, Command string
	// Yes has it ask nothing.
	Yes bool
}

// Run carries out install, status or remove. A user who does not confirm is no
// error.
func (c CLI) Run(action string) error {
	switch action {
	case "install":
		change, err := Install(c.ConfigDir, c.Command)
		return c.carryOut(change, err, "The hook is installed already.", "Install it?",
			"Installed. Sessions that run already use it within seconds; while Beckon does not run nothing changes for them.")
	case "remove":
		change, err := Remove(c.ConfigDir)
		return c.carryOut(change, err, "No hook of Beckon's is installed.", "Remove it?", "Removed.")
	case "status":
		return c.status()
	default:
		return fmt.Errorf("there is no action %q; try: beckon hooks install, status or remove", action)
	}
}

// carryOut shows a change, and makes it once the user has confirmed.
func (c CLI) carryOut(change Change, err error, nothing, question, done string) error {
	if err != nil {
		return err
	}
	if change.Empty() {
		return c.say(nothing)
	}
	if err := c.say("This changes " + change.Path + ":\n\n" + change.Diff() + "\n"); err != nil {
		return err
	}
	if !c.Yes && !c.confirmed(question) {
		return c.say("Nothing was changed.")
	}
	backup, err := change.Apply(time.Now())
	if err != nil {
		return err
	}
	if backup != "" {
		done += "\nWhat was there before is in " + backup
	}
	return c.say(done)
}

// confirmed reports whether the user says yes.
func (c CLI) confirmed(question string) bool {
	if _, err := fmt.Fprint(c.Out, question, " [y/N] "); err != nil {
		return false
	}
	line, _ := bufio.NewReader(c.In).ReadString('\n') // an end without a line is no
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes"
}

func (c CLI) status() error {
	s, err := ReadStatus(c.ConfigDir)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Path, err)
	}
	if s.Command == "" {
		return c.say("Not installed in " + s.Path + "\nSessions in terminals are shown, and answered only where their terminal is tmux. To answer them all: beckon hooks install")
	}
	lines := []string{"Installed in " + s.Path}
	if !s.Since.IsZero() {
		lines[0] += " since " + s.Since.Format("2006-01-02 15:04")
	}
	lines = append(lines, "It calls "+s.Command)
	if s.ProgramGone {
		lines = append(lines, "That program is gone, so the hook does nothing. To mend it: beckon hooks install")
	}
	if s.DisabledBy != "" {
		lines = append(lines, "Hooks are switched off by "+s.DisabledBy+", so no session calls it.")
	}
	return c.say(strings.Join(lines, "\n"))
}

func (c CLI) say(text string) error {
	_, err := fmt.Fprintln(c.Out, text)
	return err
}
