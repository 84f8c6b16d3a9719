package export

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/plain"
)

// This file writes who wrote the lines of a task as a trace record of Agent Trace 0.1.0
// (https://agent-trace.dev), which other tools read. It has no word of a session.

// traceRecord is one, with the names that the specification gives.
type traceRecord struct {
	Version   string         `json:"version"`
	ID        string         `json:"id"`
	Timestamp string         `json:"timestamp"`
	VCS       traceVCS       `json:"vcs"`
	Tool      traceTool      `json:"tool"`
	Files     []traceFile    `json:"files"`
	Metadata  map[string]any `json:"metadata"`
}

type traceVCS struct {
	Type     string `json:"type"`
	Revision string `json:"revision"`
}

type traceTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type traceFile struct {
	Path          string              `json:"path"`
	Conversations []traceConversation `json:"conversations"`
}

type traceConversation struct {
	URL         string           `json:"url,omitempty"`
	Contributor traceContributor `json:"contributor"`
	Ranges      []traceRange     `json:"ranges"`
}

type traceContributor struct {
	Type    string `json:"type"` // ai, mixed, unknown; Beckon cannot tell a human from another program
	ModelID string `json:"model_id,omitempty"`
}

type traceRange struct {
	Start int `json:"start_line"`
	End   int `json:"end_line"`
}

// traceVersion is that of the specification.
const traceVersion = "0.1.0"

// mostModel is how long the name of a model may be, in bytes.
const mostModel = 250

// makers are those of models by how their names begin, as models.dev has them.
var makers = []struct{ begins, maker string }{
	{"claude-", "anthropic"},
	{"gpt-", "openai"},
	{"o1", "openai"},
	{"o3", "openai"},
	{"o4", "openai"},
	{"codex-", "openai"},
	{"gemini-", "google"},
	{"qwen", "alibaba"},
	{"grok-", "xai"},
	{"deepseek-", "deepseek"},
}

// Trace writes who wrote the lines that a task's work added to a new file, and returns its path.
func (x *Exporter) Trace(ctx context.Context, taskID string) (path string, err error) {
	task, err := x.Store.Task(ctx, taskID)
	if err != nil {
		return "", err
	}
	t, err := x.Traced(ctx, taskID)
	if err != nil {
		return "", err
	}
	if !t.Committed {
		return "", reason.Of(reason.TraceUncommitted).Err(beckon.ErrConflict)
	}
	record, err := x.record(ctx, task, t)
	if err != nil {
		return "", err
	}
	text, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return "", err
	}
	f, err := x.create(task.Key, ".agent-trace.json")
	if err != nil {
		return "", err
	}
	_, err = f.Write(append(text, '\n'))
	return f.Name(), written(f, err)
}

// record is the record of a trace.
func (x *Exporter) record(ctx context.Context, task beckon.Task, t reviewing.Trace) (traceRecord, error) {
	unread := map[string]string{}
	r := traceRecord{
		Version: traceVersion, ID: uuid.NewString(), Timestamp: time.Now().UTC().Format(time.RFC3339),
		VCS: traceVCS{"git", t.Head}, Tool: traceTool{"beckon", x.Version}, Files: []traceFile{},
	}
	for _, file := range t.Files {
		if file.Unknown != "" {
			unread[file.Path] = file.Unknown
			continue
		}
		one := traceFile{Path: file.Path, Conversations: []traceConversation{}}
		for _, s := range file.Stretches {
			c, err := x.conversationOf(ctx, task, s)
			if err != nil {
				return r, err
			}
			one.add(c, traceRange{s.First, s.Last})
		}
		r.Files = append(r.Files, one)
	}
	r.Metadata = map[string]any{"app.beckon": map[string]any{"task": task.Key, "files_not_known": unread, "files_left_out": t.Left, "repositories_left_out": t.Parts}}
	return r, nil
}

// add adds lines to the conversation of a file that is alike, or begins it.
func (f *traceFile) add(c traceConversation, lines traceRange) {
	for i := range f.Conversations {
		if one := &f.Conversations[i]; one.URL == c.URL && one.Contributor == c.Contributor {
			one.Ranges = append(one.Ranges, lines)
			return
		}
	}
	c.Ranges = []traceRange{lines}
	f.Conversations = append(f.Conversations, c)
}

// contributors are what writers are called.
var contributors = map[reviewing.Writer]string{
	reviewing.Agents: "ai", reviewing.Perhaps: "mixed", reviewing.Nobody: "unknown",
}

// conversationOf is who wrote lines: the task, and the model where its runs had only one.
func (x *Exporter) conversationOf(ctx context.Context, task beckon.Task, s reviewing.TracedLines) (traceConversation, error) {
	c := traceConversation{Contributor: traceContributor{Type: contributors[s.By]}}
	if s.By != reviewing.Agents && s.By != reviewing.Perhaps {
		return c, nil
	}
	c.URL = "beckon://task/" + task.Key
	models, err := x.Store.Money.Models(ctx, s.Runs)
	if len(models) == 1 {
		c.Contributor.ModelID = modelID(models[0])
	}
	return c, err
}

// modelID is the name of a model with its maker before it, as far as that is known.
func modelID(model string) string {
	model = visible(model)
	for _, m := range makers {
		if strings.HasPrefix(model, m.begins) {
			model = m.maker + "/" + model
			break
		}
	}
	return plain.Cut(model, mostModel)
}
