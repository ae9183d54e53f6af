package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/freeze"
	"fairlead.dev/agents/internal/lab/topology"
	"fairlead.dev/agents/internal/netspace"
)

// mostLog limits one process's log; a larger one is truncated.
const mostLog = 4 << 20

// process runs in a member, and is restarted when it ends.
type process struct {
	space     *netspace.Space
	arguments []string // starting with the program
	log       string
	record    string // file with its identity, for a later cleanup
	cgroup    string // folder; empty: ours
	restart   time.Duration
	ended     func(*process) // called from another goroutine

	command  *exec.Cmd // nil while it isn't running
	starts   int
	frozen   bool
	stopping bool
	again    time.Time // when it restarts; zero for never
	lastEnd  string
}

func (p *process) start() error {
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open the log of %s: %w", p.space.Name, err)
	}
	defer log.Close()
	command := exec.Command(p.arguments[0], p.arguments[1:]...)
	command.Stdout, command.Stderr = log, log
	if p.cgroup != "" {
		cgroup, err := os.Open(p.cgroup)
		if err != nil {
			return fmt.Errorf("start a process of %s in its cgroup: %w", p.space.Name, err)
		}
		defer cgroup.Close()
		command.SysProcAttr = &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: int(cgroup.Fd())}
	}
	if err := p.space.StartBound(command); err != nil {
		return err
	}
	if err := p.note(command.Process.Pid); err != nil {
		// A later cleanup would not find it, and a retry would start a second one.
		_ = unix.Kill(-command.Process.Pid, unix.SIGKILL)
		_ = command.Wait()
		return fmt.Errorf("record the process in %s: %w", p.space.Name, err)
	}
	p.command, p.frozen, p.again = command, false, time.Time{}
	p.starts++
	go func() {
		_ = command.Wait() // its state has the exit status
		p.ended(p)
	}()
	return nil
}

// note writes the record of a process just started.
func (p *process) note(pid int) error {
	started, err := startOf(pid)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrProcessDone) {
		return nil // it has already ended
	}
	if err != nil {
		return err
	}
	return os.WriteFile(p.record, fmt.Appendf(nil, "%d %d\n", pid, started), 0o600)
}

// hasEnded is called by the goroutine that owns the lab.
func (p *process) hasEnded(now time.Time) {
	p.lastEnd = p.command.ProcessState.String()
	p.command, p.frozen = nil, false
	if !p.stopping && p.restart != topology.Never {
		p.again = now.Add(p.restart)
	}
}

func (p *process) pid() int {
	if p.command == nil {
		return 0
	}
	return p.command.Process.Pid
}

var errNotRunning = errors.New("it doesn't run")

// signal goes to the whole process group; each process has its own.
func (p *process) signal(signal unix.Signal) error {
	if p.command == nil {
		return errNotRunning
	}
	if err := unix.Kill(-p.pid(), signal); err != nil && !errors.Is(err, unix.ESRCH) {
		return fmt.Errorf("send %s to process %d: %w", signal, p.pid(), err)
	}
	return nil
}

func (p *process) freeze(ctx context.Context) error {
	if p.command == nil {
		return errNotRunning
	}
	err := freeze.Group(ctx, p.pid())
	p.frozen = err == nil
	return err
}

func (p *process) thaw() error {
	err := p.signal(unix.SIGCONT)
	p.frozen = p.frozen && err != nil
	return err
}

func (p *process) kill() error { return p.signal(unix.SIGKILL) }

// stop ends it permanently; a frozen process is continued first.
func (p *process) stop() {
	p.stopping, p.again = true, time.Time{}
	if p.command != nil {
		_ = p.signal(unix.SIGTERM) // the kill that follows doesn't depend on it
		_ = p.signal(unix.SIGCONT)
	}
}

func (p *process) trimLog() {
	if info, err := os.Stat(p.log); err == nil && info.Size() > mostLog {
		_ = os.Truncate(p.log, 0) // it is opened for appending, so writing continues at the start
	}
}

// state is one word.
func (p *process) state() string {
	switch {
	case p.frozen:
		return "frozen"
	case p.command != nil:
		return "running"
	case p.again.IsZero():
		return "ended"
	}
	return "restarting"
}
