package adaptive

import (
	"context"
	"net/netip"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"fairlead.dev/agents/internal/adaptive/cpulimit"
	"fairlead.dev/agents/internal/adaptive/sockets"
	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// Observed is the observed state of the role.
type Observed struct {
	Status   *agentv1.AdaptiveStatus // nil while the role is off
	Events   []*agentv1.AgentEvent
	Warnings []string
}

// former is the previous report, for what is reported since then.
type former struct {
	at      time.Time
	usage   cpulimit.Usage
	chosen  map[datapath.Key]map[string]uint64 // connections, by node
	arrived map[datapath.Key]map[string]uint64 // requests at this node
	work    map[datapath.Key]work
	lost    time.Duration // for which processes waited for the CPU limit
}

// Observe reads the state of each service.
func (d *Driver) Observe(context.Context) (observed Observed, err error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.sockets == nil {
		observed.Events = d.news.Take()
		return observed, nil
	}
	counted, err := d.sockets.Observe()
	if err != nil {
		return observed, err
	}
	before := d.observed
	d.observed = former{at: time.Now(), usage: d.usage, chosen: map[datapath.Key]map[string]uint64{}, arrived: map[datapath.Key]map[string]uint64{}, work: map[datapath.Key]work{}}
	observed.Warnings = append(append(observed.Warnings, counted.Warnings...), d.desired.Warnings...)
	if trouble := d.mesh.Trouble(); trouble != "" {
		observed.Warnings = append(observed.Warnings, "No figures are exchanged with other nodes: "+trouble+".")
	}
	status := &agentv1.AdaptiveStatus{
		Problem: d.trouble.String(), MeshAddress: d.mesh.Address(), Cores: d.cores, Corrected: d.corrected, ThrottledRatio: throttled(before.usage, d.usage),
	}
	countsOf := map[datapath.Key]sockets.ServiceCounts{}
	for _, one := range counted.Services {
		countsOf[one.Key] = one
	}
	for _, s := range d.services {
		counts := countsOf[s.Key]
		one := d.statusOf(s, counts.Refused)
		one.Nodes = d.nodesOf(s, counts.Nodes, before.chosen[s.Key])
		d.rates(one, s, before)
		status.Services = append(status.Services, one)
	}
	d.serviceTimes(status.Services, before)
	if warning := keepBusiest(status.Services, nodesReported); warning != "" {
		observed.Warnings = append(observed.Warnings, warning)
	}
	for _, one := range d.desired.Rejected {
		status.Services = append(status.Services, one.status())
	}
	status.Peers, status.Decisions = d.peerStatuses(), d.decisionsAfter(before.at, counted.Decisions)
	observed.Status, observed.Events = status, d.news.Take()
	return observed, nil
}

// throttled is the share of periods in which the CPU limit was reached. In the first report, and after the cgroup was
// created again, it is 0.
func throttled(before, now cpulimit.Usage) float64 {
	if before == (cpulimit.Usage{}) || now.Periods <= before.Periods || now.Throttled < before.Throttled {
		return 0
	}
	return float64(now.Throttled-before.Throttled) / float64(now.Periods-before.Periods)
}

func (d *Driver) statusOf(s *service, refused uint64) *agentv1.AdaptiveServiceStatus {
	one := &agentv1.AdaptiveServiceStatus{
		LoadBalancerId: s.LoadBalancer, Address: s.Key.Address.String(), Port: uint32(s.Key.Port), Protocol: s.Key.Protocol.String(), Refused: refused,
	}
	for i := range s.Backends {
		b := &s.Backends[i]
		one.Ready = one.Ready || s.isUp[i]
		target, has := s.target(b)
		if !has || !d.targets[target] {
			continue
		}
		state := d.monitor.State(target)
		backend := &agentv1.AdaptiveBackendStatus{Id: b.ID, Health: string(state.Health), Message: state.Message}
		if !state.Since.IsZero() {
			backend.Since = timestamppb.New(state.Since)
		}
		one.Backends = append(one.Backends, backend)
	}
	message := s.failure
	if !one.Ready {
		message = "No backend is up, so connections are refused. " + message
	}
	one.Message = strings.TrimSpace(message)
	return one
}

func (d *Driver) nodesOf(s *service, counted []sockets.NodeCounts, before map[string]uint64) (all []*agentv1.AdaptiveNodeStatus) {
	chosen, since, total := map[string]uint64{}, map[string]float64{}, 0.0
	for _, one := range counted {
		chosen[one.Node] = one.Counts.Chosen
		if was, known := before[one.Node]; known && one.Counts.Chosen >= was {
			since[one.Node] = float64(one.Counts.Chosen - was)
			total += since[one.Node]
		}
	}
	d.observed.chosen[s.Key] = chosen
	for _, one := range counted {
		status := &agentv1.AdaptiveNodeStatus{
			NodeId: one.Node, Open: one.Counts.Open, Chosen: one.Counts.Chosen, Failures: one.Counts.Failures,
			Entered: one.Entered.Chosen, EnteredOpen: one.Entered.Open, Backends: s.backendsAt(one.Node),
		}
		if total > 0 {
			status.Share = since[one.Node] / total
		}
		if out, has := s.to(one.Node); has {
			d.describe(status, s, out)
		}
		all = append(all, status)
	}
	return all
}

// describe adds the figures that the cost of a node was calculated from.
func (d *Driver) describe(status *agentv1.AdaptiveNodeStatus, s *service, out *outgoing) {
	isLocal := status.NodeId == d.desired.Node
	if status.ByWeight = !isLocal && !out.isFresh; status.ByWeight || !out.isKnown {
		return
	}
	figures := out.figures
	status.InFlight, status.RequestsPerSecond = figures.InFlight, figures.Rate
	status.ServiceSeconds, status.Cores = figures.ServiceTime, figures.Cores
	cost := out.cost()
	if isLocal {
		status.CostNs = cost.Local(int64(figures.InFlight), out.open)
	} else {
		status.CostNs = cost.Remote(out.open)
	}
}

func (d *Driver) peerStatuses() (all []*agentv1.AdaptivePeerStatus) {
	for _, peer := range d.desired.Peers {
		trip := d.trips[peer.Node]
		state := "missing"
		if d.mesh.IsExchanging(peer.Node) {
			state = "exchanging"
		}
		all = append(all, &agentv1.AdaptivePeerStatus{NodeId: peer.Node, State: state, RoundTripMs: trip.Seconds() * 1e3})
	}
	return all
}

func (d *Driver) decisionsAfter(last time.Time, decisions []sockets.Decision) (all []*agentv1.AdaptiveDecision) {
	type place struct {
		service datapath.Key
		address netip.AddrPort
	}
	services, ids := map[datapath.Key]string{}, map[place]string{}
	for _, s := range d.services {
		services[s.Key] = s.LoadBalancer
		for _, b := range s.Backends {
			ids[place{s.Key, b.Address}] = b.ID
		}
	}
	for _, one := range decisions {
		id, known := ids[place{one.Service, one.Backend}]
		if !known || !one.At.After(last) {
			continue
		}
		decision := &agentv1.AdaptiveDecision{
			At: timestamppb.New(one.At), LoadBalancerId: services[one.Service], BackendId: id, NodeId: one.Node, ByWeight: one.ByWeight,
		}
		for _, c := range one.Candidates {
			decision.Candidates = append(decision.Candidates, &agentv1.AdaptiveCandidate{
				NodeId: c.Node, Beside: c.Beside, CostNs: uint64(max(0, c.Cost)), TooOld: c.TooOld,
			})
		}
		all = append(all, decision)
	}
	return all
}
