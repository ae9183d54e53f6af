package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"fairlead.dev/agents/internal/balancer"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/xdp"
	"fairlead.dev/agents/internal/session/names"
	"fairlead.dev/agents/internal/session/replica"
)

// EngineOptions are the options of an engine's process.
type EngineOptions struct {
	Engine   string
	Options  datapath.Options
	Services []datapath.Service
	Replica  string // address and port of the replica that first packets wait for; none when empty
	Sessions string // address and port for messages of companions; it doesn't choose by session when empty
}

const countMost = 30 * time.Second // how long counting may take

// carried is what an engine's process carries from then on.
type carried struct {
	Services []datapath.Service
	Sessions []replica.Service
	Count    *datapath.Key // if set, it only counts the live flows of this service
	Until    uint64        // or returns as soon as there are this many

	// Learn replaces the names of ticket keys by those that are learned from the backends at these addresses.
	Learn      map[string]netip.AddrPort `json:",omitempty"`
	LearnEvery time.Duration             `json:",omitempty"`
	OnlyNames  bool                      `json:",omitempty"` // nothing changes, and the reply has the names
}

// engineReply reports that the engine carries the services, or failed, with statistics.
type engineReply struct {
	Refused, Failed string
	Changes         int
	Seconds         float64
	CPUSeconds      float64
	Held            uint64 // first packets that have waited so far
	Live            uint64 // flows that were to be counted

	Names map[string][]names.Name `json:",omitempty"` // by backend, learned so far
}

// RunEngine is an engine's process. It carries the given services, and each set it receives later, until its
// input ends for any reason, so that nothing stays in the kernel.
func RunEngine(ctx context.Context, encoded string, input io.Reader, output io.Writer) error {
	var options EngineOptions
	if err := json.Unmarshal([]byte(encoded), &options); err != nil {
		return fmt.Errorf("read the engine's options: %w", err)
	}
	engine, sessions, reply := openEngine(ctx, options)
	replies, orders := json.NewEncoder(output), json.NewDecoder(input)
	if err := replies.Encode(reply); err != nil || engine == nil {
		return err
	}
	p := &engineLoop{engine: engine, sessions: sessions, relay: startRelay(engine, options.Replica), learned: learned{probed: make(chan struct{}, 1)}}
	wanted := make(chan carried)
	go func() {
		defer close(wanted)
		for {
			var next carried
			if orders.Decode(&next) != nil {
				return // the other process has ended, perhaps in the middle of a line
			}
			wanted <- next
		}
	}()
	p.run(ctx, wanted, replies)
	p.learned.close()
	p.relay.close()
	return errors.Join(closeSessions(sessions), engine.Remove(), engine.Close())
}

// countLive waits for two counts of all flows: the first may have begun before the last flows.
func countLive(ctx context.Context, engine datapath.Engine, service datapath.Key, until uint64) (reply engineReply) {
	counts := map[time.Time]bool{}
	for began := time.Now(); len(counts) < 2 && reply.Live < until && time.Since(began) < countMost; time.Sleep(200 * time.Millisecond) {
		observed, err := engine.Observe(ctx)
		if err != nil {
			return engineReply{Failed: err.Error()}
		}
		if observed.LiveAt.IsZero() || observed.LiveAt.Before(began) {
			continue
		}
		counts[observed.LiveAt] = true
		for _, one := range observed.Services {
			if one.Key == service {
				reply.Live = one.Counts.LiveConnections
			}
		}
	}
	return reply
}

func openEngine(ctx context.Context, o EngineOptions) (datapath.Engine, *replica.Replica, engineReply) {
	candidates := balancer.Candidates()
	i := slices.IndexFunc(candidates, func(c datapath.Candidate) bool { return c.Name == o.Engine })
	if i < 0 {
		return nil, nil, engineReply{Failed: fmt.Sprintf("engine %q isn't part of this build", o.Engine)}
	}
	if err := candidates[i].Preflight(o.Options); err != nil {
		return nil, nil, engineReply{Refused: err.Error()}
	}
	engine, err := candidates[i].Open(o.Options)
	if err != nil {
		return nil, nil, engineReply{Failed: err.Error()}
	}
	sessions, err := openSessions(engine, o.Sessions)
	if err == nil {
		_, err = datapath.Whole(engine.Set(ctx, o.Services))
	}
	if err != nil {
		return nil, nil, engineReply{Failed: errors.Join(err, closeSessions(sessions), engine.Remove(), engine.Close()).Error()}
	}
	return engine, sessions, engineReply{}
}

// engine starts one of our engines in its own process, as in a pod.
func engine(name string, delivery datapath.Delivery) func(context.Context, *pod) (func() error, error) {
	return func(_ context.Context, p *pod) (func() error, error) {
		e, err := startEngine(EngineOptions{Engine: name, Services: p.services(delivery)}, p)
		if err != nil {
			return nil, err
		}
		return e.stop, nil
	}
}

// startEngine returns when the engine carries the services.
func startEngine(options EngineOptions, p *pod) (*process, error) {
	undo, err := prepareHost(options.Engine, p)
	if err != nil {
		return nil, err
	}
	options.Options.Interface, options.Options.Name, options.Options.StateFolder = netInterface, p.end, p.pins()
	encoded, err := json.Marshal(options)
	if err != nil {
		return nil, errors.Join(err, undo())
	}
	return startProcess(p.space, undo, "engine", string(encoded))
}

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

// services are the pod's address over both protocols, with all backends.
func (p *pod) services(delivery datapath.Delivery) []datapath.Service {
	var list []datapath.Service
	for _, protocol := range []datapath.Protocol{datapath.TCP, datapath.UDP} {
		service := datapath.Service{
			Key: datapath.Key{Address: p.service, Port: p.port, Protocol: protocol}, Delivery: delivery,
		}
		for _, end := range p.ends {
			service.Backends = append(service.Backends, datapath.Backend{
				ID: end.name, Address: end.at.Addr(), Port: end.at.Port(), Weight: 1, State: datapath.Active, Up: true,
			})
		}
		list = append(list, service)
	}
	return list
}
