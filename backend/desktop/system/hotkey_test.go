package system

import "testing"

func TestACombinationIsReadAsItIsShown(t *testing.T) {
	for text, want := range map[string]hotkeys{
		"Ctrl+Alt+J":       {Ctrl: true, Alt: true, Key: 'J'},
		"Super+1":          {Super: true, Key: '1'},
		"Shift+Ctrl+Z":     {Ctrl: true, Shift: true, Key: 'Z'},
		"Alt+Shift+Ctrl+A": {Ctrl: true, Alt: true, Shift: true, Key: 'A'},
	} {
		if got, err := ParseHotkey(text); err != nil || got != want {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
	}
}

func TestAKeyThatPeopleTypeIsNotTaken(t *testing.T) {
	for _, text := range []string{"", "J", "Shift+J", "Ctrl", "Ctrl+", "Ctrl+j", "Ctrl+Ctrl+J", "Ctrl+Enter", "Hyper+J", "Ctrl+Alt+ß", "++", "Ctrl++"} {
		if got, err := ParseHotkey(text); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
}
