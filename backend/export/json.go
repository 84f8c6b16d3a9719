package export

import (
	"encoding/json"
	"fmt"
	"io"

	"beckon/backend/beckon"
	"beckon/backend/mask"
)

// jsonWriter writes one object: the task's key and title, the run, and its
// entries, each on a line.
type jsonWriter struct {
	w       io.Writer
	task    beckon.Task
	run     beckon.Run
	entries int
}

func (j *jsonWriter) begin() error {
	j.run.Reason, j.run.Detail = j.run.Reason.Map(mask.Text), mask.Text(j.run.Detail)
	j.run.Activity.Target = mask.Text(j.run.Activity.Target)
	head, err := json.Marshal(map[string]any{"task": j.task.Key, "title": mask.Text(j.task.Title), "run": j.run})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(j.w, "%s,\"entries\":[", head[:len(head)-1])
	return err
}

func (j *jsonWriter) room() int { return 0 }

func (j *jsonWriter) entry(e exported) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	between := ",\n"
	if j.entries == 0 {
		between = "\n"
	}
	j.entries++
	_, err = fmt.Fprintf(j.w, "%s%s", between, line)
	return err
}

func (j *jsonWriter) end() error {
	_, err := io.WriteString(j.w, "\n]}\n")
	return err
}
