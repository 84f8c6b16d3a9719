package scripted

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/txtar"
)

// script is a parsed archive.
type script struct {
	name   string
	match  *regexp.Regexp // nil fits any message
	resume bool
	model  bool // each turn is the Messages API's
	pace   time.Duration
	mute   []string // control requests that it never answers
	down   []string // MCP servers of the user's that fail until they are connected again
	turns  [][]step
	files  map[string]string
}

// step is one line of a script.
type step struct {
	verb  string
	args  string // the rest of the line
	inner []step // of parallel
}

// archived makes a whole archive of bare steps.
func archived(text string) string {
	if strings.HasPrefix(text, "-- script --") || strings.Contains(text, "\n-- script --") {
		return text
	}
	return "-- script --\n" + text
}

// load reads the script at path, or every script in the directory there.
func load(path string) ([]*script, error) {
	dir, names := filepath.Dir(path), []string{filepath.Base(path)}
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if info.IsDir() {
		dir = path
		if names, err = fs.Glob(os.DirFS(dir), "*.txtar"); err != nil {
			return nil, err
		}
	}
	var scripts []*script
	for _, name := range names {
		p := filepath.Join(dir, name)
		data, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		s, err := parse(filepath.Base(p), data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		scripts = append(scripts, s)
	}
	slices.SortStableFunc(scripts, func(a, b *script) int {
		return cmp.Or(cmp.Compare(b.fussiness(), a.fussiness()), cmp.Compare(a.name, b.name))
	})
	return scripts, nil
}

// fussiness orders scripts: those that fit fewer processes come first.
func (s *script) fussiness() int {
	n := 0
	if s.resume {
		n += 2
	}
	if s.match != nil {
		n++
	}
	return n
}

func (s *script) fits(message string, resumed bool) bool {
	return (!s.resume || resumed) && (s.match == nil || s.match.MatchString(message))
}

func parse(name string, data []byte) (*script, error) {
	s := &script{name: name, files: map[string]string{}}
	for _, f := range txtar.Parse(data).Files {
		s.files[f.Name] = string(f.Data)
	}
	lines := strings.Split(s.files["script"], "\n")
	for len(lines) > 0 {
		header, err := s.header(strings.TrimSpace(lines[0]))
		if err != nil {
			return nil, err
		}
		if !header {
			break
		}
		lines = lines[1:]
	}
	return s, s.steps(lines)
}

// header takes in a line before the steps. A blank or a comment is one.
func (s *script) header(line string) (bool, error) {
	name, value, _ := strings.Cut(line, ":")
	value = strings.TrimSpace(value)
	var err error
	switch {
	case line == "" || line[0] == '#':
	case name == "match":
		s.match, err = regexp.Compile(value)
	case name == "resume":
		s.resume = value == "yes"
	case name == "model":
		s.model = value == "yes"
	case name == "down":
		s.down = strings.Fields(value)
	case name == "mute":
		s.mute = strings.Fields(value)
	case name == "pace":
		s.pace, err = time.ParseDuration(value)
	default:
		return false, nil
	}
	return true, err
}

func (s *script) steps(lines []string) error {
	turn := []step{}
	var parallel *step
	for _, line := range lines {
		verb, args, _ := strings.Cut(strings.TrimSpace(line), " ")
		next := step{verb: verb, args: strings.TrimSpace(args)}
		switch {
		case verb == "" || verb[0] == '#':
		case verb == "turn":
			s.turns = append(s.turns, turn)
			turn = []step{}
		case verb == "parallel":
			parallel = &next
		case verb == "end" && parallel != nil:
			turn = append(turn, *parallel)
			parallel = nil
		case verbs[verb] == nil && calls[verb] == nil:
			return fmt.Errorf("unknown step %q", line)
		case parallel != nil:
			parallel.inner = append(parallel.inner, next)
		default:
			turn = append(turn, next)
		}
	}
	if parallel != nil {
		return fmt.Errorf("parallel without end")
	}
	s.turns = append(s.turns, turn)
	return nil
}

// words splits a step's arguments: n words, the last of which takes all that
// is left unless it is quoted.
func words(text string, n int) ([]string, error) {
	var list []string
	for text = strings.TrimSpace(text); text != "" && len(list) < n; text = strings.TrimSpace(text) {
		if quoted, err := strconv.QuotedPrefix(text); err == nil && quoted[0] == '"' {
			word, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, err
			}
			list, text = append(list, word), text[len(quoted):]
			continue
		}
		if len(list) == n-1 {
			return append(list, text), nil
		}
		word, rest, _ := strings.Cut(text, " ")
		list, text = append(list, word), rest
	}
	if len(list) < n {
		return nil, fmt.Errorf("%d arguments wanted, not %q", n, list)
	}
	return list, nil
}

// size reads a number of bytes, such as 100KB or 5MB.
func size(text string) (int, error) {
	number, unit := strings.TrimRight(text, "KMB"), 1
	switch text[len(number):] {
	case "KB":
		unit = 1 << 10
	case "MB":
		unit = 1 << 20
	}
	n, err := strconv.Atoi(number)
	return n * unit, err
}
