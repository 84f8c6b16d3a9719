package system

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// This file takes a combination of keys from the whole desktop, whichever
// window has the focus. It does so on X11 and on Windows. Wayland and macOS
// give keys only through their settings; Grab says so, and that a shortcut
// made there may start "beckon beckon://inbox" instead.
//
// A combination has Ctrl, Alt or Super, so that no plain key is taken from all
// programs, and one that another program holds is refused.

// What callers compare errors with.
var (
	// ErrTaken: another program has the combination.
	ErrTaken = errors.New("another program has these keys; choose others")
	// ErrUnavailable: this desktop gives no keys to programs.
	ErrUnavailable = errors.New("this desktop gives no keys to programs; in its own keyboard settings, make a shortcut that runs: beckon beckon://inbox")
)

// hotkeys is a combination.
type hotkeys struct {
	Ctrl, Alt, Shift, Super bool
	Key                     rune // A to Z, or 0 to 9
}

// ParseHotkey reads a combination such as "Ctrl+Alt+J".
func ParseHotkey(text string) (hotkeys, error) {
	parts := strings.Split(text, "+")
	key := parts[len(parts)-1]
	var k hotkeys
	if len(key) != 1 || !strings.ContainsAny(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") {
		return k, fmt.Errorf("%.40q does not end with a letter or a digit", text)
	}
	k.Key = rune(key[0])
	flags := map[string]*bool{"Ctrl": &k.Ctrl, "Alt": &k.Alt, "Shift": &k.Shift, "Super": &k.Super}
	for _, name := range parts[:len(parts)-1] {
		held, known := flags[name]
		if !known || *held {
			return k, fmt.Errorf("%.40q has a part that is no key: %.20q", text, name)
		}
		*held = true
	}
	if !slices.Contains([]bool{k.Ctrl, k.Alt, k.Super}, true) {
		return k, fmt.Errorf("%.40q has neither Ctrl, Alt nor Super, and would take a key that people type", text)
	}
	return k, nil
}
