package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// comparesWords are the places that compare or search the text of an error or of a
// reason, and why that is no decision by one of Beckon's sentences.
var comparesWords = map[string]string{
	`backend/channel/line.go: before.Error() != f.Error()`:                                              "it is news where it reads otherwise",
	`backend/channel/telegram/service.go: s.trouble.Error() == err.Error()`:                             "it is news where it reads otherwise",
	`backend/channel/telegram/api/errors.go: strings.Contains(err.Error(), "message is not modified")`:  "Telegram has no code for it",
	`backend/executor/kube/look.go: strings.Contains(err.Error(), "forbidden")`:                         "kubectl's words",
	`backend/executor/transfer/transfer.go: strings.Contains(err.Error(), "failed to read worktrees/")`: "git's words",
	`backend/git/inspect/inspect.go: strings.Contains(err.Error(), "not a git repository (or any")`:     "git's words",
	`backend/git/merge/merge.go: strings.Contains(err.Error(), words)`:                                  "git's words",
	`backend/executor/kube/words.go: switch cmp.Or(pod.Status.Reason, target.Reason)`:                   "a code of Kubernetes",
	`backend/executor/kube/words.go: end.Reason == "OOMKilled"`:                                         "a code of Kubernetes",
	`backend/executor/kube/words.go: slices.Contains(starting, wait.Reason)`:                            "a code of Kubernetes",
	`backend/executor/kube/words.go: strings.Contains(why.Reason, "Image")`:                             "a code of Kubernetes",
	`backend/git/spare/spare.go: e.Reason != reason`:                                                    "why git has a worktree locked: Beckon's own mark",
	`backend/git/worktree.go: known.Reason == "initializing"`:                                           "git's mark of a lock",
	`backend/git/worktree.go: known.Reason == workdir.Filling`:                                          "Beckon's own mark of a lock",
	`backend/beckon/doc.go: strings.CutSuffix(text, ": "+kind.err.Error())`:                             "it takes off the words for programs",
	`backend/board/steps/undo.go: slices.Contains(final, beckon.FailureOf(err).Problem)`:                "a kind of problem",
	`backend/executor/kube/words.go: job.condition("Failed", "True").Reason == "DeadlineExceeded"`:      "a code of Kubernetes",
	`backend/observe/dialog/refusal.go: r.Reason != Answered`:                                           "a code of package dialog",
	`backend/observe/dialog/refusal.go: switch r.Reason`:                                                "a code of package dialog",
	`backend/observe/dialog/refusal.go: other.Reason == r.Reason`:                                       "a code of package dialog",
	`backend/runner/outbox/outbox.go: strings.Contains(end.Said, name)`:                                 "claude answers a command that it does not have by a success that names it (docs/PROTOCOL.md)",
}

// wordy are the fields that say something in words.
var wordy = []string{"Reason", "Trouble", "Refusal", "Refused", "Problem", "Detail", "Said"}

// TestNothingIsDecidedByASentence: rewording what a person reads changes nothing but
// words. A reason is compared by its code, an error by errors.Is.
func TestNothingIsDecidedByASentence(t *testing.T) {
	left := maps.Clone(comparesWords)
	err := filepath.WalkDir("backend", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, text, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			said := decision(set, n)
			if said == "" {
				return true
			}
			at := filepath.ToSlash(path) + ": " + said
			if comparesWords[at] == "" {
				t.Errorf("%s compares words: give them a code, or say here why not", at)
			}
			delete(left, at)
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for at := range left {
		t.Errorf("%s is not there any more", at)
	}
}

// decision returns the source of what compares, switches by or searches words.
func decision(set *token.FileSet, n ast.Node) string {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if (n.Op == token.EQL || n.Op == token.NEQ) && (words(n.X) && !none(n.Y) || words(n.Y) && !none(n.X)) {
			return source(set, n)
		}
	case *ast.SwitchStmt:
		if n.Tag != nil && holdsWords(n.Tag) {
			return "switch " + source(set, n.Tag)
		}
	case *ast.CallExpr:
		called := source(set, n.Fun)
		searches := called == "slices.Contains" || called == "slices.Index"
		for _, name := range []string{"Contains", "ContainsAny", "HasPrefix", "HasSuffix", "EqualFold", "Index", "CutPrefix", "CutSuffix"} {
			searches = searches || called == "strings."+name
		}
		if (searches || strings.HasSuffix(called, ".MatchString")) && slices.ContainsFunc(n.Args, holdsWords) {
			return source(set, n)
		}
	}
	return ""
}

// words reports whether an expression is the text of an error, or a field in words.
func words(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		s, ok := e.Fun.(*ast.SelectorExpr)
		return ok && (s.Sel.Name == "Error" && len(e.Args) == 0 || s.Sel.Name == "String" && words(s.X) || s.Sel.Name == "Words" && len(e.Args) == 1)
	case *ast.SelectorExpr:
		return slices.Contains(wordy, e.Sel.Name) && !qualified(e)
	}
	return false
}

// haveCodes are packages whose exported names of that sort are codes.
var haveCodes = []string{"api", "dialog", "problem", "reason", "remote", "sessionfile"}

// qualified reports whether a selector is a code of a package, such as remote.Refused.
func qualified(e *ast.SelectorExpr) bool {
	x, ok := e.X.(*ast.Ident)
	return ok && slices.Contains(haveCodes, x.Name)
}

// holdsWords reports whether an expression has such a part.
func holdsWords(e ast.Expr) (holds bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && words(x) {
			holds = true
		}
		return !holds
	})
	return holds
}

// none reports whether an expression says only that there is something, or names a code.
func none(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name == "nil"
	case *ast.BasicLit:
		return e.Value == `""` || e.Value == "``"
	case *ast.SelectorExpr:
		return qualified(e)
	}
	return false
}

func source(set *token.FileSet, n ast.Node) string {
	var text bytes.Buffer
	if err := printer.Fprint(&text, set, n); err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(text.String()), " ")
}
