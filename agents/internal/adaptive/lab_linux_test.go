package adaptive

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/lab/wire"
	"fairlead.dev/agents/internal/mounttest"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/netspace/netspacetest"
)

const patience = 30 * time.Second

func TestMain(m *testing.M) {
	if part := os.Getenv(partVariable); part != "" {
		play(part, os.Getenv(argumentVariable))
	}
	netspacetest.Main(m)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Services of the lab, which no interface has.
var (
	shop   = netip.MustParseAddrPort("10.96.0.10:80") // at all nodes
	backup = netip.MustParseAddrPort("10.96.0.11:80") // standby at the last node
)

// labNode is a node with its own network namespace and cgroup. Its agent and its backends are processes of their own.
type labNode struct {
	testing.TB
	id      string
	at      netip.Addr
	space   *netspace.Space
	cgroup  string
	pins    string
	stop    func()                     // its agent
	ask     func(string) (line string) // its agent
	servers []func()
}

// newLab lays nodes at one bridge, with a backend of each service.
func newLab(t testing.TB, count int) (nodes []*labNode) {
	t.Helper()
	hub := newSpace(t, "hub")
	must(t, hub.AddBridge("br0"))
	pins := mounttest.BPF(t)
	for i := range count {
		id := fmt.Sprintf("n%d", i+1)
		n := &labNode{TB: t, id: id, at: netip.AddrFrom4([4]byte{10, 9, 0, byte(i + 1)}), space: newSpace(t, id), pins: filepath.Join(pins, id)}
		n.cgroup = mounttest.Cgroup(t)
		n.connect(hub)
		must(t, n.space.AddRoute(netip.MustParsePrefix("0.0.0.0/0"), netip.MustParseAddr("10.9.0.254")))
		for _, port := range []uint16{8080, 8081} {
			n.servers = append(n.servers, n.start(n.cgroup, serverPart, server{Node: id, At: netip.AddrPortFrom(n.at, port)}))
		}
		nodes = append(nodes, n)
	}
	for _, n := range nodes {
		n.startAgent(nodes)
	}
	return nodes
}

// delay is that of the line from a node to the bridge: the round trip between two nodes crosses four.
const delay = 2 * time.Millisecond

func (n *labNode) connect(hub *netspace.Space) {
	n.Helper()
	far, near := n.id+"-far", n.id+"-near"
	must(n, netspace.Connect(
		netspace.End{Space: n.space, Interface: "eth0", Addresses: []netip.Prefix{netip.PrefixFrom(n.at, 24)}},
		netspace.End{Space: hub, Interface: near},
	))
	must(n, netspace.Connect(netspace.End{Space: hub, Interface: far}, netspace.End{Space: hub, Interface: n.id, Bridge: "br0"}))
	line, err := wire.Open(hub, near, far)
	must(n, err)
	n.Cleanup(func() { must(n, line.Close()) })
	line.Set(delay, 0)
}

func newSpace(t testing.TB, name string) *netspace.Space {
	t.Helper()
	space, err := netspace.New(fmt.Sprintf("fladaptive-%d-%s", os.Getpid(), name))
	must(t, err)
	t.Cleanup(func() { must(t, space.Delete()) })
	return space
}

// startAgent runs the role with the config of all nodes.
func (n *labNode) startAgent(nodes []*labNode) {
	n.Helper()
	n.runAgent(configOf(n, nodes))
}

func (n *labNode) runAgent(config *agentv1.NodeConfig) {
	n.Helper()
	text, err := protojson.Marshal(config)
	must(n, err)
	as := n.agent()
	as.Config = text
	n.stop, n.ask = n.startReporting("", agentPart, as)
}

func (n *labNode) agent() labAgent {
	return labAgent{Cgroup: n.cgroup, Pins: n.pins, At: netip.AddrPortFrom(n.at, 7448)}
}

func (n *labNode) newDriver() *Driver { return n.agent().newDriver() }

func configOf(self *labNode, nodes []*labNode) *agentv1.NodeConfig {
	role := &agentv1.AdaptiveRole{NodeId: self.id, Cores: 1, Keys: &agentv1.MeshKeys{Current: []byte(strings.Repeat("k", 32))}}
	check := &agentv1.HealthCheck{Type: "tcp", IntervalMs: 500, TimeoutMs: 400, Rise: 1, Fall: 1}
	for i, at := range []netip.AddrPort{shop, backup} {
		service := &agentv1.AdaptiveService{
			LoadBalancerId: fmt.Sprintf("lb_%d", i), Address: at.Addr().String(), Port: uint32(at.Port()), Protocol: "tcp", HealthCheck: check,
		}
		for j, n := range nodes {
			weight := uint32(1)
			if at == backup && j == len(nodes)-1 {
				weight = 0
			}
			service.Backends = append(service.Backends, &agentv1.AdaptiveBackend{
				Id: fmt.Sprintf("be_%s_%d", n.id, i), Address: n.at.String(), Port: uint32(8080 + i), Weight: weight, State: string(datapath.Active), NodeId: n.id,
			})
		}
		role.Services = append(role.Services, service)
	}
	for _, n := range nodes {
		prefix := netip.PrefixFrom(n.at, 32).String()
		if n == self {
			role.Prefixes = []string{prefix}
			continue
		}
		role.Peers = append(role.Peers, &agentv1.AdaptivePeer{
			AgentId: "agt_" + n.id, NodeId: n.id, Address: netip.AddrPortFrom(n.at, 7448).String(), Prefixes: []string{prefix},
		})
	}
	return &agentv1.NodeConfig{Revision: 1, Adaptive: role}
}

// unchecked is for a driver in the test's own network namespace, which reaches no backend.
func unchecked(config *agentv1.NodeConfig) *agentv1.NodeConfig {
	for _, service := range config.GetAdaptive().GetServices() {
		service.HealthCheck = nil
	}
	return config
}

// command prepares this program as a part of the lab, in a cgroup of version 2 if one is given.
func (n *labNode) command(cgroup, part string, argument any) *exec.Cmd {
	n.Helper()
	text, err := json.Marshal(argument)
	must(n, err)
	command := exec.Command("/proc/self/exe")
	command.Env = append(os.Environ(), partVariable+"="+part, argumentVariable+"="+string(text))
	command.Stderr = os.Stderr
	if cgroup != "" {
		folder, err := os.Open(cgroup)
		must(n, err)
		n.Cleanup(func() { _ = folder.Close() })
		command.SysProcAttr = &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: int(folder.Fd())}
	}
	return command
}

