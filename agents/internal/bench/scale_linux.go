package bench

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"slices"

	"fairlead.dev/agents/internal/balancer"
	"fairlead.dev/agents/internal/balancer/datapath"
)

// manyPerService is how many backends each generated service has.
const manyPerService = 10

// scaleEngines are the engines for this scale; nftables is documented for tens of services.
var scaleEngines = []string{"tcx", "xdp", "userspace"}

// holders are the engines that can hold first packets.
var holders = []string{"tcx", "xdp"}

// BalancerScale grows each of the plan's engines from one address to the plan's services and back, first
// without load, then under load.
func BalancerScale(ctx context.Context, plan Plan, print func(Line)) error {
	for _, candidate := range balancer.Candidates() {
		if !slices.Contains(scaleEngines, candidate.Name) || len(plan.Subjects) > 0 && !slices.Contains(plan.Subjects, candidate.Name) {
			continue
		}
		err := scale(ctx, plan, candidate, print)
		var refused refusal
		if errors.As(err, &refused) {
			print(Line{LeftOut: &LeftOut{Subject: candidate.Name, Reason: refused.reason}})
			err = nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", candidate.Name, err)
		}
	}
	return nil
}

func scale(ctx context.Context, plan Plan, candidate datapath.Candidate, print func(Line)) (err error) {
	network, err := newNetwork(ctx, 1, inOrder())
	if network != nil {
		defer func() { err = errors.Join(err, network.Close()) }()
	}
	if err != nil {
		return err
	}
	flows := 0
	if slices.Contains(holders, candidate.Name) { // the others have no table of flows
		flows = plan.Flows
	}
	var engine *process
	var busy datapath.Service
	name := candidate.Name + " " + string(candidate.Deliveries[0])
	r, err := launch(ctx, network, subject{name: name, kind: Engine, workloads: Workloads, start: func(_ context.Context, p *pod) (func() error, error) {
		// The generated backends are on-link, so that each needs a neighbour lookup.
		if err := p.space.AddAddress(netInterface, netip.MustParsePrefix("10.9.0.1/16")); err != nil {
			return nil, err
		}
		busy = p.crowded(candidate.Deliveries[0])
		options := EngineOptions{Engine: candidate.Name, Services: append(p.services(candidate.Deliveries[0]), busy), Replica: flowsAt(hostAddress(replicaHost))}
		options.Options.Connections = flows + flows/4
		if engine, err = startEngine(options, p); err != nil {
			return nil, err
		}
		return engine.stop, nil
	}}, 0, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.stop()) }()
	if slices.Contains(holders, candidate.Name) {
		if err := network.addReplica(ctx, hostAddress(firstPod)); err != nil {
			return fmt.Errorf("start the other replica: %w", err)
		}
	}
	s := &scaling{running: r, engine: engine, few: append(r.pod.services(candidate.Deliveries[0]), busy), print: print}
	s.many = slices.Concat(s.few, invented(plan.Services, candidate.Deliveries[0]))
	slices.SortFunc(s.many, func(a, b datapath.Service) int { return compareKeys(a.Key, b.Key) })
	if flows > 0 {
		if s.flows, err = s.fill(ctx, network, busy.Key, flows); err != nil {
			return err
		}
	}
	for range plan.Rounds {
		if err := s.growAndShrink(); err != nil {
			return err
		}
	}
	return s.underLoad(ctx, network, plan)
}

func compareKeys(a, b datapath.Key) int {
	if order := a.Address.Compare(b.Address); order != 0 {
		return order
	}
	return int(a.Protocol) - int(b.Protocol)
}

// scaling is one engine in the test.
type scaling struct {
	*running
	engine    *process
	few, many []datapath.Service
	print     func(Line)
	loaded    bool
	flows     uint64 // that it carries meanwhile, beside those of the load
	held      uint64 // first packets that have waited so far
}

func (s *scaling) growAndShrink() error {
	if err := s.apply("grows", s.many); err != nil {
		return err
	}
	changed := slices.Clone(s.many)
	for i := range changed {
		if len(changed[i].Backends) == manyPerService {
			changed[i].Backends = slices.Clone(changed[i].Backends)
			changed[i].Backends[0].Up = false
			break
		}
	}
	if err := s.apply("changes", changed); err != nil {
		return err
	}
	return s.apply("shrinks", s.few)
}

