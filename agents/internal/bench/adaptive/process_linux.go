package adaptive

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"

	"fairlead.dev/agents/internal/netspace"
)

// process is a part of a node in its own process, which replies to orders until its input ends.
type process struct {
	orders
	command *exec.Cmd
	input   io.WriteCloser
}

// start starts this program with a command and its options, and returns when it is ready.
func start(space *netspace.Space, command string, options any) (*process, error) {
	text, err := json.Marshal(options)
	if err != nil {
		return nil, err
	}
	p := &process{command: exec.Command("/proc/self/exe", command, string(text))}
	p.command.Stderr = os.Stderr
	p.command.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // see hurry
	if p.input, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	output, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.orders = newOrders(command, output, p.input)
	if err := space.StartBound(p.command); err != nil {
		return nil, err
	}
	if err := p.receive(nil); err != nil {
		return nil, errors.Join(err, p.kill())
	}
	return p, nil
}

func (p *process) pid() int { return p.command.Process.Pid }

// stop ends the process in order.
func (p *process) stop() error { return errors.Join(p.input.Close(), p.command.Wait()) }

// kill ends it at once.
func (p *process) kill() error {
	if err := p.command.Process.Kill(); err != nil {
		return err
	}
	_ = p.command.Wait() // reports that it was killed
	return nil
}
