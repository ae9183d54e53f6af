package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/netspace"
)

// process is one of ours that takes orders: an engine or a companion.
type process struct {
	command *exec.Cmd
	input   io.WriteCloser
	orders  *json.Encoder
	replies *json.Decoder
	undo    func() error // undoes the preparation of its host
}

// startProcess starts one of our processes that takes orders, and returns when it is ready.
func startProcess(space *netspace.Space, undo func() error, arguments ...string) (*process, error) {
	// Not tied to us or the context: it ends in order when its input ends.
	e := &process{command: exec.Command("/proc/self/exe", arguments...), undo: undo}
	e.command.Stderr = os.Stderr
	input, err := e.command.StdinPipe()
	if err != nil {
		return nil, errors.Join(err, undo())
	}
	output, err := e.command.StdoutPipe()
	if err != nil {
		return nil, errors.Join(err, undo())
	}
	e.input, e.orders, e.replies = input, json.NewEncoder(input), json.NewDecoder(output)
	if err := space.Start(e.command); err != nil {
		return nil, errors.Join(err, undo())
	}
	if _, err := e.reply(); err != nil {
		return nil, errors.Join(err, e.stop())
	}
	return e, nil
}

// set replaces its services.
func (e *process) set(services []datapath.Service) (engineReply, error) {
	return e.order(carried{Services: services})
}

// live returns how many live flows of a service it carries.
func (e *process) live(service datapath.Key, until uint64) (uint64, error) {
	reply, err := e.order(carried{Count: &service, Until: until})
	return reply.Live, err
}

// order sends the process what it has to do, and returns its reply.
func (e *process) order(wanted any) (engineReply, error) {
	if err := e.orders.Encode(wanted); err != nil {
		return engineReply{}, fmt.Errorf("send %s its services: %w", e.command.Args[1], err)
	}
	return e.reply()
}

func (e *process) reply() (reply engineReply, err error) {
	if err := e.replies.Decode(&reply); err != nil {
		return reply, fmt.Errorf("the process %s ended: %w", e.command.Args[1], err)
	}
	switch {
	case reply.Refused != "":
		return reply, refusal{reply.Refused}
	case reply.Failed != "":
		return reply, errors.New(reply.Failed)
	}
	return reply, nil
}

func (e *process) stop() error { return errors.Join(e.input.Close(), e.command.Wait(), e.undo()) }