func (s *scaling) apply(what string, services []datapath.Service) error {
	reply, err := s.engine.set(services)
	if err != nil {
		return err
	}
	s.held = reply.Held
	memory, err := residentBytes(s.engine.command.Process.Pid)
	if err != nil {
		return err
	}
	kernel, err := mapBytes(s.pod.pins())
	if err != nil {
		return err
	}
	s.print(Line{Applied: &Applied{
		Subject: s.name, What: what, Loaded: s.loaded, Flows: s.flows, Changes: reply.Changes,
		Seconds: reply.Seconds, CPUSeconds: reply.CPUSeconds, MemoryBytes: memory, KernelBytes: kernel,
	}})
	return nil
}

// underLoad applies configs repeatedly while datagrams, requests and then new connections are processed;
// losses during that time count for the turn. The loaded service changes too: a backend of it drains and
// fills again, so that its first packets wait for the other replica.
func (s *scaling) underLoad(ctx context.Context, network *network, plan Plan) error {
	loaded := s.few[:len(s.few)-1] // without the crowd's
	s.loaded, s.many, s.few = true, changed(s.many, loaded, datapath.Draining), changed(s.few, loaded, datapath.Filling)
	for _, workload := range []Workload{UDP, Small, New} {
		t, err := s.loadedTurn(ctx, network, plan, workload)
		if err != nil {
			return err
		}
		s.print(Line{Loaded: t})
	}
	return nil
}

func (s *scaling) loadedTurn(ctx context.Context, network *network, plan Plan, workload Workload) (*LoadedTurn, error) {
	type outcome struct {
		load Load
		err  error
	}
	before, err := resent(network.loadedEnds())
	if err != nil {
		return nil, err
	}
	heldBefore := s.held
	done := make(chan outcome, 1)
	go func() {
		load, _, err := turn(ctx, network, plan, s.running, workload)
		done <- outcome{load, err}
	}()
	ended := outcome{}
	for running := true; running; {
		if err := s.growAndShrink(); err != nil {
			<-done
			return nil, err
		}
		select {
		case ended = <-done:
			running = false
		default:
		}
	}
	if ended.err != nil {
		return nil, ended.err
	}
	after, err := resent(network.loadedEnds())
	return &LoadedTurn{Subject: s.name, Workload: workload, Load: ended.load, Resent: after.since(before), Held: s.held - heldBefore}, err
}

// changed returns all services, with the second backend of each of the few in another state.
func changed(all, few []datapath.Service, state datapath.State) []datapath.Service {
	list := slices.Clone(all)
	for i, service := range list {
		if slices.ContainsFunc(few, func(one datapath.Service) bool { return one.Key == service.Key }) {
			list[i].Backends = slices.Clone(service.Backends)
			list[i].Backends[1].State = state
		}
	}
	return list
}

// invented are services whose backends don't exist.
func invented(services int, delivery datapath.Delivery) []datapath.Service {
	list := make([]datapath.Service, services)
	for i := range list {
		list[i] = datapath.Service{
			Key:      datapath.Key{Address: netip.AddrFrom4([4]byte{198, 18, byte(i / 250), byte(i%250 + 1)}), Port: servicePort, Protocol: datapath.TCP},
			Delivery: delivery,
		}
		for j := range manyPerService {
			n := i*manyPerService + j
			list[i].Backends = append(list[i].Backends, datapath.Backend{
				ID: fmt.Sprintf("backend-%05d", n), Address: netip.AddrFrom4([4]byte{10, 9, byte(16 + n/256), byte(n)}),
				Port: servicePort, Weight: 1, State: datapath.Active, Up: true,
			})
		}
	}
	return list
}

// inOrder makes one processor pass all packets of a connection, as a network card does. A first packet that was held
// comes from the engine's processor, so the client's next two packets come from different ones: if the second overtakes
// the first, the backend's kernel may reset the connection, with any balancer or none.
func inOrder() map[string]string {
	return map[string]string{"net/core/rps_default_mask": fmt.Sprintf("%x", 1<<runtime.NumCPU()-1)}
}
