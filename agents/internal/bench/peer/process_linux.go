package peer

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"golang.org/x/sys/unix"
)

// daemon is a peer whose process rereads its configuration on a signal and lets earlier workers finish their
// connections.
type daemon struct {
	command func(file string) *exec.Cmd
	check   func(file string) *exec.Cmd
	reload  unix.Signal
	running *exec.Cmd
	end     chan error
}

func newDaemon(reload unix.Signal, command, check func(file string) *exec.Cmd) *daemon {
	return &daemon{command: command, check: check, reload: reload, end: make(chan error, 1)}
}

func (d *daemon) apply(_ context.Context, file string) error {
	if out, err := d.check(file).CombinedOutput(); err != nil {
		return fmt.Errorf("it refuses %s: %w: %s", file, err, out)
	}
	if d.running != nil {
		return d.running.Process.Signal(d.reload)
	}
	command := d.command(file)
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	command.SysProcAttr = &unix.SysProcAttr{Pdeathsig: unix.SIGTERM}
	if err := command.Start(); err != nil {
		return err
	}
	d.running = command
	go func() { d.end <- command.Wait() }()
	return nil
}

func (d *daemon) ended() <-chan error { return d.end }

// stop ends the workers too, regardless of their connections.
func (d *daemon) stop() {
	if d.running == nil {
		return
	}
	_ = d.running.Process.Signal(unix.SIGTERM)
	select {
	case <-d.end:
	case <-time.After(2 * time.Second):
		_ = d.running.Process.Kill()
	}
}
