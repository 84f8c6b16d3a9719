package scripted

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strings"
)

// defaultModel is what the account's default stands for.
const defaultModel = "claude-opus-4-8[1m]"

// resolved returns the full name of a model; the CLI takes any.
func resolved(model string) string {
	switch model {
	case "", "default":
		return defaultModel
	case "sonnet":
		return "claude-sonnet-5"
	}
	return model
}

// window is how many tokens the context of a model holds.
func window(model string) int {
	if strings.HasSuffix(model, "[1m]") {
		return 1_000_000
	}
	return 200_000
}

// efforts are the levels that the default model has; the other has none.
var efforts = []string{"low", "medium", "high"}

// setEffort takes a level that is known and drops any other without a word.
func (a *agent) setEffort(level string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if level == "" || slices.Contains(efforts, level) {
		a.effort = level
	}
}

// settings is the reply to get_settings.
func (a *agent) settings() object {
	a.mu.Lock()
	defer a.mu.Unlock()
	var effort any
	if a.model == defaultModel {
		effort = "high"
		if a.effort != "" {
			effort = a.effort
		}
	}
	return object{"effective", object{}, "sources", []object{}, "applied", object{"model", a.model, "effort", effort}}
}

// contextUsage is the reply to get_context_usage.
func (a *agent) contextUsage() object {
	model, _ := a.manners()
	most := window(model)
	return object{
		"categories",
		[]object{{"name", "System prompt", "tokens", 400}, {"name", "Messages", "tokens", 600}, {"name", "Free space", "tokens", most - tokensIn}},
		"totalTokens", tokensIn, "maxTokens", most,
	}
}

// reconnect answers mcp_reconnect.
func (a *agent) reconnect(id, server string) {
	if err := a.mcp.reconnect(server); err != nil {
		a.refuse(id, err.Error())
		return
	}
	a.reply(id, nil)
}

// checkpoint has the files that were changed after a message, as the message
// found them; nil stands for none.
type checkpoint struct {
	message string
	files   map[string][]byte
}

// begin makes the checkpoint of a message.
func (a *agent) begin(message string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.checkpoints = append(a.checkpoints, checkpoint{message, map[string][]byte{}})
}

// save keeps a file that is about to be changed.
func (a *agent) save(path string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.checkpoints) == 0 {
		return
	}
	files := a.checkpoints[len(a.checkpoints)-1].files
	if _, saved := files[path]; !saved {
		files[path], _ = os.ReadFile(path) // nil where there is none
	}
}

// rewind answers rewind_files.
func (a *agent) rewind(id, message string, dry bool) {
	a.mu.Lock()
	at := slices.IndexFunc(a.checkpoints, func(c checkpoint) bool { return c.message == message })
	files := map[string][]byte{}
	for i := len(a.checkpoints) - 1; i >= max(at, 0); i-- {
		maps.Copy(files, a.checkpoints[i].files)
	}
	a.mu.Unlock()
	const unknown = "No file checkpoint found for this message."
	switch {
	case at < 0 && dry:
		a.reply(id, object{"canRewind", false, "error", unknown})
	case at < 0:
		a.refuse(id, unknown)
	case dry:
		a.reply(id, wouldRewind(files))
	default:
		restore(files)
		a.reply(id, object{"canRewind", true})
	}
}

func wouldRewind(files map[string][]byte) object {
	changed, added, removed := []string{}, 0, 0
	for _, path := range slices.Sorted(maps.Keys(files)) {
		present, _ := os.ReadFile(path)
		if bytes.Equal(present, files[path]) {
			continue
		}
		changed = append(changed, path)
		added += bytes.Count(files[path], []byte("\n"))
		removed += bytes.Count(present, []byte("\n"))
	}
	return object{"canRewind", true, "filesChanged", changed, "insertions", added, "deletions", removed}
}

func restore(files map[string][]byte) {
	for path, content := range files {
		if content == nil {
			_ = os.Remove(path)
			continue
		}
		_ = os.WriteFile(path, content, 0o666) //nolint:gosec // As the CLI does, under the user's umask.
	}
}
