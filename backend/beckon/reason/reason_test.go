package reason

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"beckon/backend/beckon/problem"
)

var errKind = errors.New("conflict")

func TestAReasonIsSaidInALanguage(t *testing.T) {
	t.Parallel()
	away := Of(HostAway, "host", "farm", "words", "no {why} of {host}")
	for _, c := range []struct {
		r           *Reason
		english, de string
	}{
		{nil, "", ""},
		{Said(" I gave up. "), "I gave up.", "I gave up."},
		{Of(YouStopped), "You stopped it.", "Du hast ihn gestoppt."},
		{away, "farm does not answer: no {why} of {host}", "farm antwortet nicht: no {why} of {host}"},
		{
			Of(NotResumed).Because(away), "Your answer is kept, but its agent could not be resumed: farm does not answer: no {why} of {host}",
			"Deine Antwort bleibt erhalten, aber der Agent konnte nicht fortgesetzt werden: farm antwortet nicht: no {why} of {host}",
		},
		{Of(YouStopped).Because(Of(BackgroundEnded, "what", "make")), "You stopped it.\nWhat ran in the background ended with it: make", "Du hast ihn gestoppt.\nWas im Hintergrund lief, endete damit: make"},
		{Said("Invalid key").Because(Of(SignIn)), "Invalid key\nSign in again: run claude in a terminal and enter /login. Then resume the task.", "Invalid key\nMelde dich neu an: Starte claude in einem Terminal und gib /login ein. Setze dann die Aufgabe fort."},
		{&Reason{Code: Code(problem.ExecutorLost), Args: map[string]string{"name": "farm"}}, "The link to farm is lost. Nothing was changed. Wait until it is back, or try it now in the settings.", ""},
		{Of("nobody knows it"), "nobody knows it", "nobody knows it"},
	} {
		if got := c.r.String(); got != c.english {
			t.Errorf("English: %q, want %q", got, c.english)
		}
		if got := c.r.In("de"); c.de != "" && got != c.de {
			t.Errorf("German: %q, want %q", got, c.de)
		}
	}
}

func TestAnErrorKeepsItsReasonHoweverItIsWrapped(t *testing.T) {
	t.Parallel()
	away := Of(HostAway, "host", "farm", "words", "no route")
	err := fmt.Errorf("look at it: %w", away.Err(errKind))
	if !errors.Is(err, errKind) || !From(err).Equal(away) {
		t.Errorf("%v is %+v", err, From(err))
	}
	failed := From(problem.New(problem.ExecutorFailed, err, "name", "farm"))
	if !failed.Is(Code(problem.ExecutorFailed)) || !failed.Why.Equal(away) || failed.Args["name"] != "farm" {
		t.Errorf("a problem with a hole for it is %+v", failed)
	}
	if held := From(problem.New(problem.SessionOpen, Of(SessionHeld).Err())); !held.Is(SessionHeld) {
		t.Errorf("a problem without one is %+v", held)
	}
	if r := From(errKind); r != nil {
		t.Errorf("words are %+v", r)
	}
	var none *Reason
	if none.Err().Error() != "" || From(none.Err()) != nil || none.Is("") || none.Map(strings.ToUpper) != nil || !none.Because(away).Equal(away) {
		t.Error("no reason is one")
	}
}

func TestAReasonIsMaskedAndSearchedWhole(t *testing.T) {
	t.Parallel()
	r := Of(NotResumed).Because(Of(HostAway, "host", "farm", "words", "secret").Because(Said("a secret")))
	masked := r.Map(func(text string) string { return strings.ReplaceAll(text, "secret", "***") })
	if strings.Contains(masked.String(), "secret") || !strings.Contains(r.String(), "secret") {
		t.Errorf("masked %q, and the first is %q", masked, r)
	}
	if !r.Names("farm") || r.Names("far") {
		t.Error("it does not find a value")
	}
}

// TestEveryCodeHasOneMessage: npm run check:messages holds the other languages to English.
func TestEveryCodeHasOneMessage(t *testing.T) {
	t.Parallel()
	said := maps.Clone(texts()["en/reasons"])
	for _, code := range codes(t) {
		if said[code] == "" {
			t.Errorf("there is no reasons.%s", code)
		}
		delete(said, code)
	}
	for name := range said {
		t.Errorf("nothing says reasons.%s", name)
	}
	for name := range texts()["en/reasons"] {
		if texts()["en/errors"][name] != "" {
			t.Errorf("%s is of a reason and of an error", name)
		}
	}
}

// codes reads the values of the constants.
func codes(t *testing.T) (all []string) {
	t.Helper()
	for _, value := range constants(t) {
		all = append(all, value)
	}
	return all
}

func constants(t *testing.T) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "codes.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok {
			all[v.Names[0].Name], _ = strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
		}
		return true
	})
	return all
}

var anyHole = regexp.MustCompile(`\{(\w+)\}`)

// TestEveryReasonHasTheValuesOfItsMessage looks at the calls that are given a code and
// values by their names.
func TestEveryReasonHasTheValuesOfItsMessage(t *testing.T) {
	t.Parallel()
	byName, calls := constants(t), 0
	err := filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 || call.Ellipsis.IsValid() {
				return true
			}
			of, ok := call.Args[0].(*ast.SelectorExpr)
			if pkg, is := ofPackage(of, ok); !is || pkg != "reason" || byName[of.Sel.Name] == "" || isName(call.Fun, "Is") {
				return true
			}
			calls++
			if has, wants := named(call.Args[1:]), holesOf(byName[of.Sel.Name]); !slices.Equal(has, wants) {
				t.Errorf("%s: %s has the values %q, and its message the holes %q", path, of.Sel.Name, has, wants)
			}
			return true
		})
		return nil
	})
	if err != nil || calls < 100 {
		t.Fatalf("%d calls, %v", calls, err)
	}
}

func ofPackage(e *ast.SelectorExpr, ok bool) (string, bool) {
	if !ok {
		return "", false
	}
	name, ok := e.X.(*ast.Ident)
	if !ok {
		return "", false
	}
	return name.Name, true
}

func isName(e ast.Expr, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == name
}

// named returns the names among names and values, in their order.
func named(args []ast.Expr) []string {
	all := []string{}
	for i := 0; i < len(args); i += 2 {
		if lit, ok := args[i].(*ast.BasicLit); ok {
			name, _ := strconv.Unquote(lit.Value)
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// holesOf returns the holes of a code's message, but for that of a second reason.
func holesOf(code string) []string {
	all := []string{}
	for _, hole := range anyHole.FindAllStringSubmatch(texts()["en/reasons"][code], -1) {
		if hole[1] != "why" && !slices.Contains(all, hole[1]) {
			all = append(all, hole[1])
		}
	}
	slices.Sort(all)
	return all
}

func TestAReasonIsReadAsItIsWritten(t *testing.T) {
	t.Parallel()
	r := Of(NotResumed).Because(Of(HostAway, "host", "farm", "words", "no route"))
	text, err := json.Marshal(r)
	var read *Reason
	if err := errors.Join(err, json.Unmarshal(text, &read)); err != nil || !read.Equal(r) {
		t.Errorf("%s is read as %+v, %v", text, read, err)
	}
}
