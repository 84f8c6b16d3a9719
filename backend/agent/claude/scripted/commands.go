package scripted

import (
	"context"
	"fmt"
	"strings"
	"time"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

// isCommand reports whether the CLI takes a message for a command of its own:
// those are not echoed, not merged with others, and no turn of the script.
func (m message) isCommand() bool { return strings.HasPrefix(m.text(), "/") }

// command does what the CLI does of a slash command.
func (a *agent) command(m message) {
	name, _, _ := strings.Cut(m.text(), " ")
	answer := "Unknown command: " + name
	switch name {
	case "/compact":
		answer = a.compact()
	case "/clear":
		a.out.rename(beckon.NewUUID())
		answer = "(no content)"
	}
	a.state("running")
	a.mcp.connect()
	t := &turn{agent: a, ctx: context.Background(), began: time.Now()}
	t.init()
	if answer != "" {
		a.out.raw(a.out.assistant(beckon.NewUUID(), object{"type", "text", "text", answer}, "<synthetic>"))
	}
	t.result("success", false, answer, "")
	if a.idle() {
		a.state("idle")
	}
}

// compact shortens the conversation, or says why it cannot.
func (a *agent) compact() string {
	a.out.system("status", "status", "compacting")
	if a.turns == 0 {
		return "Not enough messages to compact."
	}
	a.out.system("status", "status", nil, "compact_result", "success")
	a.out.system("compact_boundary", "compact_metadata",
		object{"trigger", "manual", "pre_tokens", tokensIn, "post_tokens", tokensCompacted})
	a.out.user("<local-command-stdout>Compacted </local-command-stdout>", beckon.NewUUID(), "isReplay", true)
	return ""
}

// idle reports whether no message waits.
func (a *agent) idle() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.queue) == 0
}

// next takes what the next turn hears from the queue: one command, or all
// messages up to one, merged. The caller holds mu.
func (a *agent) next() []message {
	n := 0
	for n < len(a.queue) && !a.queue[n].isCommand() {
		n++
	}
	if n == 0 {
		n = min(1, len(a.queue))
	}
	messages := a.queue[:n:n]
	a.queue = a.queue[n:]
	return messages
}

// wake has the next turn of the script begin on its own after a while, as when
// something in the background ends.
func wake(t *turn, s step) error {
	d, err := time.ParseDuration(s.args)
	if err != nil {
		return err
	}
	a := t.agent
	time.AfterFunc(d, func() {
		a.mu.Lock()
		a.woken = true
		a.mu.Unlock()
		a.nudge()
	})
	return nil
}

// deaf has the agent refuse to be interrupted for the rest of the turn, by a message or by a
// signal.
func deaf(t *turn, _ step) error {
	t.setDeaf(true)
	return nil
}

func (a *agent) setDeaf(deaf bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.deaf = deaf
}

func (a *agent) isDeaf() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.deaf
}

// pictures describes the images among what was heard: type and bytes of each.
func pictures(heard []message) string {
	var found []string
	for _, m := range heard {
		for _, b := range m.Message.Content {
			if b.Type == claude.ImageBlock && b.Source != nil {
				found = append(found, fmt.Sprintf("%s of %d", b.Source.MediaType, len(b.Source.Data)))
			}
		}
	}
	return strings.Join(found, ", ")
}

// firstText returns the text of what a turn heard first, "" for one that began
// on its own.
func firstText(heard []message) string {
	if len(heard) == 0 {
		return ""
	}
	return heard[0].text()
}
