package replica

import (
	"fmt"
	"net/netip"
	"os"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/bpftest"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
	"fairlead.dev/agents/internal/session/cookie"
)

// place is a replica in a namespace, whose program gets packets by test runs.
type place struct {
	replica  *Replica
	lan      *netspace.Space
	balancer *netspace.Space
	engine   *bpf.Engine
	open     func() error          // opens the engine and the replica
	set      func(isUp bool) error // sets the engine's services
	without  func(t testing.TB, backend string)
	keys     cookie.Set
	port     uint16
}

var nameA, nameB = [NameBytes]byte([]byte("the key of a 000")), [NameBytes]byte([]byte("the key of b 000"))

func newPlace(t testing.TB) *place {
	t.Helper()
	privileged.Need(t)
	var spaces [2]*netspace.Space
	for i, name := range []string{"lb", "lan"} {
		space, err := netspace.New(fmt.Sprintf("flses%d-%s", os.Getpid(), name))
		must(t, err)
		t.Cleanup(func() { _ = space.Delete() })
		spaces[i] = space
	}
	must(t, netspace.Connect(
		netspace.End{Space: spaces[0], Interface: "eth0", MAC: ours, Addresses: []netip.Prefix{netip.MustParsePrefix("10.9.0.1/24"), netip.MustParsePrefix("fd09::1/64")}},
		netspace.End{Space: spaces[1], Interface: "eth0", MAC: router},
	))
	p := &place{port: 10000, balancer: spaces[0]}
	var err error
	p.keys.Current, err = cookie.Derive([]byte("the key of a cluster"), "exposure")
	must(t, err)
	var services []datapath.Service
	var sessions []Service
	for _, of := range []cookie.Connection{connection4, connection6} {
		key := datapath.Key{Address: of.Service.Addr(), Port: of.Service.Port(), Protocol: datapath.TCP}
		s := datapath.Service{Key: key, Delivery: datapath.Direct, Chooser: datapath.BySession}
		for i, id := range []string{"a", "b"} {
			address := netip.MustParseAddr([]string{"10.9.0.10", "10.9.0.11"}[i])
			if of.Service.Addr().Is6() {
				address = netip.MustParseAddr([]string{"fd09::10", "fd09::11"}[i])
			}
			s.Backends = append(s.Backends, datapath.Backend{ID: id, Address: address, Port: key.Port, Weight: 1, State: datapath.Active, Up: true})
		}
		services = append(services, s)
		sessions = append(sessions, Service{Key: key, Keys: p.keys, MSS: 1400, Backends: []Backend{
			{ID: "a", Number: 1, Names: [][NameBytes]byte{nameA}, Resumes: true}, {ID: "b", Number: 2, Names: [][NameBytes]byte{nameB}, Resumes: true},
		}})
	}
	p.lan, p.open = spaces[1], func() error {
		return spaces[0].Do(func() (err error) {
			if p.engine, err = bpf.Open(bpf.TCX, datapath.Options{Interface: "eth0", Name: spaces[0].Name, StateFolder: bpftest.StateFolder, Connections: 4096}); err != nil {
				return err
			}
			p.replica, err = Open(p.engine, netip.MustParseAddrPort("10.9.0.1:7000"))
			return err
		})
	}
	must(t, p.open())
	t.Cleanup(func() {
		_ = p.replica.Close()
		_ = p.engine.Remove()
	})
	p.set = func(isUp bool) error {
		for i := range services {
			for j := range services[i].Backends {
				services[i].Backends[j].Up = isUp
			}
		}
		return spaces[0].Do(func() error {
			_, err := datapath.Whole(p.engine.Set(t.Context(), services))
			return err
		})
	}
	must(t, p.set(true))
	p.without = func(t testing.TB, backend string) { // removes a backend of the first service
		t.Helper()
		services[0].Backends = slices.DeleteFunc(services[0].Backends, func(b datapath.Backend) bool { return b.ID == backend })
		must(t, p.set(true))
	}
	must(t, p.replica.Set(sessions))
	return p
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// pass sends a frame through the engine's program, and returns what that sends on.
func (p *place) pass(t testing.TB, frame []byte) (out []byte, sent bool) {
	t.Helper()
	verdict, out, err := p.replica.joint.Program.Test(frame)
	must(t, err)
	return out, verdict == 7
}
