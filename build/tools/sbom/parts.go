package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// part is something of others that Beckon has in it.
type part struct {
	kind, name, version string // kind is a package URL's
	texts               []text
}

// text is a file with a licence, or with what the licence wants to be told.
type text struct {
	file, content string
	licenses      []string // SPDX identifiers, which judge finds
}

// licenses are all that its texts are.
func (p part) licenses() []string {
	var all []string
	for _, t := range p.texts {
		all = append(all, t.licenses...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// goPackage is what go list says of a package.
type goPackage struct {
	Dir      string
	Standard bool
	Module   *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// linked are Go itself and the modules that a program was linked from, with the texts
// beside the packages that it uses, and above them.
func linked(program, sources string) ([]part, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	packages, err := dependencies(info, sources)
	if err != nil {
		return nil, err
	}
	goRoot, err := output(sources, nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	folders := map[string][]string{"std": {strings.TrimSpace(string(goRoot))}}
	versions := map[string]string{"std": strings.TrimPrefix(info.GoVersion, "go")}
	for _, p := range packages {
		if p.Standard || p.Module.Main {
			continue
		}
		versions[p.Module.Path] = p.Module.Version
		for dir := p.Dir; ; dir = filepath.Dir(dir) {
			folders[p.Module.Path] = append(folders[p.Module.Path], dir)
			if dir == p.Module.Dir {
				break
			}
		}
	}
	names := []string{"std"}
	for _, m := range info.Deps {
		if folders[m.Path] == nil || versions[m.Path] != m.Version {
			return nil, fmt.Errorf("%s has %s %s, and %s has %q", program, m.Path, m.Version, sources, versions[m.Path])
		}
		names = append(names, m.Path)
	}
	var all []part
	for _, name := range names {
		p := part{kind: "golang", name: name, version: versions[name]}
		slices.Sort(folders[name])
		for _, dir := range slices.Compact(folders[name]) {
			texts, err := textsIn(dir)
			if err != nil {
				return nil, err
			}
			p.texts = append(p.texts, texts...)
		}
		all = append(all, p)
	}
	return all, nil
}

// dependencies are the packages of a program for the system that it was built for.
func dependencies(info *buildinfo.BuildInfo, sources string) ([]goPackage, error) {
	var tags string
	var env []string
	for _, s := range info.Settings {
		switch s.Key {
		case "-tags":
			tags = s.Value
		case "GOOS", "GOARCH", "CGO_ENABLED":
			env = append(env, s.Key+"="+s.Value)
		}
	}
	list, err := output(sources, env, "go", "list", "-deps", "-tags="+tags, "-json=Dir,Standard,Module", ".")
	if err != nil {
		return nil, err
	}
	var all []goPackage
	for decoder := json.NewDecoder(bytes.NewReader(list)); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

func output(dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	cmd.Env = append(cmd.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", name, args[0], err)
	}
	return out, nil
}

// bundled are the packages that a page is made from, which its build has listed, and
// its fonts.
func bundled(frontend string) ([]part, error) {
	var folders []string
	for _, page := range []string{"dist", "dist/phone"} {
		var list []string
		if err := readJSON(filepath.Join(frontend, page, "packages.json"), &list); err != nil {
			return nil, err
		}
		folders = append(folders, list...)
	}
	slices.Sort(folders)
	var all []part
	for _, folder := range slices.Compact(folders) {
		var is struct{ Name, Version string }
		dir := filepath.Join(frontend, folder)
		if err := readJSON(filepath.Join(dir, "package.json"), &is); err != nil {
			return nil, err
		}
		texts, err := textsIn(dir)
		if err != nil {
			return nil, err
		}
		all = append(all, part{kind: "npm", name: is.Name, version: is.Version, texts: texts})
	}
	fonts, err := filepath.Glob(filepath.Join(frontend, "src/ui/fonts/*.woff2"))
	if err != nil {
		return nil, err
	}
	for _, font := range fonts {
		name := strings.TrimSuffix(filepath.Base(font), ".woff2")
		p := part{kind: "generic", name: name}
		// Its licence has the name of the font; where it is missing, judge says so.
		if content, err := os.ReadFile(filepath.Join(filepath.Dir(font), name+".txt")); err == nil {
			p.texts = []text{{file: name + ".txt", content: string(content)}}
		}
		all = append(all, p)
	}
	return all, nil
}

func readJSON(file string, into any) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(content, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// named are the files that authors put their licences in.
var named = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicen[cs]e|notice|copyright)([-_.].*)?$`)

// textsIn are the texts of a folder, by the names of their files.
func textsIn(dir string) ([]text, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []text
	for _, e := range entries {
		if !e.Type().IsRegular() || !named.MatchString(e.Name()) || filepath.Ext(e.Name()) == ".go" {
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, text{file: e.Name(), content: string(content)})
	}
	return all, nil
}
