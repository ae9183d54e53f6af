package adaptive

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/adaptive/mesh"
	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/racing"
)

const (
	costServices = 100
	costNodes    = 8
	costPort     = 9000 // of the first service, and of its backends

	mostTimesCosts = 20 // it was 10.5 on a quiet machine, with 3.1 % of a core
)

// One agent has 100 services at 8 nodes. All figures of the others change 20 times a second, as they do under load.
// Its own change too, because each service is visited.
func TestANodeUsesLittleCPU(t *testing.T) {
	if racing.Slower > 1 {
		t.Skip("the race detector uses more CPU than the program")
	}
	first := newCostLab(t)
	first.background(client{Service: netip.AddrPortFrom(shop.Addr(), costPort), More: costServices - 1, AtOnce: 1, For: time.Minute})
	first.wait("costs of all nodes", func(status *agentv1.AdaptiveStatus) bool {
		for _, service := range status.GetServices() {
			for _, node := range service.GetNodes() {
				if node.GetCostNs() == 0 {
					return false
				}
			}
		}
		return len(status.GetServices()) == costServices
	})
	used := func() time.Duration {
		ns, err := strconv.ParseInt(strings.TrimSpace(first.ask(usedRequest)), 10, 64)
		must(t, err)
		return time.Duration(ns)
	}
	least, leastOfCosts := 1.0, 1.0
	for range 5 { // other programs use the same caches, so the minimum counts
		before, began := used(), time.Now()
		time.Sleep(2 * time.Second)
		least = min(least, float64(used()-before)/float64(time.Since(began)))
		leastOfCosts = min(leastOfCosts, calculateASecondOfCosts().Seconds())
	}
	t.Logf("%.2f %% of a core, %.2f %% for the calculation of costs alone", 100*least, 100*leastOfCosts)
	// To detect regressions. How many percent that are depends on the machine, so the costs alone are measured next to it.
	if most := mostTimesCosts * leastOfCosts; least > most {
		t.Errorf("an agent uses %.2f %% of a core, at most %.2f %%", 100*least, 100*most)
	}
}

// calculateASecondOfCosts returns the CPU time for the costs of the other nodes for one second, as the agent calculates them.
func calculateASecondOfCosts() time.Duration {
	figures, costs := make([]policy.Figures, costServices*(costNodes-1)), make([]policy.Cost, costServices*(costNodes-1))
	for i := range figures {
		figures[i] = changingFigures("")
	}
	entry := policy.Entry{RoundTrip: time.Millisecond, Nodes: costNodes}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began := threadTime()
	for range int(time.Second / every) {
		for i := range costs {
			costs[i].Calculate(figures[i], entry)
		}
	}
	return threadTime() - began
}

func threadTime() time.Duration {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now) // fails only for an unknown clock
	return time.Duration(now.Nano())
}

// newCostLab returns a node with an agent, whose peers are one process.
func newCostLab(t *testing.T) *labNode {
	t.Helper()
	nodes := newLab(t, 2)
	first, others := nodes[0], nodes[1]
	first.stop()
	others.stop()
	role := configOf(first, nodes[:1]).GetAdaptive()
	as := peers{To: mesh.Peer{Node: first.id, Address: netip.AddrPortFrom(first.at, 7448)}, Key: role.GetKeys().GetCurrent()}
	for i := 2; i <= costNodes; i++ {
		peer := mesh.Peer{Node: fmt.Sprintf("n%d", i), Address: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 9, 0, byte(i)}), 7448)}
		if peer.Address.Addr() != others.at {
			must(t, others.space.AddAddress("eth0", netip.PrefixFrom(peer.Address.Addr(), 24)))
		}
		as.Peers = append(as.Peers, peer)
		role.Peers = append(role.Peers, &agentv1.AdaptivePeer{NodeId: peer.Node, Address: peer.Address.String()})
	}
	role.Services = nil
	for i := range costServices {
		role.Services = append(role.Services, costService(uint32(costPort+i), append(as.Peers, as.To)))
	}
	parsed, rejected := parseServices(role.GetServices())
	if len(rejected) > 0 {
		t.Fatal(rejected)
	}
	for i := range parsed {
		as.Services = append(as.Services, parsed[i].meshID())
	}
	first.start(first.cgroup, serverPart, server{Node: first.id, At: netip.AddrPortFrom(first.at, costPort), More: costServices - 1})
	others.start("", peersPart, as)
	first.runAgent(&agentv1.NodeConfig{Revision: 1, Adaptive: role})
	return first
}

func costService(port uint32, nodes []mesh.Peer) *agentv1.AdaptiveService {
	service := &agentv1.AdaptiveService{LoadBalancerId: "lb_1", Address: shop.Addr().String(), Port: port, Protocol: "tcp"}
	for _, node := range nodes {
		service.Backends = append(service.Backends, &agentv1.AdaptiveBackend{
			Id: "be_" + node.Node, Address: node.Address.Addr().String(), Port: port, Weight: 1, State: string(datapath.Active), NodeId: node.Node,
		})
	}
	return service
}

// peers send figures to one node, which are different each time.
type peers struct {
	To       mesh.Peer
	Key      []byte
	Peers    []mesh.Peer
	Services []string
}

func exchange(argument string) error {
	var as peers
	if err := json.Unmarshal([]byte(argument), &as); err != nil {
		return err
	}
	for _, peer := range as.Peers {
		spec := mesh.Spec{Self: peer.Node, Keys: mesh.Keys{Current: [mesh.KeyBytes]byte(as.Key)}, Peers: []mesh.Peer{as.To}}
		for _, id := range as.Services {
			spec.Services = append(spec.Services, mesh.Service{ID: id, Figures: changingFigures})
		}
		one := mesh.New(mesh.Options{
			Listen: func(context.Context) (netip.AddrPort, error) { return peer.Address, nil }, Log: slog.New(slog.DiscardHandler),
		})
		defer one.Close()
		if err := one.Set(spec); err != nil {
			return err
		}
	}
	fmt.Println("ready")
	_, err := os.Stdin.Read(make([]byte, 1)) // until the lab is gone
	return err
}

// changingFigures are of a node that is busy with requests of this node and others.
func changingFigures(string) policy.Figures {
	rate := 200 + 20*rand.Float64()
	return policy.Figures{
		Cores: 4, ServiceTime: 0.01 + 0.001*rand.Float64(), Rate: rate, RateOfOthers: rate - 20, RateOfReceiver: 20, EntryRate: 50,
		InFlight: float64(2 + rand.IntN(3)), InFlightOfReceiver: 1,
	}
}
