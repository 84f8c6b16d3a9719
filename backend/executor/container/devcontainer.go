package container

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/reason"
	"beckon/backend/executor/helper"
	"beckon/backend/executor/shim"
	"beckon/backend/executor/worker"
)

// An executor without an image makes each task's container as the project's
// devcontainer.json says, by the devcontainer CLI (@devcontainers/cli, tried with 0.89).
// The file is the project folder's own, never a worktree's: an agent could have it run
// something on this computer.

// metadata is the label in which that CLI notes what a container was made of.
const metadata = "devcontainer.metadata"

// remoteUser returns who works in a container with that note; empty for whom its main
// process has. Of several parts the last one says.
func remoteUser(note string) (user string) {
	var parts []struct{ RemoteUser string }
	if json.Unmarshal([]byte(note), &parts) != nil {
		return ""
	}
	for _, part := range parts {
		if part.RemoteUser != "" {
			user = part.RemoteUser
		}
	}
	return user
}

// filesMost is how much is read of what a dev container is made of.
const filesMost = 4 << 20

// files returns the files that say what a project's dev container is, where the CLI looks
// for them: the configuration first.
func files(folder string) ([]string, error) {
	dir := filepath.Join(folder, ".devcontainer")
	for _, config := range []string{filepath.Join(dir, "devcontainer.json"), filepath.Join(folder, ".devcontainer.json")} {
		if info, err := os.Stat(config); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if filepath.Dir(config) == folder {
			return []string{config}, nil
		}
		beside, err := os.ReadDir(dir)
		all := []string{config}
		for _, one := range beside {
			if file := filepath.Join(dir, one.Name()); one.Type().IsRegular() && file != config {
				all = append(all, file)
			}
		}
		return all, err
	}
	return nil, unreachable(reason.DevcontainerNone)
}

// written returns those files as they are at the moment.
func written(folder string) (text []byte, err error) {
	all, err := files(folder)
	for _, file := range all {
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		if len(text)+int(info.Size()) > filesMost {
			return nil, unreachable(reason.DevcontainerLarge)
		}
		one, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		text = append(append(append(text, filepath.Base(file)...), 0), one...)
	}
	return text, err
}

// devcontainer is a project's dev container, as a task's container is made of it.
type devcontainer struct {
	folder    string // the project's, here
	workspace string // where it expects the project, in there
	image     string // empty where it is built
	file      string // its configuration with Beckon's changes
}

// read reads the project's dev container, and has done remove what was written for the CLI.
func (c *Container) read(ctx context.Context, kind string) (d devcontainer, done func(), err error) {
	var is struct {
		Configuration map[string]any
		Workspace     struct{ WorkspaceFolder string }
	}
	d, done = devcontainer{folder: c.folder}, func() {}
	if err := c.cli(ctx, &d, &is, "read-configuration"); err != nil {
		return d, done, err
	}
	config := is.Configuration
	d.image, _ = config["image"].(string)
	d.workspace = is.Workspace.WorkspaceFolder
	switch {
	case config["dockerComposeFile"] != nil:
		return d, done, unreachable(reason.DevcontainerSeveral)
	case d.image == "" && config["build"] == nil && config["dockerFile"] == nil:
		return d, done, unreachable(reason.DevcontainerEmpty)
	}
	more, err := c.m.options()
	if err != nil {
		return d, done, err
	}
	given, _ := config["runArgs"].([]any)
	args := slices.Clone(given)
	for _, word := range append(more, "--name", c.name, "--label", madeOf+"="+kind) {
		args = append(args, word)
	}
	// The work comes by git, so nothing is mounted and nobody's id has to fit.
	delete(config, "configFilePath")
	config["runArgs"], config["workspaceMount"], config["workspaceFolder"], config["updateRemoteUserUID"] = args, "", d.workspace, false
	text, err := json.Marshal(config)
	if err != nil {
		return d, done, err
	}
	file, err := os.CreateTemp("", "beckon-devcontainer-*.json")
	if err != nil {
		return d, done, err
	}
	_, err = file.Write(text)
	d.file = file.Name()
	return d, func() { _ = os.Remove(d.file) }, errors.Join(err, file.Close())
}

// up makes the container of the project's dev container.
func (c *Container) up(ctx context.Context, kind string, waits func(executing.Waits)) error {
	d, done, err := c.read(ctx, kind)
	defer done()
	if err != nil {
		return err
	}
	if d.image != "" {
		waits(executing.Waits{For: executing.Image, Words: d.image})
	} else {
		waits(executing.Waits{For: executing.Build})
	}
	// A lock file is obeyed where there is one, and none is written into the project.
	lock := "--no-lockfile"
	if _, err := os.Stat(filepath.Join(d.folder, ".devcontainer", "devcontainer-lock.json")); err == nil {
		lock = "--frozen-lockfile"
	}
	return c.cli(ctx, &d, &struct{}{}, "up", "--skip-post-create", lock)
}

// remoteEnv returns what the dev container has in the environment of who works in there.
func (c *Container) remoteEnv(ctx context.Context) (env []string, err error) {
	var is struct {
		MergedConfiguration struct{ RemoteEnv map[string]*string }
	}
	if err := c.cli(ctx, &devcontainer{folder: c.folder}, &is, "read-configuration", "--include-merged-configuration"); err != nil {
		return nil, err
	}
	for name, value := range is.MergedConfiguration.RemoteEnv {
		if value != nil && executing.ValidVariable(name) && !strings.ContainsRune(*value, 0) {
			env = append(env, name+"="+*value)
		}
	}
	slices.Sort(env)
	return env, nil
}

