package executing

import (
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/mattn/go-shellwords"
)

var (
	imageName    = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/:@-]*$`)
	label        = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	contextName  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/@-]*$`)
)

// ValidVariable reports whether a variable of the environment can be called so.
func ValidVariable(name string) bool { return variableName.MatchString(name) }

// Wrong returns the field that an executor cannot have, in JSON's words, and what it holds;
// both are empty where all are right. Its name and slots are not looked at.
func (e Executor) Wrong() (field, value string) {
	for _, f := range e.fields() {
		if f.value != "" && (len(f.value) > MaxText || strings.ContainsFunc(f.value, unicode.IsControl) || !f.valid(f.value)) || f.value == "" && f.needed {
			return f.name, f.value
		}
	}
	for _, name := range e.Variables {
		if !ValidVariable(name) || len(e.Variables) > MaxVariables {
			return "variables", name
		}
	}
	return "", ""
}

type field struct {
	name, value string
	needed      bool
	valid       func(string) bool
}

// fields are those that an executor of its kind has.
func (e Executor) fields() []field {
	options := field{"options", e.Options, false, func(text string) bool { _, err := Words(text); return err == nil }}
	switch e.Kind {
	case SSH:
		return []field{{"host", e.Host, true, ValidHost}}
	case Container:
		engine := func(name string) bool { return slices.Contains(Engines, Engine(name)) }
		network := func(name string) bool { return slices.Contains(Networks, Network(name)) }
		return []field{{"engine", string(e.Engine), true, engine}, {"image", e.Image, false, imageName.MatchString}, {"network", string(e.Network), true, network}, options}
	case Kubernetes:
		return []field{
			{"image", e.Image, e.Template == "", imageName.MatchString},
			{"template", e.Template, false, filepath.IsAbs},
			{"context", e.Context, false, contextName.MatchString},
			{"namespace", e.Namespace, false, label.MatchString},
			{"queue", e.Queue, false, label.MatchString},
			{"secret", e.Secret, false, label.MatchString},
		}
	case Slurm:
		return []field{{"host", e.Host, false, ValidHost}, options}
	}
	return nil
}

// Words splits options as a shell does, without running or replacing anything.
func Words(options string) ([]string, error) {
	if strings.TrimSpace(options) == "" {
		return nil, nil
	}
	parser := shellwords.NewParser()
	words, err := parser.Parse(options)
	if err == nil && parser.Position >= 0 {
		err = errors.New("what stands behind a sign such as ; or | is no option")
	}
	return words, err
}
