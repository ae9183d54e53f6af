package session_test

import (
	"fmt"
	"net/netip"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/bpftest"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/privileged"
	"fairlead.dev/agents/internal/session/companion"
	"fairlead.dev/agents/internal/session/cookie"
	"fairlead.dev/agents/internal/session/replica"
)

const port = 443

var (
	addresses     = []netip.Addr{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1")}
	replicaPort   = uint16(7000)
	companionPort = uint16(7001)
)

// lab is a service with three servers, in both families, behind up to two replicas.
type lab struct {
	network    *datapathtest.Network
	services   []datapath.Service
	sessions   []replica.Service
	balancers  [2]*balancer
	companions map[string]*companion.Companion
	keys       cookie.Set
	names      map[string][replica.NameBytes]byte
	secret     []byte // of ticket keys
	folder     string
}

type balancer struct {
	engine  *bpf.Engine
	replica *replica.Replica
}

// newLab starts a server at each host, and everything but the second replica.
func newLab(t *testing.T, delivery datapath.Delivery, start func(*testing.T, *lab, *datapathtest.Host)) *lab {
	t.Helper()
	l := newServers(t, delivery, start)
	for _, host := range l.network.Backends {
		l.accompany(t, host)
	}
	l.open(t, 0)
	return l
}

// newServers starts a server at each host, without companions and replicas.
func newServers(t *testing.T, delivery datapath.Delivery, start func(*testing.T, *lab, *datapathtest.Host)) *lab {
	t.Helper()
	privileged.Need(t)
	l := &lab{
		network:    datapathtest.NewNetwork(t, delivery.Wraps()),
		companions: map[string]*companion.Companion{}, names: map[string][replica.NameBytes]byte{},
		secret: []byte("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"), folder: t.TempDir(),
	}
	l.keys.Current = derive(t, "the key of a cluster")
	for _, host := range l.network.Backends {
		l.names[host.Name] = [replica.NameBytes]byte([]byte("backend " + host.Name + " 000000"))
	}
	for family, address := range addresses {
		key := datapath.Key{Address: address, Port: port, Protocol: datapath.TCP}
		service := datapath.Service{Key: key, Delivery: delivery, Chooser: datapath.BySession}
		sessions := replica.Service{Key: key, Keys: l.keys, MSS: []uint16{1360, 1340}[family]}
		for i, host := range l.network.Backends {
			to := []netip.Addr{host.IPv4, host.IPv6}[family]
			service.Backends = append(service.Backends, datapath.Backend{ID: host.Name, Address: to, Port: port, Weight: 1, State: datapath.Active, Up: true})
			sessions.Backends = append(sessions.Backends, replica.Backend{
				ID: host.Name, Number: uint8(i + 1), Names: [][replica.NameBytes]byte{l.names[host.Name]}, Resumes: true,
				Companion: netip.AddrPortFrom(host.IPv4, companionPort),
			})
		}
		l.services, l.sessions = append(l.services, service), append(l.sessions, sessions)
	}
	for _, host := range l.network.Backends {
		start(t, l, host)
	}
	return l
}

func replicaAddress(number int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 77, 0, byte(2 + number)}), replicaPort)
}

func derive(t *testing.T, clusterKey string) cookie.Keys {
	t.Helper()
	keys, err := cookie.Derive([]byte(clusterKey), "exposure")
	must(t, err)
	return keys
}

// accompanied returns the services of a host's companion.
func (l *lab) accompanied(host string) (services []companion.Service) {
	replicas := []netip.AddrPort{replicaAddress(0), replicaAddress(1)}
	if l.network.Routed { // the replicas' tunnels to IPv6 addresses are from these
		for number := range replicas {
			replicas = append(replicas, netip.AddrPortFrom(netip.MustParseAddr(fmt.Sprintf("fd77::%d", 2+number)), replicaPort))
		}
	}
	for _, address := range addresses {
		services = append(services, companion.Service{
			Address: netip.AddrPortFrom(address, port), Backend: host, Number: host[0] - 'a' + 1, Keys: l.keys, Replicas: replicas,
		})
	}
	return services
}

// accompany starts a host's companion.
func (l *lab) accompany(t *testing.T, host *datapathtest.Host) {
	t.Helper()
	must(t, host.Space.Do(func() error {
		if err := companion.Preflight(); err != nil {
			return err
		}
		c, err := companion.Open(datapathtest.Interface, netip.AddrPortFrom(host.IPv4, companionPort))
		if err != nil {
			return err
		}
		t.Cleanup(func() { _ = c.Close() })
		l.companions[host.Name] = c
		return c.Set(l.accompanied(host.Name))
	}))
	if problems := l.companions[host.Name].Problems(); len(problems) > 0 {
		t.Fatal(problems)
	}
}

// open starts a replica.
func (l *lab) open(t *testing.T, number int) {
	t.Helper()
	b := &balancer{}
	space := l.network.Balancers[number]
	must(t, space.Do(func() (err error) {
		options := datapath.Options{Interface: datapathtest.Interface, Name: space.Name, StateFolder: bpftest.StateFolder, Connections: 4096}
		if b.engine, err = bpf.Open(bpf.TCX, options); err != nil {
			return err
		}
		t.Cleanup(func() { _ = b.engine.Remove() })
		if b.replica, err = replica.Open(b.engine, replicaAddress(number)); err != nil {
			return err
		}
		t.Cleanup(func() { _ = b.replica.Close() })
		return nil
	}))
	l.balancers[number] = b
	l.set(t, number)
}

// set sets the services of a replica.
func (l *lab) set(t *testing.T, number int) {
	t.Helper()
	_, err := datapath.Whole(l.balancers[number].engine.Set(t.Context(), l.services))
	must(t, err)
	must(t, l.balancers[number].replica.Set(l.sessions))
}

// counts logs what a failed test needs.
func (l *lab) logCounts(t *testing.T) {
	for i, b := range l.balancers {
		if b != nil {
			counts, err := b.replica.Observe()
			t.Logf("replica %d: %+v %v", i, counts, err)
			observed, err := b.engine.Observe(t.Context())
			t.Logf("engine %d: %+v %v", i, observed, err)
		}
	}
	for name, c := range l.companions {
		counts, err := c.Observe()
		t.Logf("companion %s: %+v %v", name, counts, err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func at(family int) string { return netip.AddrPortFrom(addresses[family], port).String() }

func nameOf(family int) string { return fmt.Sprintf("IPv%d", 4+2*family) }
