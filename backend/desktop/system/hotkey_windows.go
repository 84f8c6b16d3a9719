package system

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/windows"
)

// What user32.dll calls them.
const (
	modAlt, modControl, modShift, modWin = 1, 2, 4, 8
	modNoRepeat                          = 0x4000
	wmHotkey, wmQuit                     = 0x0312, 0x0012
	oneID                                = 1
)

var (
	user32        = windows.NewLazySystemDLL("user32.dll")
	registerKey   = user32.NewProc("RegisterHotKey")
	unregisterKey = user32.NewProc("UnregisterHotKey")
	getMessage    = user32.NewProc("GetMessageW")
	postToThread  = user32.NewProc("PostThreadMessageW")
)

// message is Windows' MSG.
type message struct {
	window         uintptr
	kind           uint32
	wParam, lParam uintptr
	time           uint32
	x, y           int32
	private        uint32
}

// grabHotkey calls pressed whenever k is pressed, until it is released.
func grabHotkey(k hotkeys, pressed func()) (release func(), err error) {
	began, done := make(chan error), make(chan struct{})
	var thread uint32
	go func() {
		defer close(done)
		// The keys belong to the thread that asked for them.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		thread = windows.GetCurrentThreadId()
		if ok, _, err := registerKey.Call(0, oneID, mask(k), uintptr(k.Key)); ok == 0 {
			began <- refusal(err)
			return
		}
		began <- nil
		defer unregisterKey.Call(0, oneID) //nolint:errcheck // the thread ends
		listen(pressed)
	}()
	if err := <-began; err != nil {
		return nil, err
	}
	return func() {
		_, _, _ = postToThread.Call(uintptr(thread), wmQuit, 0, 0) // fails for a thread that ended
		<-done
	}, nil
}

func refusal(err error) error {
	if errors.Is(err, windows.ERROR_HOTKEY_ALREADY_REGISTERED) {
		return ErrTaken
	}
	return fmt.Errorf("take the keys: %w", err)
}

func listen(pressed func()) {
	var m message
	for {
		more, _, _ := getMessage.Call(uintptr(unsafe.Pointer(&m)), 0, 0, 0)
		if int32(more) <= 0 {
			return
		}
		if m.kind == wmHotkey {
			pressed()
		}
	}
}

func mask(k hotkeys) uintptr {
	m := uintptr(modNoRepeat)
	for held, bit := range map[*bool]uintptr{&k.Ctrl: modControl, &k.Shift: modShift, &k.Alt: modAlt, &k.Super: modWin} {
		if *held {
			m |= bit
		}
	}
	return m
}
