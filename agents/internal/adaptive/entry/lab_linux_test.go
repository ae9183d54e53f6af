package entry_test

import (
	"errors"
	"maps"
	"net/netip"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/entry"
	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/adaptive/sockets"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/bpftest"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/mounttest"
	"fairlead.dev/agents/internal/netspace/netspacetest"
	"fairlead.dev/agents/internal/privileged"
)

func TestMain(m *testing.M) { netspacetest.Main(m) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const patience = 20 * time.Second

// lab is a node with a balancer and with the costs of services, and three nodes with a backend each. Its services are in
// both families and of both protocols.
type lab struct {
	testing.TB
	network *datapathtest.Network
	options entry.Options
	cgroup  string
	node    string // of the balancer
	state   string // folder of the role balancer
	keys    []datapath.Key
	costs   *sockets.Engine
	engine  *bpf.Engine
	entry   *entry.Entry
	carried []datapath.Service
	decided []sockets.Service
}

func newLab(t *testing.T, delivery datapath.Delivery) *lab {
	t.Helper()
	l := newNode(t, delivery)
	l.open()
	t.Cleanup(func() { must(t, errors.Join(l.entry.Remove(), l.engine.Remove())) })
	l.set()
	return l
}

// newNode is a lab without the balancer.
func newNode(t *testing.T, delivery datapath.Delivery) *lab {
	t.Helper()
	privileged.Need(t)
	l := &lab{TB: t, state: t.TempDir(), network: datapathtest.NewNetwork(t, delivery.Wraps())}
	bpftest.Unwrap(t, l.network)
	l.options = entry.Options{PinFolder: filepath.Join(mounttest.BPF(t), "role"), Replica: l.network.Balancers[0].Name}
	for _, protocol := range []datapath.Protocol{datapath.TCP, datapath.UDP} {
		for _, address := range []string{"192.0.2.1", "2001:db8::1"} {
			key := datapath.Key{Address: netip.MustParseAddr(address), Port: datapathtest.ServicePorts[0], Protocol: protocol}
			l.keys = append(l.keys, key)
			l.add(key, delivery)
		}
	}
	slices.SortFunc(l.carried, func(a, b datapath.Service) int { return a.Key.Address.Compare(b.Key.Address) })
	l.cgroup, l.node = mounttest.Cgroup(t), "entry"
	l.startCosts()
	t.Cleanup(func() { must(t, l.costs.Remove()) })
	return l
}

func (l *lab) add(key datapath.Key, delivery datapath.Delivery) {
	carried := datapath.Service{Key: key, Delivery: delivery, Chooser: datapath.ByCost}
	decided := sockets.Service{Key: key, Number: uint16(len(l.keys))}
	for _, host := range l.network.Backends {
		at := netip.AddrPortFrom(host.IPv4, key.Port)
		if key.Address.Is6() {
			at = netip.AddrPortFrom(host.IPv6, key.Port)
		}
		if delivery == datapath.NAT {
			at = netip.AddrPortFrom(at.Addr(), datapathtest.BackendPort)
		}
		carried.Backends = append(carried.Backends, datapath.Backend{
			ID: host.Name, Address: at.Addr(), Port: at.Port(), Weight: 1, State: datapath.Active, Up: true,
		})
		decided.Backends = append(decided.Backends, sockets.Backend{Address: at, Node: host.Name, Weight: 1, Up: true})
	}
	l.carried, l.decided = append(l.carried, carried), append(l.decided, decided)
}

// startCosts starts what the agent of the role adaptive does, without its loop.
func (l *lab) startCosts() {
	l.Helper()
	var err error
	l.costs, err = sockets.Open(sockets.Options{Cgroup: l.cgroup, PinFolder: l.options.PinFolder, Node: l.node})
	must(l, err)
	l.decide()
}

func (l *lab) decide() {
	l.Helper()
	_, err := datapath.Whole(l.costs.Set(l.decided))
	must(l, err)
}

// decideFor changes the backends of all services at a node.
func (l *lab) decideFor(node string, change func(*sockets.Backend)) {
	l.Helper()
	for i := range l.decided {
		for j := range l.decided[i].Backends {
			if b := &l.decided[i].Backends[j]; b.Node == node {
				change(b)
			}
		}
	}
	l.decide()
}

// open opens the engine and the entry, as a new process does.
func (l *lab) open() {
	l.Helper()
	space := l.network.Balancers[0]
	must(l, space.Do(func() (err error) {
		l.engine, err = bpf.Open(bpf.TCX, datapath.Options{
			Interface: datapathtest.Interface, Name: space.Name, StateFolder: bpftest.StateFolder, Connections: 4096,
		})
		return err
	}))
	var err error
	l.entry, err = entry.Open(l.engine, l.options)
	must(l, err)
}

func (l *lab) set() {
	l.Helper()
	_, err := datapath.Whole(l.engine.Set(l.Context(), l.carried))
	must(l, err)
	must(l, l.entry.Set(l.carried))
}

// price sets what a request costs at each node: its time, and 1 ms for each other one there. That is valid for hours.
func (l *lab) price(a, b, c time.Duration) {
	l.Helper()
	l.priceAt(time.Now().Add(time.Hour), map[string]time.Duration{"a": a, "b": b, "c": c})
}

func (l *lab) priceAt(at time.Time, fixed map[string]time.Duration) {
	l.Helper()
	var all []sockets.Cost
	for i := range l.keys {
		for node, span := range fixed {
			cost := &policy.Cost{Fixed: uint64(span), Slope: uint64(time.Millisecond)}
			for n := range cost.Steps {
				cost.Steps[n] = uint64(n) * uint64(time.Millisecond)
			}
			all = append(all, sockets.Cost{Service: uint16(i + 1), Node: node, At: at, Cost: cost})
		}
	}
	must(l, l.costs.SetCosts(slices.Values(all)))
}

// counts returns the open connections of a service to each node, as counted by node and by backend.
func (l *lab) counts(key datapath.Key) (nodes, backends map[string]uint64) {
	l.Helper()
	observed, err := l.costs.Observe()
	must(l, err)
	nodes, backends = map[string]uint64{}, map[string]uint64{}
	for _, service := range observed.Services {
		if service.Key != key {
			continue
		}
		for _, node := range service.Nodes {
			nodes[node.Node] += node.Counts.Open
			for _, b := range node.Backends {
				backends[node.Node] += b.Counts.Open
			}
		}
	}
	return nodes, backends
}

// countsBecome waits for counts. While connections begin and end, those by node and by backend differ: they aren't read at once.
func (l *lab) countsBecome(key datapath.Key, want map[string]uint64) {
	l.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		nodes, backends := l.counts(key)
		if maps.Equal(nodes, want) && maps.Equal(backends, want) {
			return
		}
		if time.Now().After(end) {
			l.Fatalf("%s: open connections are %v by node and %v by backend, want %v", key, nodes, backends, want)
		}
	}
}

// failures returns how many connections to a node failed.
func (l *lab) failures(key datapath.Key, node string) (count uint64) {
	l.Helper()
	observed, err := l.costs.Observe()
	must(l, err)
	for _, service := range observed.Services {
		for _, one := range service.Nodes {
			if service.Key == key && one.Node == node {
				count += one.Counts.Failures
			}
		}
	}
	return count
}

func (l *lab) connect(key datapath.Key) (conn *datapathtest.Conn, backend string) {
	l.Helper()
	conn, err := datapathtest.Client{Space: l.network.Client}.Connect(key)
	must(l, err)
	answer, err := conn.Request()
	must(l, err)
	return conn, answer.Backend
}

// hold opens connections, and returns how many each backend has.
func (l *lab) hold(key datapath.Key, n int) (conns []*datapathtest.Conn, at map[string]uint64) {
	l.Helper()
	at = map[string]uint64{}
	for range n {
		conn, backend := l.connect(key)
		conns = append(conns, conn)
		at[backend]++
	}
	return conns, at
}

func closeAll(conns []*datapathtest.Conn) {
	for _, conn := range conns {
		conn.Close()
	}
}
