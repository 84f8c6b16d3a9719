//go:build packages

package packages

import (
	"debug/buildinfo"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestPartsAreListed: each module that is linked and each package that the page needs is
// in the list, with its version.
func TestPartsAreListed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(out, "sbom.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	var bom struct {
		BOMFormat, SpecVersion string
		Metadata               struct {
			Component struct{ Name, Version string }
		}
		Components []struct {
			PURL     string
			Licenses []struct{ License struct{ ID, Name string } }
		}
	}
	if err := json.Unmarshal(text, &bom); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(out, "root/usr/lib/beckon/beckon")
	if bom.BOMFormat != "CycloneDX" || bom.SpecVersion != "1.5" || bom.Metadata.Component.Version != version(t, program) {
		t.Errorf("it is a %s %s of %+v", bom.BOMFormat, bom.SpecVersion, bom.Metadata)
	}
	have := map[string]bool{}
	for _, c := range bom.Components {
		have[c.PURL] = true
		if len(c.Licenses) == 0 || c.Licenses[0].License.ID+c.Licenses[0].License.Name == "" {
			t.Errorf("%s has no licence", c.PURL)
		}
	}
	for _, name := range []string{program, program + "-window"} {
		info, err := buildinfo.ReadFile(name)
		if err != nil || len(info.Deps) < 20 {
			t.Fatalf("%d modules, %v", len(info.Deps), err)
		}
		for _, m := range info.Deps {
			if !have["pkg:golang/"+m.Path+"@"+strings.ReplaceAll(m.Version, "+", "%2B")] {
				t.Errorf("%s %s is missing", m.Path, m.Version)
			}
		}
	}
	for _, name := range pageParts(t) {
		if url := "pkg:npm/" + strings.ReplaceAll(name, "@", "%40") + "@" + installed(t, name); !have[url] {
			t.Errorf("%s is missing", url)
		}
	}
	for name := range have {
		if strings.Contains(name, "/eslint@") || strings.Contains(name, "/vitest@") {
			t.Errorf("%s is no part of Beckon", name)
		}
	}
}

