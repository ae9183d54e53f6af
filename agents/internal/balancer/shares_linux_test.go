package balancer

import (
	"fmt"
	"net"
	"net/netip"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"github.com/vishvananda/netlink"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// sharesInSteps are those of the second cluster, in percent: a move and a rollback. The router has no resilient group, so it
// moves the flows of each step at once.
var sharesInSteps = []int{5, 25, 50, 99, 50, 1, 75}

// Two clusters with backends of their own announce one address. Whole agents with the kernel's data path, each a process in
// a namespace of its own, start with configs at rest.
func TestAChangeOfSharesBreaksNoConnection(t *testing.T) {
	if runAsReplicaIfRequested(t) {
		return
	}
	c := newClusters(t)
	c.share()
	for range 50 {
		if answer, err := c.client.RequestOnce(c.key); err != nil || c.clusterOf(answer.Backend) != 0 {
			t.Fatalf("a new connection goes to another cluster: %q, %v", answer.Backend, err)
		}
	}
	if broken := c.changeShares(); broken > 0 {
		t.Errorf("%d connections broke", broken)
	}
}

// What the other test shows is due to the shared flows.
func TestAChangeOfSharesBreaksConnectionsOfClustersThatShareNoFlows(t *testing.T) {
	if runAsReplicaIfRequested(t) {
		return
	}
	if broken := newClusters(t).changeShares(); broken == 0 {
		t.Error("no connection broke, so flows need not be shared")
	}
}

// Its backends still serve, so connections stay there, by way of the other cluster.
func TestConnectionsSurviveTheOnlyBalancerOfTheirClusterWhileFlowsAreShared(t *testing.T) {
	if runAsReplicaIfRequested(t) {
		return
	}
	c := newClusters(t)
	c.share()
	_ = c.replicas[0].Process.Kill()
	_ = c.replicas[0].Wait()
	c.network.RouteTo(t, 1)
	for _, conn := range c.before {
		if answer, err := conn.Request(); err != nil || answer.Backend != "a" {
			t.Errorf("answered by %q, %v", answer.Backend, err)
		}
	}
	if answer, err := c.client.RequestOnce(c.key); err != nil || c.clusterOf(answer.Backend) != 1 {
		t.Errorf("a new connection: answered by %q, %v", answer.Backend, err)
	}
}

// clusters are two of one balancer each: a serves in the first, b and c in the second.
type clusters struct {
	*testing.T
	network  *datapathtest.Network
	key      datapath.Key
	folders  [2]string
	replicas [2]*exec.Cmd
	client   datapathtest.Client
	before   []*datapathtest.Conn // opened at rest, all in the first cluster
}

func newClusters(t *testing.T) *clusters {
	t.Helper()
	network := datapathtest.NewNetwork(t, false)
	key := datapath.Key{Address: netip.MustParseAddr("192.0.2.1"), Port: datapathtest.ServicePorts[0], Protocol: datapath.TCP}
	c := &clusters{T: t, network: network, key: key, client: datapathtest.Client{Space: network.Client}}
	if err := network.Router.SetSysctl("net/ipv4/fib_multipath_hash_policy", "1"); err != nil {
		t.Fatal(err)
	}
	for i := range c.folders {
		c.folders[i] = t.TempDir()
		c.replicas[i] = startReplicaIn(t, network.Balancers[i], c.folders[i], c.role(i, false))
	}
	for range 200 {
		conn, err := c.client.Connect(key)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Close)
		if answer, err := conn.Request(); err != nil || c.clusterOf(answer.Backend) != 0 {
			t.Fatalf("at rest: answered by %q, %v", answer.Backend, err)
		}
		c.before = append(c.before, conn)
	}
	return c
}

func (c *clusters) clusterOf(backend string) int {
	if backend == "a" {
		return 0
	}
	return 1
}

// role returns the config of the balancer of a cluster, at rest or with the backends and the peer of the other one.
func (c *clusters) role(cluster int, shared bool) *agentv1.BalancerRole {
	service := &agentv1.BalancerService{
		LoadBalancerId: fmt.Sprintf("lb_%d", cluster), Address: c.key.Address.String(), Port: uint32(c.key.Port), Protocol: "tcp",
	}
	role := &agentv1.BalancerRole{Engine: "tcx", Services: []*agentv1.BalancerService{service}}
	if shared {
		role.Peers = []*agentv1.BalancerPeer{{AgentId: fmt.Sprint(1 - cluster), Address: addressIn(c.T, c.network.Balancers[1-cluster])}}
	}
	for _, host := range c.network.Backends {
		elsewhere := c.clusterOf(host.Name) != cluster
		if elsewhere && !shared {
			continue
		}
		state := "active"
		if elsewhere {
			state = "draining"
		}
		service.Backends = append(service.Backends, &agentv1.BalancerBackend{
			Id: host.Name, Address: host.IPv4.String(), Port: uint32(c.key.Port), Weight: 1, State: state, Elsewhere: elsewhere,
		})
	}
	return role
}

