// Package openin opens a folder in what people work with besides Beckon: the editors
// that this machine has, and a terminal. It knows them by name, and asks nobody to
// name a command.
package openin

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
)

// Terminal is the name of whichever terminal there is.
const Terminal = "terminal"

// program opens folders.
type program struct {
	name string
	// command is looked for on PATH, unless app is an application of macOS.
	command, app string
	// args come before the folder, which is left out where in says that it is
	// enough to start there.
	args []string
	in   bool
	// at is how a line of a file is named: FILE, LINE and DIR stand for what they say.
	at []string
}

// Editors that know a line by what follows the file's name, and those that have a flag.
var (
	goTo   = []string{"DIR", "--goto", "FILE:LINE"}
	suffix = []string{"DIR", "FILE:LINE"}
	flag   = []string{"--line", "LINE", "FILE"}
)

// editors are those that open a whole folder, in the order in which they are offered.
var editors = []program{
	{name: "VS Code", command: "code", app: "Visual Studio Code", at: goTo},
	{name: "VSCodium", command: "codium", app: "VSCodium", at: goTo},
	{name: "Cursor", command: "cursor", app: "Cursor", at: goTo},
	{name: "Windsurf", command: "windsurf", app: "Windsurf", at: goTo},
	{name: "Zed", command: "zed", app: "Zed", at: suffix},
	{name: "Zed", command: "zeditor", at: suffix},
	{name: "Sublime Text", command: "subl", app: "Sublime Text", at: suffix},
	{name: "IntelliJ IDEA", command: "idea", app: "IntelliJ IDEA", at: flag},
	{name: "GoLand", command: "goland", app: "GoLand", at: flag},
	{name: "WebStorm", command: "webstorm", app: "WebStorm", at: flag},
	{name: "PyCharm", command: "pycharm", app: "PyCharm", at: flag},
	{name: "RustRover", command: "rustrover", app: "RustRover", at: flag},
	{name: "Kate", command: "kate", at: flag},
}

// terminals returns the terminals of a system; the first that there is, is taken.
func terminals(system string) []program {
	switch system {
	case "darwin":
		return []program{{name: Terminal, app: "Terminal"}}
	case "windows":
		return []program{{name: Terminal, command: "wt.exe", args: []string{"-d"}}}
	}
	list := []program{
		{name: Terminal, command: "gnome-terminal", args: []string{"--working-directory"}},
		{name: Terminal, command: "konsole", args: []string{"--workdir"}},
		{name: Terminal, command: "ptyxis", args: []string{"--new-window", "--working-directory"}},
		{name: Terminal, command: "xfce4-terminal", args: []string{"--working-directory"}},
	}
	for _, command := range []string{"ghostty", "kitty", "alacritty", "wezterm", "foot", "x-terminal-emulator", "xterm"} {
		list = append(list, program{name: Terminal, command: command, in: true})
	}
	return list
}

// Machine is where programs are looked for; the zero Machine has none.
type Machine struct {
	System string // as runtime.GOOS
	// Find returns where a command is.
	Find func(command string) (path string, err error)
	// Apps are the folders of applications, on macOS.
	Apps []string
}

// This is the machine that Beckon runs on.
func This() Machine {
	m := Machine{System: runtime.GOOS, Find: exec.LookPath}
	if m.System == "darwin" {
		m.Apps = []string{"/Applications", "/System/Applications/Utilities"}
		if home, err := os.UserHomeDir(); err == nil {
			m.Apps = append(m.Apps, filepath.Join(home, "Applications"))
		}
	}
	return m
}

// all lists every program that may be there.
func (m Machine) all() []program {
	if m.Find == nil {
		return nil
	}
	return slices.Concat(editors, terminals(m.System))
}

// Programs names what opens a folder here, editors first.
func (m Machine) Programs() []string {
	names := []string{}
	seen := map[string]bool{}
	for _, p := range m.all() {
		if seen[p.name] {
			continue
		}
		if _, there := m.command(p, ""); there {
			names, seen[p.name] = append(names, p.name), true
		}
	}
	return names
}

// Open opens a folder in a program of that name. The program outlives Beckon.
func (m Machine) Open(name, dir string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return problem.New(problem.NoFolder, fmt.Errorf("there is no folder %s: %w", dir, beckon.ErrNotFound), "dir", dir)
	}
	for _, p := range m.all() {
		if args, there := m.command(p, dir); p.name == name && there {
			return begin(name, dir, args)
		}
	}
	return noProgram(name, beckon.ErrNotFound)
}

// OpenFile opens a file of a folder in an editor, at a line. The file is what a
// repository says: it has to be one, and in the folder.
func (m Machine) OpenFile(name, dir, file string, line int) error {
	if err := inside(dir, file); err != nil {
		return problem.New(problem.NoFile, fmt.Errorf("there is no file %s to open: %w: %w", file, err, beckon.ErrNotFound), "file", file)
	}
	values := strings.NewReplacer("DIR", dir, "FILE", filepath.Join(dir, filepath.FromSlash(file)), "LINE", strconv.Itoa(max(1, line)))
	for _, p := range editors {
		args, there := m.command(p, dir)
		if p.name != name || !there {
			continue
		}
		if path, err := m.Find(p.command); err == nil {
			args = []string{path}
			for _, arg := range p.at {
				args = append(args, values.Replace(arg))
			}
		} else {
			args[len(args)-1] = values.Replace("FILE") // an application is given no line
		}
		return begin(name, dir, args)
	}
	return noProgram(name, beckon.ErrNotFound)
}

// inside returns an error unless a folder has that file, without a way out by links.
func inside(dir, file string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	info, err := root.Stat(filepath.FromSlash(file))
	if err == nil && !info.Mode().IsRegular() {
		err = beckon.ErrInvalid
	}
	return errors.Join(err, root.Close())
}

// begin starts a program in a folder; it outlives Beckon.
func begin(name, dir string, args []string) error {
	cmd := exec.CommandContext(context.Background(), args[0], args[1:]...)
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		return noProgram(name, err)
	}
	go func() {
		if err := cmd.Wait(); err != nil {
			slog.Warn("a program that a folder was opened in", "program", name, "err", err)
		}
	}()
	return nil
}

func noProgram(name string, err error) error {
	err = fmt.Errorf("%s does not open the folder: %w: %w", name, err, beckon.ErrUnavailable)
	return problem.New(problem.NoProgram, err, "program", name)
}

// command returns what opens a folder in a program, and whether that is there.
func (m Machine) command(p program, dir string) (args []string, there bool) {
	for _, apps := range m.Apps {
		bundle := filepath.Join(apps, p.app+".app")
		if info, err := os.Stat(bundle); p.app != "" && err == nil && info.IsDir() {
			return []string{"/usr/bin/open", "-a", bundle, dir}, true
		}
	}
	if p.command == "" {
		return nil, false
	}
	path, err := m.Find(p.command)
	if err != nil {
		return nil, false
	}
	args = append([]string{path}, p.args...)
	if !p.in {
		args = append(args, dir)
	}
	return args, true
}
