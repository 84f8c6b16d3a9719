package scripted

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"time"
)

// number stands in a flood's lines for how often they were printed before, so
// that no two have one id.
const number = "000000000000"

// counted splits "N ARGUMENT", how often and what.
func counted(text string) (n int, arg string, err error) {
	args, err := words(text, 2)
	if err != nil {
		return 0, "", err
	}
	n, err = strconv.Atoi(args[0])
	return n, args[1], err
}

func flood(t *turn, s step) error {
	n, arg, err := counted(s.args)
	if err != nil {
		return err
	}
	t.echo()
	if strings.HasPrefix(arg, "@") {
		text, err := t.argument(arg)
		if err != nil {
			return err
		}
		t.out.stretch(0, n, bytes.Split(bytes.TrimSpace([]byte(text)), []byte("\n")))
		return nil
	}
	length, err := size(arg)
	if err != nil {
		return err
	}
	t.beginMessage()
	t.out.stretch(0, n, [][]byte{t.numbered(strings.Repeat("x", length))})
	return nil
}

// numbered returns the line of a text whose uuid a flood can number.
func (t *turn) numbered(text string) []byte {
	model, _ := t.manners()
	line := t.out.assistant(t.speaking, object{"text", text, "type", "text"}, model)
	key := []byte(`"uuid":"`)
	end := bytes.LastIndex(line, key) + len(key) + len("00000000-0000-0000-0000-000000000000")
	copy(line[end-len(number):], number)
	return line
}

func big(t *turn, s step) error { return flood(t, step{args: "1 " + s.args}) }

// clock says the time at a steady pace; a line that is late delays none after it.
func clock(t *turn, s step) error {
	n, arg, err := counted(s.args)
	if err != nil {
		return err
	}
	pace := append(strings.Fields(arg), "0") // of no more bytes than the time has
	every, err := time.ParseDuration(pace[0])
	least, wrong := strconv.Atoi(pace[1])
	if err := errors.Join(err, wrong); err != nil {
		return err
	}
	t.echo()
	t.beginMessage()
	model, _ := t.manners()
	began := time.Now()
	for i := range n {
		if err := t.sleep(time.Until(began.Add(time.Duration(i) * every))); err != nil {
			return err
		}
		text := strconv.FormatInt(time.Now().UnixNano(), 10) + strings.Repeat(" word", least/len(" word"))
		t.out.raw(t.out.assistant(t.speaking, object{"text", text, "type", "text"}, model))
	}
	return nil
}
