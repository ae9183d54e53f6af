package adaptive

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"

	"fairlead.dev/agents/internal/netspace"
)

// process is a part of a node in its own process, which replies to orders until its input ends.
type process struct {
	command *exec.Cmd
	input   io.WriteCloser
	orders  *json.Encoder
	replies *json.Decoder
}

// reply is what a process answers to an order.
type reply struct {
	Failed string          `json:"failed,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
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
	p.orders, p.replies = json.NewEncoder(p.input), json.NewDecoder(output)
	if err := space.StartBound(p.command); err != nil {
		return nil, err
	}
	if err := p.receive(nil); err != nil {
		return nil, errors.Join(err, p.kill())
	}
	return p, nil
}

// order sends an order and stores the result of its reply.
func (p *process) order(order, result any) error {
	if err := p.orders.Encode(order); err != nil {
		return fmt.Errorf("%s: %w", p.command.Args[1], err)
	}
	return p.receive(result)
}

func (p *process) receive(result any) error {
	var r reply
	err := p.replies.Decode(&r)
	if err == nil && r.Failed != "" {
		err = errors.New(r.Failed)
	}
	if err == nil && result != nil {
		err = json.Unmarshal(r.Result, result)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", p.command.Args[1], err)
	}
	return nil
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

// obey is the other end: it replies that the process is ready, and then to each order, until the input ends.
func obey[Order any](do func(Order) (any, error)) error {
	replies, orders := json.NewEncoder(os.Stdout), json.NewDecoder(os.Stdin)
	if err := replies.Encode(reply{}); err != nil {
		return err
	}
	for {
		var order Order
		if err := orders.Decode(&order); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		result, err := do(order)
		var r reply
		if err != nil {
			r.Failed = err.Error()
		} else if r.Result, err = json.Marshal(result); err != nil {
			return err
		}
		if err := replies.Encode(r); err != nil {
			return err
		}
	}
}