// start starts a part, and returns when it is ready. kill kills it.
func (n *labNode) start(cgroup, part string, argument any) (kill func()) {
	n.Helper()
	kill, _ = n.startReporting(cgroup, part, argument)
	return kill
}

// startReporting also returns how to get a line of the part for a line.
func (n *labNode) startReporting(cgroup, part string, argument any) (kill func(), ask func(string) string) {
	n.Helper()
	command := n.command(cgroup, part, argument)
	input, err := command.StdinPipe()
	must(n, err)
	output, err := command.StdoutPipe()
	must(n, err)
	must(n, n.space.Start(command))
	isDead := false
	kill = func() {
		if !isDead {
			isDead = true
			_ = command.Process.Kill()
			_ = command.Wait()
		}
	}
	n.Cleanup(kill)
	lines := bufio.NewReader(output)
	if line, _ := lines.ReadString('\n'); line != "ready\n" {
		n.Fatalf("the %s of %s isn't ready: %q", part, n.id, line)
	}
	return kill, func(request string) string {
		_, err := fmt.Fprintln(input, request)
		must(n, err)
		line, err := lines.ReadString('\n')
		must(n, err)
		return line
	}
}

// status returns the newest one of the node's agent.
func (n *labNode) status() *agentv1.AdaptiveStatus {
	n.Helper()
	status := &agentv1.AdaptiveStatus{}
	must(n, protojson.Unmarshal([]byte(n.ask(statusRequest)), status))
	return status
}

// wait waits until the status of the node's agent is as expected.
func (n *labNode) wait(what string, is func(*agentv1.AdaptiveStatus) bool) {
	n.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if is(n.status()) {
			return
		}
	}
	n.Fatalf("not within %v: %s; the last status: %v", patience, what, n.status())
}

// Clients of a node, each with one connection at a time for each request.
var (
	few  = client{AtOnce: 1, Pause: 150 * time.Millisecond, For: 1500 * time.Millisecond}
	many = client{AtOnce: 12, For: time.Second}
)

// visit sends requests from the node.
func (n *labNode) visit(service netip.AddrPort, as client) (got visits) {
	n.Helper()
	as.Service = service
	command := n.command(n.cgroup, clientPart, as)
	output, err := command.StdoutPipe()
	must(n, err)
	must(n, n.space.Start(command))
	defer func() { must(n, command.Wait()) }()
	must(n, json.NewDecoder(output).Decode(&got))
	return got
}

// visitUntil repeats visits until they are as expected.
func (n *labNode) visitUntil(what string, service netip.AddrPort, as client, is func(visits) bool) {
	n.Helper()
	var got visits
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if got = n.visit(service, as); is(got) {
			return
		}
	}
	n.Fatalf("not within %v: %s; the last visits: %+v", patience, what, got)
}
