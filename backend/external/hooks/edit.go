package hooks

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"beckon/backend/beckon/reason"
)

// The names under which Claude Code keeps hooks in its settings.
const (
	hooksName = "hooks"
	eventName = "PermissionRequest"
)

// A group is what settings hold below an event: the tools that it is for, and
// what is called for them.
type group struct {
	Matcher string    `json:"matcher"`
	Hooks   []handler `json:"hooks"`
}

type handler struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"` // in seconds
}

// dayLong is how long Claude Code waits for the hook, in seconds: an answer may
// come the next morning. Its own limit is ten minutes.
const dayLong = 86400

func entry(command string) group {
	return group{Matcher: "*", Hooks: []handler{{Type: "command", Command: command, Timeout: dayLong}}}
}

var (
	errNotJSON  = reason.Of(reason.HookNotJSON).Err()
	errComments = reason.Of(reason.HookComments).Err()
	errTwice    = reason.Of(reason.HookTwice).Err()
	errShape    = reason.Of(reason.HookShape).Err()
)

// install returns the settings with Beckon's hook, which calls command, and
// without those that an earlier installation of it put there.
func install(text []byte, command string) ([]byte, error) {
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	if only, found := d.commands(); found == 1 && only == command {
		return text, nil
	}
	d.removeOwn()
	groups, err := d.groups()
	if err != nil {
		return nil, err
	}
	d.appendTo(groups, depthOfGroups, entry(command))
	return d.root.Pack(), nil
}

// remove returns the settings without Beckon's hook, and without the lists that
// held nothing else.
func remove(text []byte) ([]byte, error) {
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	if _, found := d.commands(); found == 0 {
		return text, nil
	}
	d.removeOwn()
	return d.root.Pack(), nil
}

// document is a settings file that keeps its bytes where nothing changes.
type document struct {
	root hujson.Value
	// indent is one level of the file's own indentation; the file has no lines
	// where it is empty.
	indent string
}

// The levels at which the parts of the settings stand below the root.
const (
	depthOfHooks  = 1
	depthOfEvent  = 2
	depthOfGroups = 3
)

func parse(text []byte) (*document, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	root, err := hujson.Parse(text)
	if err != nil || !utf8.Valid(text) {
		return nil, errNotJSON
	}
	if !root.IsStandard() {
		return nil, errComments
	}
	d := &document{root: root}
	settings, ok := d.root.Value.(*hujson.Object)
	if !ok {
		return nil, errShape
	}
	d.indent = indentOf(settings)
	_, err = d.list() // which cannot be changed without a guess where there is an error
	return d, err
}

// indentOf returns what stands before the first member of the settings.
func indentOf(settings *hujson.Object) string {
	if len(settings.Members) == 0 {
		return "  "
	}
	before := string(settings.Members[0].Name.BeforeExtra)
	i := strings.LastIndexByte(before, '\n')
	if i < 0 {
		return ""
	}
	return before[i+1:]
}

// member returns the value of the member with the name, nil for none.
func member(o *hujson.Object, name string) (found *hujson.Value, err error) {
	for i := range o.Members {
		if literal, ok := o.Members[i].Name.Value.(hujson.Literal); !ok || literal.String() != name {
			continue
		}
		if found != nil {
			return nil, errTwice
		}
		found = &o.Members[i].Value
	}
	return found, nil
}

// groups returns the list of the event's groups, making what leads to it.
func (d *document) groups() (*hujson.Array, error) {
	hooks, err := d.memberOf(d.root.Value.(*hujson.Object), depthOfHooks, hooksName, "{}")
	if err != nil {
		return nil, err
	}
	event, err := d.memberOf(hooks.Value.(*hujson.Object), depthOfEvent, eventName, "[]")
	if err != nil {
		return nil, err
	}
	return event.Value.(*hujson.Array), nil
}

// memberOf returns the member's value, adding an empty one at the end of its
// object where there is none.
func (d *document) memberOf(o *hujson.Object, depth int, name, empty string) (*hujson.Value, error) {
	found, err := member(o, name)
	if found != nil || err != nil {
		return found, err
	}
	value, err := hujson.Parse([]byte(empty))
	if err != nil {
		return nil, err
	}
	if d.indent != "" {
		value.BeforeExtra = []byte(" ")
	}
	o.Members = append(o.Members, hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: d.lineAt(depth), Value: hujson.String(name)},
		Value: value,
	})
	if len(o.Members) == 1 {
		o.AfterExtra = d.lineAt(depth - 1)
	}
	return &o.Members[len(o.Members)-1].Value, nil
}