// share gives both clusters the configs of a change of shares, and waits until each replica waits for its peer, and the
// second has the flows that the first placed at rest.
func (c *clusters) share() {
	c.Helper()
	for i, folder := range c.folders {
		writeConfig(c.T, folder, 2, c.role(i, true))
	}
	second := c.network.Balancers[1].Name
	until(c.T, "replicas that wait for each other", func() bool {
		return waitUntilOf(c.T, c.network.Balancers[0].Name) > 0 && waitUntilOf(c.T, second) > 0
	})
	received, since := 0, time.Now() // about two thirds: the others are where the settled table leads
	until(c.T, "flows from the first replica", func() bool {
		if now := entriesOf(c.T, second, "learnt"); now != received {
			received, since = now, time.Now()
		}
		return received > len(c.before)/3 && time.Since(since) > 300*time.Millisecond
	})
}

// entriesOf counts the entries of a map of a replica's program.
func entriesOf(t *testing.T, replica, name string) (count int) {
	t.Helper()
	m := pinnedMap(t, replica, name)
	defer m.Close()
	var key, value []byte
	for entries := m.Iterate(); entries.Next(&key, &value); {
		count++
	}
	return count
}

// pinnedMap opens a map of a replica's program.
func pinnedMap(t *testing.T, replica, name string) *ebpf.Map {
	t.Helper()
	pins, err := filepath.Glob(filepath.Join("/sys/fs/bpf/fairlead", replica, "tcx", "maps-*", name))
	if err != nil || len(pins) != 1 {
		t.Fatalf("pins %q, %v", pins, err)
	}
	m, err := ebpf.LoadPinnedMap(pins[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// changeShares changes the shares in steps while clients use connections, and returns how many broke.
func (c *clusters) changeShares() int64 {
	var lost atomic.Int64
	var began [2]atomic.Int64
	var share atomic.Int64
	var waits durations
	var clients sync.WaitGroup
	over := make(chan struct{})
	keep := func(conn *datapathtest.Conn, backend string) {
		for {
			answer, err := conn.Request()
			if err != nil || backend != "" && answer.Backend != backend {
				lost.Add(1)
				return
			}
			backend = answer.Backend
			select {
			case <-over:
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	for _, conn := range c.before {
		clients.Go(func() { keep(conn, "") })
	}
	for range 20 { // each opens one connection after the other
		clients.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				at := time.Now()
				conn, err := c.client.Connect(c.key)
				waits.add(time.Since(at))
				if err != nil {
					c.Errorf("at a share of %d %%: %v", share.Load(), err)
					return
				}
				answer, err := conn.Request()
				if err != nil {
					lost.Add(1)
					conn.Close()
					continue
				}
				began[c.clusterOf(answer.Backend)].Add(1)
				c.Cleanup(conn.Close)
				clients.Go(func() { keep(conn, answer.Backend) })
				time.Sleep(100 * time.Millisecond)
			}
		})
	}
	for _, percent := range sharesInSteps {
		share.Store(int64(percent))
		c.route(percent)
		time.Sleep(time.Second) // under load
	}
	close(over)
	clients.Wait()
	c.Logf("%d connections at rest; %d and %d began in the clusters meanwhile, half of them within %v; %d broke",
		len(c.before), began[0].Load(), began[1].Load(), waits.median(), lost.Load())
	if began[0].Load() == 0 || began[1].Load() == 0 {
		c.Error("new connections began in one cluster alone")
	}
	return lost.Load()
}

// route sends a share of flows to the second cluster.
func (c *clusters) route(percent int) {
	c.Helper()
	to := netlink.Route{Dst: &net.IPNet{IP: c.key.Address.AsSlice(), Mask: net.CIDRMask(24, 32)}}
	to.Dst.IP = to.Dst.IP.Mask(to.Dst.Mask)
	for i, weight := range []int{100 - percent, percent} {
		gateway := netip.MustParseAddrPort(addressIn(c.T, c.network.Balancers[i])).Addr()
		to.MultiPath = append(to.MultiPath, &netlink.NexthopInfo{Gw: gateway.AsSlice(), Hops: weight - 1})
	}
	if err := c.network.Router.Links().RouteReplace(&to); err != nil {
		c.Fatal(err)
	}
}

type durations struct {
	mu  sync.Mutex
	all []time.Duration
}

func (d *durations) add(one time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all = append(d.all, one)
}

func (d *durations) median() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	slices.Sort(d.all)
	return d.all[len(d.all)/2]
}
