package system

import (
	"errors"
	"fmt"
	"os"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// locks are the modifiers that do not count: Caps Lock and, as nearly every
// keyboard has it, Num Lock.
var locks = []uint16{0, xproto.ModMaskLock, xproto.ModMask2, xproto.ModMaskLock | xproto.ModMask2}

// grabHotkey calls pressed whenever k is pressed, until it is released.
func grabHotkey(k hotkeys, pressed func()) (release func(), err error) {
	if os.Getenv("DISPLAY") == "" || os.Getenv("WAYLAND_DISPLAY") != "" {
		return nil, ErrUnavailable // an X server below Wayland hears its own windows only
	}
	conn, err := xgb.NewConn()
	if err != nil {
		return nil, fmt.Errorf("ask the display for keys: %w", err)
	}
	if err := grab(conn, k); err != nil {
		conn.Close()
		return nil, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		listen(conn, pressed)
	}()
	return func() {
		conn.Close()
		<-done
	}, nil
}

// listen returns when the connection is closed.
func listen(conn *xgb.Conn, pressed func()) {
	for {
		event, err := conn.WaitForEvent()
		if event == nil && err == nil {
			return
		}
		if _, ok := event.(xproto.KeyPressEvent); ok {
			pressed()
		}
	}
}

func grab(conn *xgb.Conn, k hotkeys) error {
	code, err := keycode(conn, k.Key)
	if err != nil {
		return err
	}
	root := xproto.Setup(conn).DefaultScreen(conn).Root
	for _, lock := range locks {
		err := xproto.GrabKeyChecked(conn, true, root, mask(k)|lock, code, xproto.GrabModeAsync, xproto.GrabModeAsync).Check()
		var denied xproto.AccessError
		switch {
		case errors.As(err, &denied):
			return ErrTaken
		case err != nil:
			return fmt.Errorf("take the keys: %w", err)
		}
	}
	return nil
}

func mask(k hotkeys) (m uint16) {
	for held, bit := range map[*bool]uint16{
		&k.Ctrl: xproto.ModMaskControl, &k.Shift: xproto.ModMaskShift, &k.Alt: xproto.ModMask1, &k.Super: xproto.ModMask4,
	} {
		if *held {
			m |= bit
		}
	}
	return m
}

// keycode finds the key that gives a letter or digit on the user's keyboard.
func keycode(conn *xgb.Conn, key rune) (xproto.Keycode, error) {
	setup := xproto.Setup(conn)
	count := byte(setup.MaxKeycode - setup.MinKeycode + 1)
	keys, err := xproto.GetKeyboardMapping(conn, setup.MinKeycode, count).Reply()
	if err != nil {
		return 0, fmt.Errorf("read the keyboard: %w", err)
	}
	wanted := xproto.Keysym(key) // letters and digits are Latin-1 in X
	if key >= 'A' && key <= 'Z' {
		wanted += 'a' - 'A'
	}
	for i, sym := range keys.Keysyms {
		if sym == wanted && i%int(keys.KeysymsPerKeycode) == 0 {
			return setup.MinKeycode + xproto.Keycode(i/int(keys.KeysymsPerKeycode)), nil
		}
	}
	return 0, fmt.Errorf("this keyboard has no key %c", key)
}