// link has the folder that a dev container expects be the one of the work.
const link = `[ "$(readlink -f "$2")" = "$1" ] || { mkdir -p "$(dirname "$2")" && { [ -L "$2" ] || [ ! -d "$2" ] || rmdir "$2"; } && ln -sfn "$1" "$2"; }`

// Prepare implements worker.Preparing: it has the dev container's own commands run where
// they did not yet, and those that run at each start.
func (c *Container) Prepare(ctx context.Context, dir string, waits func(executing.Waits)) error {
	if c.m.row.Image != "" {
		return nil
	}
	c.opening.Lock()
	defer c.opening.Unlock()
	d, done, err := c.read(ctx, "")
	defer done()
	if err != nil {
		return err
	}
	if _, err := c.m.run(ctx, callIn, "exec", "--user", "root", c.name, "sh", "-c", link, "sh", dir, d.workspace); err != nil {
		return fmt.Errorf("make %s the work's folder: %w", worker.Shown(d.workspace), err)
	}
	waits(executing.Waits{For: executing.Commands})
	defer waits(executing.Waits{})
	if err = c.cli(ctx, &d, &struct{}{}, "run-user-commands", "--skip-post-attach"); err == nil {
		c.isNew = false
		return nil
	}
	if c.isNew { // they would not run a second time in the same container
		_ = c.remove(context.WithoutCancel(ctx))
	}
	if ctx.Err() != nil {
		return err
	}
	return beckon.ReasonOf(err).Err(beckon.ErrUnavailable, shim.ErrRefused)
}

// runCLI runs the CLI and returns what it prints, the end of what it says on stderr and how
// it ended; ended is why it could not, where it is missing or ctx or its time was over.
func runCLI(ctx context.Context, in time.Duration, words ...string) (out []byte, said string, ended, err error) {
	program, err := exec.LookPath("devcontainer")
	if err != nil {
		return nil, "", unreachable(reason.DevcontainerMissing), nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, in, unreachable(reason.DevcontainerSilent, "words", words[0], "time", in.String()))
	defer cancel()
	out, said, err = helper.RunWhole(ctx, exec.CommandContext(context.Background(), program, words...), outMost)
	if err != nil && ctx.Err() != nil {
		ended = err
	}
	return out, said, ended, err
}

// oldCLI returns why the devcontainer CLI cannot be used, if so.
func oldCLI(ctx context.Context) error {
	out, said, ended, err := runCLI(ctx, callIn, "--version")
	if ended != nil {
		return ended
	}
	var major, minor int
	if n, _ := fmt.Sscanf(string(out), "%d.%d", &major, &minor); n != 2 || err != nil {
		return unreachable(reason.DevcontainerBroken, "words", worker.Last(cmp.Or(said, string(out))))
	}
	if major == 0 && minor < 87 {
		return unreachable(reason.DevcontainerOld, "version", fmt.Sprintf("%d.%d", major, minor))
	}
	return nil
}

// outcome is what the CLI prints at its end.
type outcome struct{ Outcome, Message, Description string }

// cli has the devcontainer CLI do something with the task's container, and reads what it
// prints at its end.
func (c *Container) cli(ctx context.Context, d *devcontainer, into any, verb string, args ...string) error {
	engine, err := c.m.program()
	if err != nil {
		return err
	}
	words := []string{verb, "--workspace-folder", d.folder, "--docker-path", engine}
	if d.file != "" {
		words = append(words, "--override-config", d.file)
	}
	for _, label := range c.labels() {
		words = append(words, "--id-label", label)
	}
	out, said, ended, err := runCLI(ctx, makeIn, append(words, args...)...)
	if ended != nil {
		return ended
	}
	last := strings.TrimSpace(string(out))
	last = last[strings.LastIndexByte(last, '\n')+1:]
	var how outcome
	if json.Unmarshal([]byte(last), &how) != nil || err != nil || how.Outcome == "error" {
		return c.m.explainCLI(d.image, how, said, err)
	}
	return json.Unmarshal([]byte(last), into)
}

// explainCLI returns why the devcontainer CLI could not do it.
func (m *Machine) explainCLI(image string, how outcome, said string, err error) error {
	engine := ""
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(stamp.ReplaceAllString(line, ""))
		if engineSays.MatchString(line) && !strings.HasPrefix(line, "Error: Command failed:") {
			engine = line
		}
	}
	switch {
	case strings.HasPrefix(how.Description, "An error occurred") && engine != "":
		return m.explain(image, engine, err)
	case how.Description != "" || how.Message != "":
		return unreachable(reason.DevcontainerSays, "words", worker.Shown(strings.TrimSpace(how.Description+" "+how.Message)))
	}
	return unreachable(reason.DevcontainerSays, "words", worker.Shown(engine))
}

var (
	stamp      = regexp.MustCompile(`^\[[0-9TZ:.-]+\] `)
	engineSays = regexp.MustCompile(`^(?i:error|docker|failed)\b`)
)