// lineAt is the white space before what stands at a depth.
func (d *document) lineAt(depth int) hujson.Extra {
	if d.indent == "" {
		return nil
	}
	return []byte("\n" + strings.Repeat(d.indent, depth))
}

// appendTo adds a group at the end of the list.
func (d *document) appendTo(list *hujson.Array, depth int, g group) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // a path is to be read
	if d.indent != "" {
		e.SetIndent(strings.Repeat(d.indent, depth), d.indent)
	}
	if err := e.Encode(g); err != nil {
		panic(err) // strings and a number
	}
	value, err := hujson.Parse(text.Bytes())
	if err != nil {
		panic(err) // as it was encoded
	}
	value.BeforeExtra, value.AfterExtra = d.lineAt(depth), nil
	list.Elements = append(list.Elements, value)
	if len(list.Elements) == 1 {
		list.AfterExtra = d.lineAt(depth - 1)
	}
}

// own calls f for each list of handlers in which Beckon has one.
func (d *document) own(f func(handlers *hujson.Array)) {
	list, err := d.list()
	if err != nil || list == nil {
		return // which parse has refused, or which has none
	}
	for _, g := range list.Elements {
		if handlers := handlersOf(g); handlers != nil && slices.ContainsFunc(handlers.Elements, isOwn) {
			f(handlers)
		}
	}
}

// list returns the event's groups, nil for none.
func (d *document) list() (groups *hujson.Array, err error) {
	settings, ok := d.root.Value.(*hujson.Object)
	if !ok {
		return nil, errShape
	}
	hooks, err := member(settings, hooksName)
	if err != nil || hooks == nil {
		return nil, err
	}
	events, ok := hooks.Value.(*hujson.Object)
	if !ok {
		return nil, errShape
	}
	event, err := member(events, eventName)
	if err != nil || event == nil {
		return nil, err
	}
	if groups, ok = event.Value.(*hujson.Array); !ok {
		return nil, errShape
	}
	return groups, nil
}

// commands returns how many handlers are Beckon's, and what the last of them
// calls.
func (d *document) commands() (last string, found int) {
	d.own(func(handlers *hujson.Array) {
		for _, h := range handlers.Elements {
			if isOwn(h) {
				last = commandOf(h)
				found++
			}
		}
	})
	return last, found
}

// removeOwn takes Beckon's handlers out, and each list that is empty then.
func (d *document) removeOwn() {
	emptied := map[*hujson.Array]bool{}
	d.own(func(handlers *hujson.Array) {
		cutElements(handlers, isOwn)
		emptied[handlers] = len(handlers.Elements) == 0
	})
	if len(emptied) == 0 {
		return
	}
	list, err := d.list()
	if err != nil {
		return // which parse has refused
	}
	cutElements(list, func(g hujson.Value) bool { return emptied[handlersOf(g)] })
	if len(list.Elements) > 0 {
		return
	}
	settings := d.root.Value.(*hujson.Object)
	hooks, err := member(settings, hooksName)
	if err != nil {
		return
	}
	events := hooks.Value.(*hujson.Object)
	cutMember(events, eventName)
	if len(events.Members) == 0 {
		cutMember(settings, hooksName)
	}
}

// handlersOf returns what a group calls, nil for what is not of Claude Code's
// form.
func handlersOf(g hujson.Value) *hujson.Array {
	object, ok := g.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	handlers, err := member(object, "hooks")
	if err != nil || handlers == nil {
		return nil
	}
	array, _ := handlers.Value.(*hujson.Array)
	return array
}

func cutElements(a *hujson.Array, cut func(hujson.Value) bool) {
	before := len(a.Elements)
	a.Elements = slices.DeleteFunc(a.Elements, cut)
	if n := len(a.Elements); n == 0 && before > 0 {
		a.AfterExtra = nil
	} else if n < before {
		a.Elements[n-1].AfterExtra = nil // else a comma would follow the last one
	}
}

func cutMember(o *hujson.Object, name string) {
	o.Members = slices.DeleteFunc(o.Members, func(m hujson.ObjectMember) bool {
		literal, ok := m.Name.Value.(hujson.Literal)
		return ok && literal.String() == name
	})
	if n := len(o.Members); n == 0 {
		o.AfterExtra = nil
	} else {
		o.Members[n-1].Value.AfterExtra = nil
	}
}

func isOwn(handler hujson.Value) bool {
	_, own := Parse(commandOf(handler))
	return own
}

// commandOf returns what a handler calls, "" for one that calls no command.
func commandOf(h hujson.Value) string {
	object, ok := h.Value.(*hujson.Object)
	if !ok {
		return ""
	}
	command, err := member(object, "command")
	if err != nil || command == nil {
		return ""
	}
	literal, _ := command.Value.(hujson.Literal)
	return literal.String()
}
