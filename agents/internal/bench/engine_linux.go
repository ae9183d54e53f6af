package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"fairlead.dev/agents/internal/balancer"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/xdp"
)

// EngineOptions are the options of an engine's process.
type EngineOptions struct {
	Engine   string
	Options  datapath.Options
	Services []datapath.Service
	Replica  string // address and port of the replica that first packets wait for; none when empty
}

// engineReply reports that the engine carries the services, or failed, with statistics.
type engineReply struct {
	Refused, Failed string
	Changes         int
	Seconds         float64
	CPUSeconds      float64
	Held            uint64 // first packets that have waited so far
}

// RunEngine is an engine's process. It carries the given services, and each set it receives later, until its
// input ends for any reason, so that nothing stays in the kernel.
func RunEngine(ctx context.Context, encoded string, input io.Reader, output io.Writer) error {
	var options EngineOptions
	if err := json.Unmarshal([]byte(encoded), &options); err != nil {
		return fmt.Errorf("read the engine's options: %w", err)
	}
	engine, reply := openEngine(ctx, options)
	replies, orders := json.NewEncoder(output), json.NewDecoder(input)
	if err := replies.Encode(reply); err != nil || engine == nil {
		return err
	}
	relay := startRelay(engine, options.Replica)
	for {
		var services []datapath.Service
		if orders.Decode(&services) != nil {
			break // the other process has ended, perhaps in the middle of a line
		}
		reply := engineReply{}
		began, cpu := time.Now(), cpuSeconds()
		changes, err := datapath.Whole(engine.Set(ctx, services))
		if err != nil {
			reply.Failed = err.Error()
		}
		reply.Changes, reply.Seconds, reply.CPUSeconds = changes, time.Since(began).Seconds(), cpuSeconds()-cpu
		reply.Held = relay.counted()
		if replies.Encode(reply) != nil {
			break
		}
	}
	relay.close()
	return errors.Join(engine.Remove(), engine.Close())
}

func openEngine(ctx context.Context, o EngineOptions) (datapath.Engine, engineReply) {
	candidates := balancer.Candidates()
	i := slices.IndexFunc(candidates, func(c datapath.Candidate) bool { return c.Name == o.Engine })
	if i < 0 {
		return nil, engineReply{Failed: fmt.Sprintf("engine %q isn't part of this build", o.Engine)}
	}
	if err := candidates[i].Preflight(o.Options); err != nil {
		return nil, engineReply{Refused: err.Error()}
	}
	engine, err := candidates[i].Open(o.Options)
	if err != nil {
		return nil, engineReply{Failed: err.Error()}
	}
	if _, err := datapath.Whole(engine.Set(ctx, o.Services)); err != nil {
		return nil, engineReply{Failed: errors.Join(err, engine.Remove(), engine.Close()).Error()}
	}
	return engine, engineReply{}
}

// engine starts one of our engines in its own process, as in a pod.
func engine(name string, delivery datapath.Delivery) func(context.Context, *pod) (func() error, error) {
	return func(_ context.Context, p *pod) (func() error, error) {
		e, err := startEngine(name, p, p.services(delivery), "")
		if err != nil {
			return nil, err
		}
		return e.stop, nil
	}
}

// process is a running engine.
type process struct {
	command *exec.Cmd
	input   io.WriteCloser
	orders  *json.Encoder
	replies *json.Decoder
	undo    func() error // undoes the preparation of its host
}

// startEngine returns when the engine carries the services.
func startEngine(name string, p *pod, services []datapath.Service, replica string) (*process, error) {
	undo, err := prepareHost(name, p)
	if err != nil {
		return nil, err
	}
	encoded, err := json.Marshal(EngineOptions{
		Engine: name, Services: services, Replica: replica,
		Options: datapath.Options{Interface: netInterface, Name: p.end, StateFolder: p.pins()},
	})
	if err != nil {
		return nil, errors.Join(err, undo())
	}
	// Not tied to us or the context: it ends in order when its input ends.
	e := &process{command: exec.Command("/proc/self/exe", "engine", string(encoded)), undo: undo}
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
	if err := p.space.Start(e.command); err != nil {
		return nil, errors.Join(err, undo())
	}
	if _, err := e.reply(); err != nil {
		return nil, errors.Join(err, e.stop())
	}
	return e, nil
}

// set replaces its services.
func (e *process) set(services []datapath.Service) (engineReply, error) {
	if err := e.orders.Encode(services); err != nil {
		return engineReply{}, fmt.Errorf("send the engine its services: %w", err)
	}
	return e.reply()
}

func (e *process) reply() (reply engineReply, err error) {
	if err := e.replies.Decode(&reply); err != nil {
		return reply, fmt.Errorf("the engine's process ended: %w", err)
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

func (p *pod) pins() string { return filepath.Join(pins, strconv.Itoa(os.Getpid()), p.end) }

// prepareHost applies an engine's requirements to the pod's host.
func prepareHost(name string, p *pod) (undo func() error, err error) {
	if name != xdp.Candidate.Name {
		return func() error { return nil }, nil
	}
	var peer *xdp.Peer
	err = p.network.space.Do(func() (err error) {
		peer, err = xdp.PreparePeer(p.end)
		return err
	})
	if err != nil {
		return nil, err
	}
	return peer.Close, nil
}

// services are the pod's address over both protocols, with both backends.
func (p *pod) services(delivery datapath.Delivery) []datapath.Service {
	var list []datapath.Service
	for _, protocol := range []datapath.Protocol{datapath.TCP, datapath.UDP} {
		service := datapath.Service{
			Key: datapath.Key{Address: p.service, Port: servicePort, Protocol: protocol}, Delivery: delivery,
		}
		for _, backend := range backends {
			service.Backends = append(service.Backends, datapath.Backend{
				ID: backend.name, Address: hostAddress(backend.host), Port: servicePort, Weight: 1, State: datapath.Active, Up: true,
			})
		}
		list = append(list, service)
	}
	return list
}