// TestTheListOfPartsIsValid, as the schema of CycloneDX has it, which knows the names of licences.
func TestTheListOfPartsIsValid(t *testing.T) {
	t.Parallel()
	dir := strings.TrimSpace(said(t, "../../build/tools", "go", "list", "-m", "-f", "{{.Dir}}", "github.com/CycloneDX/cyclonedx-go"))
	const at = "http://cyclonedx.org/schema/"
	c := jsonschema.NewCompiler()
	for name, file := range map[string]string{"bom-1.5.schema.json": "bom-1.5.schema.json", "spdx.schema.json": "spdx.schema.json", "jsf-0.82.schema.json": "jsf-0.82.schemax.json"} {
		f, err := os.Open(filepath.Join(dir, "schema", file))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		schema, err := jsonschema.UnmarshalJSON(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource(at+name, schema); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := c.Compile(at + "bom-1.5.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(out, "sbom.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(list); err != nil {
		t.Errorf("%v", err)
	}
	list.(map[string]any)["components"].([]any)[0].(map[string]any)["licenses"] = []any{map[string]any{"license": map[string]any{"id": "Mine-1.0"}}}
	if schema.Validate(list) == nil {
		t.Error("the schema takes a licence that there is not")
	}
}

// pageParts are the packages that the page needs by its own list, and those that are in it
// since these need them.
func pageParts(t *testing.T) (names []string) {
	t.Helper()
	var page struct{ Dependencies map[string]string }
	text, err := os.ReadFile("../../frontend/package.json")
	if err != nil || json.Unmarshal(text, &page) != nil || len(page.Dependencies) == 0 {
		t.Fatalf("the page needs %v, %v", page.Dependencies, err)
	}
	names = slices.Collect(maps.Keys(page.Dependencies))
	for _, built := range []string{"dist", "dist/phone"} {
		var folders []string
		if text, err = os.ReadFile(filepath.Join("../../frontend", built, "packages.json")); err != nil || json.Unmarshal(text, &folders) != nil {
			t.Fatalf("%s is made of %s, %v", built, text, err)
		}
		for _, folder := range folders {
			names = append(names, strings.TrimPrefix(folder, "node_modules/"))
		}
	}
	if !slices.Contains(names, "clsx") { // which Svelte alone asks for
		t.Errorf("the page is made of %q", names)
	}
	return names
}

// installed is the version of a package of the page.
func installed(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../frontend/node_modules", name, "package.json"))
	var is struct{ Version string }
	if err != nil || json.Unmarshal(text, &is) != nil || is.Version == "" {
		t.Fatalf("%s is %q, %v", name, text, err)
	}
	return is.Version
}

// TestLicencesComeWithThePackages: each has one list of the same texts, which names
// the parts that others made of the window, of the page and of its letters.
func TestLicencesComeWithThePackages(t *testing.T) {
	t.Parallel()
	const name = "share/doc/beckon/third-party-notices.txt"
	text := notices(t, filepath.Join(install(t), "usr", name))
	unpacked := t.TempDir()
	said(t, unpacked, "tar", "--extract", "--strip-components=1", "--file", one(t, "*.tar.gz"))
	if notices(t, filepath.Join(unpacked, name)) != text {
		t.Error("those of the archive are others")
	}
	sum, _, _ := strings.Cut(said(t, "", "sha256sum", filepath.Join(unpacked, name)), " ")
	sums := said(t, "", "rpm", "--dbpath="+t.TempDir(), "--query", "--package", "--queryformat", "[%{FILEDIGESTS} %{FILENAMES}\n]", one(t, "*.rpm"))
	if !strings.Contains(sums, sum+" /usr/"+name+"\n") {
		t.Errorf("those of the rpm are others: want %s in\n%s", sum, sums)
	}
}

// notices are the licences of others in a file, which must be those of what Beckon cannot
// do without.
func notices(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(content), "\r\n", "\n")
	for _, name := range []string{"\nstd 1.", "\ngithub.com/wailsapp/wails/v2 v2.", "\nmodernc.org/sqlite v1.", "\nsvelte 5.", "\ndompurify 3.", "\ninter\n", "\njetbrains-mono\n"} {
		if !strings.Contains(text, name) {
			t.Errorf("%s does not name %q", file, name)
		}
	}
	return text
}

// write writes files below a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLicencesThatBeckonDoesNotTake: what is linked or bundled under such a one, or under
// none, stops the packages by its name; what is taken has its text once.
func TestLicencesThatBeckonDoesNotTake(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mit, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	gpl, err := os.ReadFile("/usr/share/common-licenses/GPL-3")
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{
		"go.mod": "module example.org/app\n\ngo 1.26.0\n\nrequire (\n\texample.org/free v0.0.0\n\texample.org/strict v0.0.0\n)\n\n" +
			"replace (\n\texample.org/free => ./free\n\texample.org/strict => ./strict\n)\n",
		"main.go":        "package main\n\nimport (\n\t_ \"example.org/free/deep\"\n\t_ \"example.org/strict\"\n)\n\nfunc main() {}\n",
		"free/go.mod":    "module example.org/free\n",
		"free/LICENSE":   string(mit),
		"free/deep/x.go": "package deep\n",
		"strict/go.mod":  "module example.org/strict\n",
		"strict/x.go":    "package strict\n",
		"strict/COPYING": string(gpl),

		"frontend/dist/packages.json":             `["node_modules/@some/one", "node_modules/two"]`,
		"frontend/dist/phone/packages.json":       `["node_modules/two"]`,
		"frontend/node_modules/@some/one/LICENSE": string(mit), "frontend/node_modules/@some/one/package.json": `{"name": "@some/one", "version": "1.2.3"}`,
		"frontend/node_modules/two/readme": "", "frontend/node_modules/two/package.json": `{"name": "two", "version": "2.0.0"}`,
	})
	said(t, dir, "go", "build", "-o", "app", ".")
	list := func() (string, error) {
		cmd := exec.CommandContext(t.Context(), "go", "run", "-C", "../../build/tools", "./sbom", "1.0.0", filepath.Join(dir, "app"), dir, dir)
		text, err := cmd.CombinedOutput()
		return string(text), err
	}
	text, err := list()
	if err == nil || !strings.Contains(text, "example.org/strict v0.0.0: COPYING is GPL-3.0, which Beckon does not take\n") || !strings.Contains(text, "two 2.0.0: it has no licence\n") || strings.Contains(text, "free") {
		t.Errorf("%v: %s", err, text)
	}
	write(t, dir, map[string]string{"strict/COPYING": string(mit), "frontend/node_modules/two/licence.md": strings.ReplaceAll(string(mit), "\n", "\r\n")})
	var before string
	for range 2 {
		if text, err := list(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		content, err := os.ReadFile(filepath.Join(dir, "third-party-notices.txt"))
		if err != nil || before != "" && before != string(content) {
			t.Errorf("the same parts gave other bytes, %v", err)
		}
		before = string(content)
	}
	if !strings.Contains(before, "\nexample.org/free v0.0.0\nexample.org/strict v0.0.0\n@some/one 1.2.3\ntwo 2.0.0\n\nMIT License\n") || strings.Count(before, "MIT License") != 1 {
		t.Errorf("the texts are\n%s", before)
	}
}
