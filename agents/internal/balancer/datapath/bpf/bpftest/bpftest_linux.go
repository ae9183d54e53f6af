// Package bpftest is shared by the tests of both hooks: how to make backends unwrap, and
// how to break an engine's state manually.
package bpftest

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"github.com/vishvananda/netlink"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/netspace"
)

// StateFolder is for engines under test.
const StateFolder = "/sys/fs/bpf/fairlead-test"

// Unwrap makes backends on another network unwrap tunnelled packets.
func Unwrap(t *testing.T, network *datapathtest.Network) {
	t.Helper()
	if !network.Routed {
		return
	}
	for _, host := range network.Backends {
		err := host.Space.Do(func() error {
			decap, err := bpf.OpenDecap(datapathtest.Interface, datapathtest.BalancerPrefixes())
			if err == nil {
				t.Cleanup(func() { _ = decap.Close() })
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// UploadsFindTheirSize tests a tunnel whose backends don't announce smaller segments: the
// replica sends the client packet-too-big messages, also for limits that a router on the
// path reported.
func UploadsFindTheirSize(t *testing.T, candidate datapath.Candidate, delivery datapath.Delivery, prepare func(*testing.T, *datapathtest.Network)) {
	network := datapathtest.NewNetwork(t, true)
	prepare(t, network)
	var services [2]datapath.Service
	for i, address := range []string{"192.0.2.1", "2001:db8::1"} {
		services[i] = datapath.Service{
			Key:      datapath.Key{Address: netip.MustParseAddr(address), Port: datapathtest.ServicePorts[0], Protocol: datapath.TCP},
			Delivery: delivery,
		}
		for _, host := range network.Backends {
			services[i].Backends = append(services[i].Backends, datapath.Backend{
				ID: host.Name, Address: []netip.Addr{host.IPv4, host.IPv6}[i], Port: services[i].Key.Port, Weight: 1, State: datapath.Active, Up: true,
			})
		}
	}
	for _, host := range network.Backends {
		forgetSize(t, host.Space)
	}
	var engine datapath.Engine
	err := network.Balancers[0].Do(func() (err error) {
		engine, err = candidate.Open(datapath.Options{Interface: datapathtest.Interface, Name: network.Balancers[0].Name, StateFolder: StateFolder})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Remove() })
	if _, err := datapath.Whole(engine.Set(t.Context(), services[:])); err != nil {
		t.Fatal(err)
	}
	give := func(when string) {
		for _, service := range services {
			conn, err := datapathtest.Client{Space: network.Client}.Connect(service.Key)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if err := conn.Upload(1 << 20); err != nil {
				t.Errorf("%s, %s: %v", service.Key, when, err)
			}
		}
	}
	give("with links as wide as ours")
	network.NarrowBackends(t, 1400)
	give("with a narrow link behind a router")
	if _, err := datapath.Whole(engine.Set(t.Context(), services[:1])); err != nil {
		t.Fatal(err)
	}
	if _, err := datapath.Whole(engine.Set(t.Context(), services[:])); err != nil {
		t.Fatal(err)
	}
	give("after a change")
}

// forgetSize removes the setting that makes a host offer smaller segments than its link's
// MTU.
func forgetSize(t *testing.T, space *netspace.Space) {
	t.Helper()
	routes, err := space.Links().RouteList(nil, netlink.FAMILY_ALL)
	if err != nil {
		t.Fatal(err)
	}
	for _, route := range routes {
		if route.AdvMSS == 0 {
			continue
		}
		route.AdvMSS = 0
		if err := space.Links().RouteReplace(&route); err != nil {
			t.Fatal(err)
		}
	}
}

// Subject returns what the contract is to expect of an engine.
func Subject(candidate datapath.Candidate, prepare func(*testing.T, *datapathtest.Network)) datapathtest.Subject {
	return datapathtest.Subject{
		Candidate:   candidate,
		Prepare:     prepare,
		StateFolder: StateFolder,
		Damages:     Damages,
		FlowsOn:     true,
		SeesLive:    true,
		SeesTimes:   true,
		Steers:      true,
		Silent:      true,
		Agrees:      true,
		KeepsFlows:  true,
	}
}

// Damages are the ways to break an engine's kernel state manually.
var Damages = append(damagesOfLinks, DamagesOfMaps...)

var damagesOfLinks = []datapathtest.Damage{
	{Name: "the program is detached", Do: func(options datapath.Options) error {
		pin, err := pinned(options, "link")
		if err != nil {
			return err
		}
		attached, err := link.LoadPinnedLink(pin, nil)
		if err != nil {
			return err
		}
		defer attached.Close()
		return attached.Detach()
	}},
	{Name: "the attachment is unpinned", Do: func(options datapath.Options) error {
		pin, err := pinned(options, "link")
		if err != nil {
			return err
		}
		return os.Remove(pin)
	}},
}

// DamagesOfMaps are those that don't depend on how the program is attached.
var DamagesOfMaps = []datapathtest.Damage{
	{Name: "a service is removed", Do: func(options datapath.Options) error {
		return withMap(options, program.TcxMapServices, func(m *ebpf.Map) error {
			var key program.TcxServiceKey
			if err := m.NextKey(nil, &key); err != nil {
				return err
			}
			return m.Delete(key)
		})
	}},
	{Name: "a service is added", Do: func(options datapath.Options) error {
		return withMap(options, program.TcxMapServices, func(m *ebpf.Map) error {
			return m.Put(program.TcxServiceKey{Port: 1, Protocol: 6}, program.TcxService{Slot: 77, Delivery: program.TcxDeliveryDIRECT})
		})
	}},
	{Name: "backends are overwritten", Do: func(options datapath.Options) error {
		return withMap(options, program.TcxMapBackends, func(m *ebpf.Map) error {
			for slot := range uint32(16) {
				if err := m.Put(slot, program.TcxBackend{Incarnation: 77, Flags: 7}); err != nil {
					return err
				}
			}
			return nil
		})
	}},
	{Name: "tables are removed", Do: func(options datapath.Options) error {
		return withMap(options, program.TcxMapTables, func(m *ebpf.Map) error {
			for slot := range uint32(4) {
				if err := m.Delete(slot); err != nil {
					return err
				}
			}
			return nil
		})
	}},
	{Name: "settings are erased", Do: func(options datapath.Options) error {
		return withMap(options, program.TcxMapSettingsMap, func(m *ebpf.Map) error {
			return m.Put(uint32(0), program.TcxSettings{Interface: 1})
		})
	}},
}

func withMap(options datapath.Options, name string, change func(*ebpf.Map) error) error {
	pin, err := pinned(options, filepath.Join("maps-*", name))
	if err != nil {
		return err
	}
	m, err := ebpf.LoadPinnedMap(pin, nil)
	if err != nil {
		return err
	}
	defer m.Close()
	return change(m)
}

// pinned returns the only file of that name, of any hook.
func pinned(options datapath.Options, name string) (string, error) {
	found, err := filepath.Glob(filepath.Join(options.StateFolder, options.Name, "*", name))
	if err != nil || len(found) != 1 {
		return "", fmt.Errorf("find pinned %s: %q, %w", name, found, err)
	}
	return found[0], nil
}
