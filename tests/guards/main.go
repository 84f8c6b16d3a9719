// Command guards takes guards of docs/SECURITY.md out of the code, one by one, and says
// which tier of the tests notices: make test, make test-all, or none. It works in a copy of
// the checkout. guards.txt has what is taken out and the tests that hold it; a change that
// does not compile, or whose text is not in its file exactly once, is an error and no guard
// that was noticed.
//
//	guards [NAME…]    all guards, or those
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// list is where the guards are.
const list = "tests/guards/guards.txt"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(names []string) error {
	text, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	guards, err := parse(string(text))
	if err != nil {
		return err
	}
	smoke, err := os.ReadFile("tests/smoke.txt")
	if err != nil {
		return err
	}
	copied, err := copyCheckout()
	if err != nil {
		return err
	}
	defer os.RemoveAll(copied)
	bench := &bench{dir: copied, smoke: string(smoke)}
	late, unnoticed := 0, 0
	for _, g := range guards {
		if len(names) > 0 && !slices.Contains(names, g.name) {
			continue
		}
		tier, by, err := bench.takeOut(g)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", g.name, g.file, err)
		}
		switch tier {
		case none:
			unnoticed++
		case all:
			late++
		}
		fmt.Printf("%-5s %-14s %-60s %s\n", g.name, tier, g.file, by)
	}
	fmt.Printf("%d are noticed by make test-all alone, %d by nothing\n", late, unnoticed)
	if unnoticed > 0 || late > 2 {
		return fmt.Errorf("too few guards are held by make test")
	}
	return nil
}

// The tiers that notice a guard's absence.
const (
	land = "make test"
	all  = "make test-all"
	none = "NOTHING"
)

// bench is a copy of the checkout in which guards are taken out.
type bench struct {
	dir   string
	smoke string // tests/smoke.txt
}

// takeOut takes a guard out, returns the first tier that notices and the test, and puts the
// guard back.
func (b *bench) takeOut(g guard) (tier, by string, err error) {
	path := filepath.Join(b.dir, g.file)
	whole, err := os.ReadFile(path)
	if err != nil {
		return "", "", err
	}
	if n := strings.Count(string(whole), g.old); n != 1 {
		return "", "", fmt.Errorf("what is taken out is in it %d times, not once", n)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(whole), g.old, g.new, 1)), 0o600); err != nil {
		return "", "", err
	}
	defer func() {
		if err2 := os.WriteFile(path, whole, 0o600); err == nil {
			err = err2
		}
	}()
	if strings.HasSuffix(g.file, ".go") {
		if out, err := b.command("go", "build", "./..."); err != nil {
			return "", "", fmt.Errorf("without the guard it does not compile: %w\n%s", err, out)
		}
	}
	for _, wanted := range []string{land, all} {
		for _, t := range g.tests {
			if b.tierOf(t) != wanted {
				continue
			}
			out, err := b.command(t.command[0], t.command[1:]...)
			switch {
			case strings.Contains(out, "no tests to run"), strings.Contains(out, "No tests found"):
				return "", "", fmt.Errorf("there is no test %s", t.name)
			case strings.Contains(out, "[build failed]"), strings.Contains(out, "[setup failed]"):
				return "", "", fmt.Errorf("its test does not compile: %s", out)
			case err != nil:
				return wanted, t.name, nil
			}
		}
	}
	return none, "", nil
}

// tierOf returns the first tier that runs a test.
func (b *bench) tierOf(t test) string {
	switch {
	case t.kind == browser && !t.smoke:
		return all
	case t.kind == golang && isSmoked(t.pkg) && !strings.Contains(b.smoke, strings.TrimPrefix(t.pkg, "./")+" "):
		return all
	case t.kind == golang && isSmoked(t.pkg) && !slices.Contains(strings.Fields(b.smoke), t.name):
		return all
	default:
		return land
	}
}

// isSmoked reports whether make test takes only those tests of a package that are in
// tests/smoke.txt.
func isSmoked(pkg string) bool {
	folders := []string{"./tests/real", "./tests/observe", "./tests/executors", "./tests/window", "./tests/desktop", "./tests/packages"}
	return slices.ContainsFunc(folders, func(folder string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") })
}

func (b *bench) command(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath -buildvcs=false")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// copyCheckout copies what git knows of the checkout, as it is now, and links what npm
// installed.
func copyCheckout() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "beckon-guards-"); err != nil {
		return "", err
	}
	copying := exec.Command("sh", "-c", `git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$1" && cp -r frontend/dist "$1/frontend/"`, "sh", dir)
	if out, err := copying.CombinedOutput(); err != nil {
		return dir, fmt.Errorf("copy the checkout: %w\n%s", err, out)
	}
	here, err := os.Getwd()
	if err != nil {
		return dir, err
	}
	for _, folder := range []string{"frontend", "tests/browser", "tests/real"} {
		if err := os.Symlink(filepath.Join(here, folder, "node_modules"), filepath.Join(dir, folder, "node_modules")); err != nil {
			return dir, err
		}
	}
	return dir, nil
}
