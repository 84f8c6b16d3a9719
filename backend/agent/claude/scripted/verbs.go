package scripted

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

// verbs do the steps that are no tool calls.
var verbs = map[string]func(*turn, step) error{
	"text":     func(t *turn, s step) error { return t.sayArgument(claude.TextBlock, s.args) },
	"think":    func(t *turn, s step) error { return t.sayArgument(claude.ThinkingBlock, s.args) },
	"parallel": parallel,
	"model":    model,
	"expect":   expect,
	"sleep":    sleep,
	"say":      sayLine,
	"replay":   replay,
	"refuse":   refuse,
	"stderr":   stderr,
	"errflood": errflood,
	"flood":    flood,
	"big":      big,
	"pace":     pace,
	"clock":    clock,
	"error":    apiError,
	"crash":    crash,
	"wake":     wake,
	"deaf":     deaf,
	"kill":     func(*turn, step) error { killSelf(); return nil },
}

func (t *turn) sayArgument(kind, words string) error {
	text, err := t.argument(words)
	if err != nil {
		return err
	}
	return t.say(kind, text)
}

// expect waits until a message of this turn has the words.
func expect(t *turn, s step) error {
	for {
		for _, m := range t.heard {
			if strings.Contains(m.text(), s.args) {
				return nil
			}
		}
		select {
		case <-t.arrived:
			t.takeMessages()
		case <-t.input:
			return fmt.Errorf("stdin ended without it")
		case <-t.ctx.Done():
			return t.ctx.Err()
		}
	}
}

func sleep(t *turn, s step) error {
	d, err := time.ParseDuration(s.args)
	if err != nil {
		return err
	}
	return t.sleep(d)
}

func sayLine(t *turn, s step) error {
	line, err := t.argument(s.args)
	if err != nil {
		return err
	}
	line = later.ReplaceAllStringFunc(line, func(text string) string {
		d, err := time.ParseDuration(later.FindStringSubmatch(text)[1])
		if err != nil {
			return text
		}
		return strconv.FormatInt(time.Now().Add(d).Unix(), 10)
	})
	t.out.raw([]byte(strings.TrimSuffix(line, "\n")))
	return nil
}

// later is a time from when the line is said, such as "+12s".
var later = regexp.MustCompile(`"\+([0-9][0-9a-z.]*)"`)

// sessionField is what ties a recorded line to the session it was made in.
var sessionField = regexp.MustCompile(`"session_id":"[^"]*"`)

// replay prints a recording as if this session had made it. The turn ends
// with the recording's own result.
func replay(t *turn, s step) error {
	text, err := t.argument("@" + strings.TrimPrefix(s.args, "@"))
	if err != nil {
		return err
	}
	ended := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		ended = ended || claude.KindOf([]byte(line)) == claude.ResultLine
		t.out.raw([]byte(sessionField.ReplaceAllLiteralString(line, `"session_id":"`+t.out.session()+`"`)))
		if err := t.sleep(t.script.pace); err != nil {
			return err
		}
	}
	if ended {
		return errEnded
	}
	return nil
}

// refuse ends the turn as the CLI does when a hook refuses its prompt: without its echo.
func refuse(t *turn, s step) error {
	t.unsaid = nil
	t.out.system("informational", "content", s.args, "level", "warning", "prevent_continuation", true)
	t.result("success", false, s.args, "", "stop_reason", nil)
	return errEnded
}

func stderr(t *turn, s step) error {
	_, err := fmt.Fprintln(t.stderr, s.args)
	return err
}

func errflood(t *turn, s step) error {
	n, err := size(s.args)
	if err != nil {
		return err
	}
	const line = "the same words on stderr, again and again and again and again\n"
	for ; n > 0; n -= len(line) {
		if _, err := t.stderr.Write([]byte(line)); err != nil {
			return err
		}
	}
	return nil
}

// apiError ends the turn as the CLI does when the API fails for good.
func apiError(t *turn, s step) error {
	args, err := words(s.args, 2)
	if err != nil {
		return err
	}
	status, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	var shown any = status
	name := map[int]string{401: "authentication_failed", 429: "rate_limit", 529: "overloaded"}[status]
	if name == "" {
		name = "unknown"
	} else {
		t.out.system("api_retry", "attempt", 1, "max_retries", 10, "retry_delay_ms", 10, "error_status", status, "error", name)
	}
	if status == 529 {
		shown = nil
	}
	text := "API Error: " + args[0] + " " + args[1]
	t.echo()
	t.out.raw(t.out.assistant(beckon.NewUUID(), object{"type", "text", "text", text}, "<synthetic>", "error", name))
	t.result("success", true, text, "completed", "api_error_status", shown)
	return errEnded
}

func crash(_ *turn, s step) error {
	code, err := strconv.Atoi(s.args)
	if err != nil {
		return err
	}
	return exit(code)
}
