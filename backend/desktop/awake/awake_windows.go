package awake

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	kernel         = windows.NewLazySystemDLL("kernel32.dll")
	executionState = kernel.NewProc("SetThreadExecutionState")
	powerStatus    = kernel.NewProc("GetSystemPowerStatus")
)

const (
	continuous     = 0x80000000
	systemRequired = 0x00000001
)

func available() bool { return executionState.Find() == nil }

// inhibit holds a thread: the state is that of the thread that set it.
func inhibit(string) (release func(), err error) {
	begun, over, ended := make(chan error), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		before, _, err := executionState.Call(continuous | systemRequired)
		if before == 0 {
			begun <- fmt.Errorf("SetThreadExecutionState: %w", err)
			return
		}
		begun <- nil
		<-over
		_, _, _ = executionState.Call(continuous) // where it fails, the end of the thread does it
	}()
	if err := <-begun; err != nil {
		return nil, err
	}
	return func() {
		close(over)
		<-ended
	}, nil
}

// systemPower is SYSTEM_POWER_STATUS.
type systemPower struct {
	line, flag, percent, saver byte
	lifetime, fullLifetime     uint32
}

func readPower() power {
	var s systemPower
	if ok, _, _ := powerStatus.Call(uintptr(unsafe.Pointer(&s))); ok == 0 || s.percent > 100 {
		return power{}
	}
	return power{battery: s.line == 0, percent: int(s.percent)}
}
