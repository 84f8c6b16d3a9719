package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const junit = `<testsuites><testsuite>
<testcase classname="beckon/backend/git" name="TestQuick" time="0.5"></testcase>
<testcase classname="beckon/backend/git" name="TestGrew" time="90"></testcase>
<testcase classname="beckon/backend/git" name="TestSlowAsEver" time="40"></testcase>
</testsuite></testsuites>`

// run of the tests in a folder that has a budget; it returns the folder with the results.
func ran(t *testing.T, seconds string) string {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		budgetFile:           "go\t0.001\ngo\tbackend/git TestGrew\t0.1\ngo\tbackend/git TestSlowAsEver\t1000\n",
		"out/" + stagesFile:  "setup passed 1 1\ngo passed 60 " + seconds + "\n",
		"out/go.race.xml":    junit,
		"out/stages.verdict": "",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return "out"
}

func TestAStageThatOutgrewItsBudgetNamesWhatGrew(t *testing.T) {
	dir := ran(t, "600")
	var out strings.Builder
	err := run(&out, []string{"budget", dir})
	if err == nil || !strings.Contains(err.Error(), "go") || strings.Contains(err.Error(), "setup") {
		t.Errorf("the error is %v, want one of the stage go alone", err)
	}
	if said := out.String(); !strings.Contains(said, "TestGrew") || strings.Contains(said, "TestSlowAsEver") || strings.Contains(said, "TestQuick") {
		t.Errorf("it says %q, want TestGrew alone", said)
	}
}

func TestAStageWithinItsBudgetPasses(t *testing.T) {
	dir := ran(t, "1")
	if err := run(&strings.Builder{}, []string{"budget", dir}); err != nil {
		t.Error(err)
	}
}

func TestABudgetThatIsKeptHolds(t *testing.T) {
	dir := ran(t, "600")
	for _, args := range [][]string{{"keep", dir}, {"budget", dir}, {"figures", dir}} {
		var out strings.Builder
		if err := run(&out, args); err != nil {
			t.Errorf("%s: %v\n%s", args, err, &out)
		}
	}
	text, err := os.ReadFile(budgetFile)
	if err != nil || !strings.Contains(string(text), "TestGrew") {
		t.Errorf("the budget is %q, %v", text, err)
	}
}

func TestATestThatFailedOnceInManyRunsIsNamed(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.race@19-1.xml": junit,
		"go.race@19-2.xml": strings.Replace(junit, `time="0.5">`, `time="0.5"><failure message="Failed"></failure>`, 1),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	err := run(&out, []string{"failed", dir})
	if want := "  1 of 2  go\tbackend/git TestQuick\n"; err == nil || out.String() != want {
		t.Errorf("it says %q and %v, want %q", out.String(), err, want)
	}
}
