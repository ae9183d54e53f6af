package adaptive

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"fairlead.dev/agents/internal/adaptive/mesh"
	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/adaptive/signals"
	"fairlead.dev/agents/internal/adaptive/sockets"
	"fairlead.dev/agents/internal/balancer/datapath"
)

// take replaces what the driver knows of services. What stays keeps its averages.
func (d *Driver) take(desired Desired) {
	before := map[datapath.Key]*service{}
	if d.desired.Node == desired.Node {
		for _, one := range d.services {
			before[one.Key] = one
		}
	}
	d.desired, d.nodes, d.numbers = desired, numbersOfNodes(desired), d.numbers.next(desired.Services)
	d.isTaken = true
	clear(d.trips)
	d.services, d.byNumber = nil, map[uint16]*service{}
	now := time.Now()
	for i := range desired.Services {
		s := &service{
			Service: desired.Services[i], number: d.numbers[desired.Services[i].Key],
			failure: desired.Former[desired.Services[i].Key],
		}
		s.id = s.meshID()
		was := before[s.Key]
		if was == nil {
			was = &service{}
		}
		for i := range s.Backends {
			at := slices.IndexFunc(was.Backends, func(b Backend) bool { return b.Address == s.Backends[i].Address })
			s.isUp = append(s.isUp, at < 0 || was.isUp[at])
		}
		for _, node := range s.Service.nodes() {
			one, has := was.to(node)
			if !has {
				one = &outgoing{node: node, since: now, isHere: node == desired.Node}
			}
			s.nodes = append(s.nodes, one)
		}
		for i := range s.Backends {
			one, _ := s.to(s.Backends[i].Node)
			s.places = append(s.places, one)
		}
		for i := range desired.Peers {
			one, _ := s.to(desired.Peers[i].Node)
			s.peers = append(s.peers, one)
		}
		if _, isHere := s.to(desired.Node); isHere {
			if s.meter = was.meter; s.meter == nil {
				s.meter = newMeter(d.nodes[desired.Node])
			}
		}
		d.services, d.byNumber[s.number] = append(d.services, s), s
	}
}

// counted is what package signals counts: the services with backends at this node.
func (d *Driver) counted() (config signals.Config) {
	for _, s := range d.services {
		if s.meter != nil {
			config.Services = append(config.Services, signals.Service{
				Number: s.number, Key: s.Key, Cores: d.processors(), Backends: s.at(d.desired.Node),
			})
		}
	}
	config.Nodes = append(config.Nodes, signals.Node{Number: d.nodes[d.desired.Node], Prefixes: d.desired.Prefixes})
	for _, peer := range d.desired.Peers {
		config.Nodes = append(config.Nodes, signals.Node{Number: d.nodes[peer.Node], Prefixes: peer.Prefixes})
	}
	return config
}

// exchanged is what package mesh exchanges. Without a key there are no peers.
func (d *Driver) exchanged() (spec mesh.Spec) {
	if d.desired.Keys.Current == [mesh.KeyBytes]byte{} {
		return spec
	}
	spec = mesh.Spec{Self: d.desired.Node, Keys: d.desired.Keys}
	for _, peer := range d.desired.Peers {
		spec.Peers = append(spec.Peers, mesh.Peer{Node: peer.Node, Address: peer.Address})
	}
	numbers := d.nodes
	for _, s := range d.services {
		one := mesh.Service{ID: s.id}
		if meter := s.meter; meter != nil {
			one.Figures = func(receiver string) policy.Figures { return meter.figures(numbers[receiver]) }
			one.IsBusy = meter.isBusy
		}
		spec.Services = append(spec.Services, one)
	}
	return spec
}

// distributed is what package sockets distributes.
func (d *Driver) distributed() (services []sockets.Service) {
	for _, s := range d.services {
		one := sockets.Service{Key: s.Key, Number: s.number}
		for i, b := range s.Backends {
			one.Backends = append(one.Backends, sockets.Backend{Address: b.Address, Node: b.Node, Weight: b.Weight, Up: s.isUp[i]})
		}
		services = append(services, one)
	}
	return services
}

// note stores why services couldn't be set.
func (d *Driver) note(failures []datapath.Failure) {
	for _, one := range failures {
		at := slices.IndexFunc(d.services, func(s *service) bool { return s.Key == one.Service })
		if at >= 0 {
			d.services[at].failure = sentence(errors.New("it " + one.Reason))
		}
	}
}

// mark adds the backends that services had before to those whose connections end, if their exposure requests that.
func (d *Driver) mark(former Desired) {
	for i := range former.Services {
		was := &former.Services[i]
		at := slices.IndexFunc(d.services, func(s *service) bool { return s.Key == was.Key })
		if ends := was.EndsConnections; at < 0 && !ends || at >= 0 && !d.services[at].EndsConnections {
			continue
		}
		for _, b := range was.Backends {
			d.ending[endOf(was, b.Address)] = true
		}
	}
	for end := range ownersOf(d.desired.Services) { // also what is back before its connections ended
		delete(d.ending, end)
	}
}

// endMarked ends connections to removed backends. The next Set tries again what fails.
func (d *Driver) endMarked() error {
	var errs []error
	for end := range d.ending {
		if _, err := d.sockets.End(end); err != nil {
			errs = append(errs, err)
			continue
		}
		delete(d.ending, end)
	}
	return errors.Join(errs...)
}

// processors is how many cores requests may keep busy at once. Within a CPU limit, they may use more than it for a moment
// and then have to wait.
func (d *Driver) processors() float64 { return max(d.cores, d.usage.Processors) }

// findPods looks for the cgroup of pods until it exists.
func (d *Driver) findPods() {
	if d.options.Pods == nil {
		return
	}
	pods := d.options.Pods()
	if pods == "" {
		return
	}
	d.options.Pods, d.options.CPU.CPU, d.options.CPU.CPUSet, d.options.Pressure.Cgroup = nil, pods, pods, pods
	d.guard = guard{} // pressure of another cgroup is no difference
}

// measure reads how many cores the backends of this node may use.
func (d *Driver) measure() error {
	d.findPods()
	usage, err := d.options.CPU.Read()
	if err != nil && d.desired.Cores == 0 {
		return err
	}
	d.usage, d.cores = usage, usage.Cores
	source := fmt.Sprintf("cgroup %s of version %d", d.options.CPU.CPU, d.options.CPU.Version())
	if d.desired.Cores > 0 {
		d.cores, source = d.desired.Cores, "the config"
	}
	d.report(d.faults.limit(d.cores, source))
	return nil
}
