package process

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Child is a running child. Its methods may be called from any goroutine.
type Child struct {
	proc   *os.Process
	job    windows.Handle
	done   chan struct{} // closed when status is set
	status Status
}

// Start starts a child in a job that dies with its last handle, which is
// this program's. The child is created suspended so that it can start
// nothing before it is in the job. Nothing of that waits for the child, so ctx
// only keeps one from being started.
func Start(ctx context.Context, s Spec) (*Child, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	job, err := newJob()
	if err != nil {
		return nil, fmt.Errorf("create job: %w", err)
	}
	cmd := exec.Command(s.Path, s.Args...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = s.Dir, append(s.Env[:len(s.Env):len(s.Env)], Mark+"=1"),
		s.Stdin, s.Stdout, s.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP,
	}
	if err := cmd.Start(); err != nil {
		windows.CloseHandle(job)
		return nil, err
	}
	return begin(cmd.Process, job, s.Path)
}

// begin has a suspended process run in its job, which it closes where that fails.
func begin(proc *os.Process, job windows.Handle, path string) (*Child, error) {
	c := &Child{proc: proc, job: job, done: make(chan struct{})}
	if err := c.admit(); err != nil {
		_ = proc.Kill()
		_, _ = proc.Wait()
		windows.CloseHandle(job)
		return nil, fmt.Errorf("put %s in its job: %w", path, err)
	}
	go c.follow()
	return c, nil
}

func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		windows.CloseHandle(job)
		return 0, err
	}
	return job, nil
}

// admit puts the suspended child in its job and lets it run.
func (c *Child) admit() error {
	pid := uint32(c.proc.Pid)
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process)
	if err := windows.AssignProcessToJobObject(c.job, process); err != nil {
		return err
	}
	return resume(pid)
}

// resume starts the threads of pid: os/exec does not hand out the one that
// CreateProcess made.
func resume(pid uint32) error {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(snapshot)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(snapshot, &entry); err == nil; err = windows.Thread32Next(snapshot, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		defer windows.CloseHandle(thread)
		_, err = windows.ResumeThread(thread)
		return err
	}
	return err
}

// follow waits for the child and then ends the rest of its job.
func (c *Child) follow() {
	c.status = Status{Code: -1}
	if state, err := c.proc.Wait(); err == nil {
		c.status.Code = state.ExitCode()
	}
	_ = windows.TerminateJobObject(c.job, 1)
	windows.CloseHandle(c.job)
	close(c.done)
}

// PID is the child's process id, good for showing only.
func (c *Child) PID() int { return c.proc.Pid }

// Interrupt is not supported: Windows sends Ctrl-C to whole consoles.
func (c *Child) Interrupt() error { return os.ErrInvalid }

// Kill kills the child and all that it started.
func (c *Child) Kill() error {
	select {
	case <-c.done:
		return os.ErrProcessDone
	default:
		return c.proc.Kill() // follow ends the job
	}
}

// Wait waits until the child and all that it started are gone.
func (c *Child) Wait() Status {
	<-c.done
	return c.status
}
