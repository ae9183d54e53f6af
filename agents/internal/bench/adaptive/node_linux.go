package adaptive

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/netspace"
)

const (
	serverPort = 8080
	meshPort   = 7448
)

// Services of the lab, which no interface has.
var (
	ourService        = netip.MustParseAddrPort("10.96.0.10:80")
	translatedService = netip.MustParseAddrPort("10.96.0.11:80")
)

// node is one of the lab.
type node struct {
	*cgroups
	index                  int
	at                     netip.Addr
	space                  *netspace.Space
	pins                   string
	server, agent, clients *process
	neighbour              *process // only during its event
}

func addressOf(index int) netip.Addr { return netip.AddrFrom4([4]byte{10, 9, 0, byte(index + 1)}) }

func backends() (all [nodes]netip.AddrPort) {
	for i := range all {
		all[i] = netip.AddrPortFrom(addressOf(i), serverPort)
	}
	return all
}

func nameOf(index int) string { return fmt.Sprintf("n%d", index+1) }

// newNode creates a node with its server. Close it after a failure, too.
func newNode(m *mounts, index int) (n *node, err error) {
	name := nameOf(index)
	n = &node{index: index, at: addressOf(index), pins: filepath.Join(m.bpf(), name)}
	if n.cgroups, err = newCgroups(m, name); err != nil {
		return n, err
	}
	if n.space, err = netspace.New(fmt.Sprintf("fairlead-bench-%d-%s", os.Getpid(), name)); err != nil {
		return n, err
	}
	if err := n.space.AddAddress("lo", netip.PrefixFrom(n.at, 32)); err != nil {
		return n, err
	}
	return n, n.startServer()
}

func (n *node) startServer() (err error) {
	n.server, err = start(n.space, ServerCommand, n.limited(serverPart))
	return err
}

func (n *node) limited(part string) serverOptions {
	return serverOptions{
		Node: byte(n.index), At: netip.AddrPortFrom(n.at, serverPort), Cgroups: n.of(part), CPU: n.index % runtime.NumCPU(),
	}
}

func (n *node) startAgent() error {
	config, err := protojson.Marshal(configOf(n.index))
	if err != nil {
		return err
	}
	n.agent, err = start(n.space, AgentCommand, agentOptions{
		Cgroup: n.hooks, Limit: n.limit, Pins: n.pins, At: netip.AddrPortFrom(n.at, meshPort), Config: config,
	})
	return err
}

func (n *node) startClients() (err error) {
	n.clients, err = start(n.space, ClientsCommand, clientsOptions{Entry: n.index, Cgroups: n.of(clientsPart), Backends: backends()})
	return err
}

// configOf is what the control plane would send to the agent of a node.
func configOf(self int) *agentv1.NodeConfig {
	service := &agentv1.AdaptiveService{
		LoadBalancerId: "lb_bench", Address: ourService.Addr().String(), Port: uint32(ourService.Port()), Protocol: "tcp",
		HealthCheck: &agentv1.HealthCheck{Type: "tcp", IntervalMs: 500, TimeoutMs: 400, Rise: 1, Fall: 1},
	}
	role := &agentv1.AdaptiveRole{
		NodeId: nameOf(self), Keys: &agentv1.MeshKeys{Current: []byte(strings.Repeat("k", 32))}, Services: []*agentv1.AdaptiveService{service},
	}
	for i := range nodes {
		at, prefix := addressOf(i), netip.PrefixFrom(addressOf(i), 32).String()
		service.Backends = append(service.Backends, &agentv1.AdaptiveBackend{
			Id: "be_" + nameOf(i), Address: at.String(), Port: serverPort, Weight: 1, State: string(datapath.Active), NodeId: nameOf(i),
		})
		if i == self {
			role.Prefixes = []string{prefix}
			continue
		}
		role.Peers = append(role.Peers, &agentv1.AdaptivePeer{
			AgentId: "agt_" + nameOf(i), NodeId: nameOf(i), Address: netip.AddrPortFrom(at, meshPort).String(), Prefixes: []string{prefix},
		})
	}
	return &agentv1.NodeConfig{Revision: 1, Adaptive: role}
}

// isInformed reports whether the agent has the figures of all nodes and knows how far they are.
func (n *node) isInformed() (bool, error) {
	var text []byte
	status := &agentv1.AdaptiveStatus{}
	if err := n.agent.order(agentOrder{}, (*json.RawMessage)(&text)); err != nil {
		return false, err
	}
	if err := protojson.Unmarshal(text, status); err != nil {
		return false, err
	}
	for _, peer := range status.GetPeers() {
		if peer.GetRoundTripMs() == 0 {
			return false, nil
		}
	}
	for _, service := range status.GetServices() {
		for _, one := range service.GetNodes() {
			if one.GetByWeight() || one.GetCostNs() == 0 {
				return false, nil
			}
		}
	}
	return len(status.GetServices()) > 0, nil
}

// Close ends the node's processes and removes it.
func (n *node) Close() error {
	var errs []error
	for _, p := range []*process{n.clients, n.neighbour, n.agent, n.server} {
		if p != nil {
			errs = append(errs, p.stop())
		}
	}
	if n.space != nil {
		errs = append(errs, n.space.Delete())
	}
	if n.cgroups != nil {
		errs = append(errs, n.cgroups.Close())
	}
	return errors.Join(errs...)
}
