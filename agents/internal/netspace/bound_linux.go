package netspace

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"sync"
	"syscall"

	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"
)

// StartBound starts a process in the namespace that the kernel kills when this process ends,
// however it ends. It has its own process group, so that Ctrl-C in our terminal doesn't reach it.
func (s *Space) StartBound(command *exec.Cmd) error {
	if command.SysProcAttr == nil {
		command.SysProcAttr = &syscall.SysProcAttr{}
	}
	command.SysProcAttr.Setpgid = !command.SysProcAttr.Setsid // a new session has its own group, too
	command.SysProcAttr.Pdeathsig = syscall.SIGKILL
	err := onLastingThread()(func() error {
		// The thread returns to its namespace, or it would keep a deleted one alive.
		home, err := netns.Get()
		if err != nil {
			return err
		}
		defer home.Close()
		if err := netns.Set(s.handle); err != nil {
			return err
		}
		return errors.Join(command.Start(), netns.Set(home))
	})
	if err != nil {
		return fmt.Errorf("start %s in %s: %w", command.Path, s.Name, err)
	}
	return nil
}

// The kernel sends a parent-death signal when the thread that started the process ends, so that
// thread has to live as long as this process.
var onLastingThread = sync.OnceValue(func() func(func() error) error {
	type job struct {
		run    func() error
		result chan error
	}
	jobs := make(chan job)
	serve := func() {
		for j := range jobs {
			j.result <- j.run()
		}
	}
	go func() {
		runtime.LockOSThread()
		if unix.Gettid() == unix.Getpid() {
			go func() { runtime.LockOSThread(); serve() }() // never the main thread: see onNewThread
			select {}                                       // and locked, so that the new goroutine can't run on it
		}
		serve()
	}()
	return func(run func() error) error {
		j := job{run, make(chan error, 1)}
		jobs <- j
		return <-j.result
	}
})
