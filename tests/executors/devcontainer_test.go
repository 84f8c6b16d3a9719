//go:build linux

package executors

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// TestAnAgentHasItsProjectsDevContainer: user, variables and folder are as the project says,
// in a second run too, and what an agent writes into devcontainer.json is not obeyed.
func TestAnAgentHasItsProjectsDevContainer(t *testing.T) {
	t.Parallel()
	forged := strings.Replace(fixture.DevContainer[".devcontainer/devcontainer.json"], "echo initialized", "echo forged", 1)
	s, e := fixture.InDevContainers(t, executing.Podman, fixture.DevContainer,
		fixture.Turn{"tool": "Bash", "input": map[string]any{"command": `{ id -un; echo $FROM_CONTAINER $BUILT $WHERE; echo "$PATH" | grep -o '/opt/tools$'; cat /opt/marker; cmp README.md /tmp/readme && [ "$(cat /tmp/where)" = "$(readlink -f $WHERE)" ] && [ "$(readlink -f $WHERE)" = "$PWD" ] && echo same; cat /tmp/said; } > seen.txt`}},
		fixture.Turn{"tool": "Write", "input": map[string]any{"file_path": ".devcontainer/forged.json", "content": forged}},
		fixture.Turn{"tool": "Bash", "input": map[string]any{"command": "mv .devcontainer/forged.json .devcontainer/devcontainer.json"}},
		fixture.Turn{"text": "Done."},
		fixture.Turn{"tool": "Bash", "input": map[string]any{"command": "cat /tmp/said > again.txt"}},
		fixture.Turn{"text": "Done again."})
	task := s.Create(beckon.NewTask{Title: "Paint", Mode: beckon.ModeBypass})
	task = s.InReview(task.ID)
	name := "/workspaces/" + filepath.Base(s.Dir)
	if got, want := client.Git(t, s.Dir, "show", task.Branch+":seen.txt"), "dev\none yes "+name+"\n/opt/tools\nbuilt\nsame\ncreated\nstarted\n"; got != want {
		t.Errorf("it saw %q, want %q", got, want)
	}
	client.Must[any](s.Program, "SendBack", task.ID, "Once more.")
	s.RanAgain(task.ID)
	task = s.InReview(task.ID)
	if got := client.Git(t, s.Dir, "show", task.Branch+":again.txt"); got != "created\nstarted\nstarted\n" {
		t.Errorf("its commands said %q", got)
	}
	if said, err := os.ReadFile(filepath.Join(s.Dir, ".git/said")); string(said) != "initialized\n" {
		t.Errorf("here it said %q, %v", said, err)
	}
	if got := client.Git(t, s.Dir, "status", "--porcelain"); got != "" {
		t.Errorf("the project's folder: %s", got)
	}
	if runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID); runs[0].Session != runs[1].Session || task.Trouble != nil {
		t.Errorf("sessions %q and %q, trouble %q", runs[0].Session, runs[1].Session, task.Trouble)
	}
	client.Must[any](s.Program, "DiscardTask", task.ID, client.Must[beckon.Loss](s.Program, "Loss", task.ID).Token)
	s.Until("its container is gone", patience, func() bool { return e.Run("ps", "--all", "--quiet") == "" })
}

// TestADevContainersCommandsEnd: nothing is left of commands that never end, where the user
// stops the run or Beckon is killed meanwhile.
func TestADevContainersCommandsEnd(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*fixture.Fixture, beckon.Task){
		"the run is stopped": func(s *fixture.Fixture, task beckon.Task) { client.Must[any](s.Program, "Stop", task.ID) },
		"Beckon is killed":   func(s *fixture.Fixture, _ beckon.Task) { s.Slay() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, e := fixture.InDevContainers(t, executing.Podman, map[string]string{".devcontainer.json": `{"image": "` + fixture.ImageName + `", "postCreateCommand": "sleep 1000"}`}, fixture.Turn{"text": "Done."})
			task := s.Create(beckon.NewTask{Title: "Paint", Mode: beckon.ModeBypass})
			s.Until("its commands run", patience, func() bool { return s.Run(task.ID).Waits.For == executing.Commands })
			end(s, task)
			s.Until("the run has ended", patience, func() bool { return s.Run(task.ID).Phase == beckon.Ended })
			s.Until("nothing is left", patience, func() bool { return len(e.Busy()) == 0 })
			s.Until("nothing is owed", patience, func() bool { return len(s.Owed()) == 0 })
		})
	}
}

// TestAnOddDevContainer: what a project may have wrong, and what the run then says. Once it
// is mended the task goes on.
func TestAnOddDevContainer(t *testing.T) {
	t.Parallel()
	s, e := fixture.InDevContainers(t, executing.Podman, map[string]string{"LICENSE": "free\n"}, fixture.Turn{"text": "Done."}, fixture.Turn{"text": "Done."})
	s.LookedAt(s.Project.Executor, "")
	image := `"image": "` + fixture.ImageName + `", "remoteUser": "dev"`
	task := s.Create(beckon.NewTask{Title: "Paint", Mode: beckon.ModeBypass})
	for i, one := range []struct{ config, words string }{
		{"", "has no dev container"},
		{"{", "neither an image nor a Dockerfile"},
		{`{"dockerComposeFile": "all.yml", "service": "app"}`, "dockerComposeFile"},
		{`{"build": {"dockerfile": "Nope"}}`, "Nope"},
		{`{"image": "localhost/no-such-image"}`, "is not there and cannot be fetched"},
		{`{` + image + `, "runArgs": ["--no-such-option"]}`, "takes none of the options"},
		{`{` + image + `, "initializeCommand": "exit 3"}`, "initializeCommand"},
		{`{` + image + `, "postCreateCommand": "exit 3"}`, "postCreateCommand"},
	} {
		if i > 0 {
			s.Commit(map[string]string{".devcontainer/devcontainer.json": one.config})
			client.Must[any](s.Program, "SendBack", task.ID, "Once more.")
		}
		s.Until("the run has ended", patience, func() bool {
			runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)
			return len(runs) == i+1 && runs[i].Phase == beckon.Ended
		})
		if run := s.Run(task.ID); run.Outcome != beckon.Failed || !strings.Contains(run.Reason.String(), one.words) {
			t.Errorf("%s: %q, want %q", one.config, run.Reason, one.words)
		}
		if all := e.Run("ps", "--all", "--quiet"); all != "" {
			t.Errorf("%s left %q", one.config, all)
		}
	}
	s.Commit(map[string]string{".devcontainer/devcontainer.json": `{` + image + `, "postCreateCommand": "true"}`})
	client.Must[any](s.Program, "SendBack", task.ID, "Once more.")
	s.Until("a run has ended well", patience, func() bool { return s.Run(task.ID).Outcome == beckon.Succeeded })
	if left := client.Must[executing.Left](s.Program, "LeftOnExecutor", s.Project.Executor); left.Worktrees != 1 {
		t.Errorf("%+v", left)
	}
}
