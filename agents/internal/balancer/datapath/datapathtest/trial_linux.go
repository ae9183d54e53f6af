package datapathtest

import (
	"fmt"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/netspace"
)

// trial is one promise tested with one delivery.
type trial struct {
	subject  *Subject
	delivery datapath.Delivery
	network  *Network
	test     string   // name of the test that starts the engine's process
	engine   *Process // in the first balancer, shared by consecutive promises; nil while none shares it
}

const (
	ipv4 = iota
	ipv6
)

// everything is what a balancer must carry in each family.
var everything = []struct {
	family   int
	protocol datapath.Protocol
}{{ipv4, datapath.TCP}, {ipv4, datapath.UDP}, {ipv6, datapath.TCP}, {ipv6, datapath.UDP}}

func (tr *trial) client() Client { return Client{Space: tr.network.Client} }

// service returns a service with all backends active and up, except for changes.
func (tr *trial) service(family int, protocol datapath.Protocol, changes ...func(*datapath.Backend)) datapath.Service {
	return tr.network.service(family, protocol, tr.delivery, tr.subject.Scheduler, changes...)
}

// Service returns an IPv4 TCP service with all backends active and up.
func (n *Network) Service(delivery datapath.Delivery, scheduler string) datapath.Service {
	return n.service(ipv4, datapath.TCP, delivery, scheduler)
}

func (n *Network) service(family int, protocol datapath.Protocol, delivery datapath.Delivery, scheduler string, changes ...func(*datapath.Backend)) datapath.Service {
	service := datapath.Service{Key: key(family, protocol, ServicePorts[0]), Delivery: delivery, Scheduler: scheduler}
	for _, host := range n.Backends {
		backend := datapath.Backend{ID: host.Name, Address: host.IPv4, Port: service.Key.Port, Weight: 1, State: datapath.Active, Up: true}
		if family == ipv6 {
			backend.Address = host.IPv6
		}
		if delivery == datapath.NAT || delivery == datapath.Proxy {
			backend.Port = BackendPort
		}
		for _, change := range changes {
			change(&backend)
		}
		if backend.State != "" {
			service.Backends = append(service.Backends, backend)
		}
	}
	return service
}

// elsewhere returns the service on the other port.
func elsewhere(service datapath.Service) datapath.Service {
	for i := range service.Backends {
		if service.Backends[i].Port == service.Key.Port {
			service.Backends[i].Port = ServicePorts[1]
		}
	}
	service.Key.Port = ServicePorts[1]
	return service
}

// with changes one backend; without removes it.
func with(id string, change func(*datapath.Backend)) func(*datapath.Backend) {
	return func(backend *datapath.Backend) {
		if backend.ID == id {
			change(backend)
		}
	}
}

func without(id string) func(*datapath.Backend) { return in(id, "") }

func in(id string, state datapath.State) func(*datapath.Backend) {
	return with(id, func(b *datapath.Backend) { b.State = state })
}

// all returns the services of both families and protocols, with the same changes to each.
func (tr *trial) all(changes ...func(*datapath.Backend)) []datapath.Service {
	services := make([]datapath.Service, 0, len(everything))
	for _, one := range everything {
		services = append(services, tr.service(one.family, one.protocol, changes...))
	}
	return services
}

// set must succeed, and change something or nothing, as given.
func set(t *testing.T, p *Process, change bool, services ...datapath.Service) {
	t.Helper()
	changes, err := p.Set(services...)
	must(t, err)
	if (changes > 0) != change {
		t.Fatalf("set made %d changes", changes)
	}
}

// put must succeed; not every state change is a change for some engines.
func put(t *testing.T, p *Process, services ...datapath.Service) {
	t.Helper()
	_, err := p.Set(services...)
	must(t, err)
}

// request sends a request that must be answered.
func (tr *trial) request(t *testing.T, service datapath.Service) Answer {
	t.Helper()
	answer, err := tr.client().RequestOnce(service.Key)
	must(t, err)
	return answer
}

// connectTo opens connections until there is one to each of the backends.
func (tr *trial) connectTo(t *testing.T, service datapath.Service, backends ...string) map[string]*Conn {
	t.Helper()
	opened := map[string]*Conn{}
	for range 200 {
		conn, err := tr.client().Connect(service.Key)
		must(t, err)
		t.Cleanup(conn.Close)
		answer, err := conn.Request()
		must(t, err)
		if opened[answer.Backend] == nil {
			opened[answer.Backend] = conn
		}
		missing := 0
		for _, backend := range backends {
			if opened[backend] == nil {
				missing++
			}
		}
		if missing == 0 {
			return opened
		}
	}
	t.Fatalf("of 200 connections to %s none went to some of %v", service.Key, backends)
	return nil
}

// stays sends a request on an open connection and requires the same backend as before.
func stays(t *testing.T, conn *Conn, backend string) {
	t.Helper()
	answer, err := conn.Request()
	if err != nil {
		t.Fatalf("a connection to %s broke: %v", backend, err)
	}
	if answer.Backend != backend {
		t.Fatalf("a connection to %s moved to %s", backend, answer.Backend)
	}
}

// until waits until a condition holds, for a limited time.
func until(t *testing.T, holds func() error) {
	t.Helper()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.Now().Add(2 * patience); ; <-ticker.C {
		err := holds()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

// inside runs a function in a namespace and returns its result.
func inside[T any](space *netspace.Space, run func() (T, error)) (result T, err error) {
	err = space.Do(func() (err error) {
		result, err = run()
		return err
	})
	if err != nil {
		err = fmt.Errorf("in %s: %w", space.Name, err)
	}
	return result, err
}
