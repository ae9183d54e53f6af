package adaptive

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"google.golang.org/protobuf/encoding/protojson"

	"fairlead.dev/agents/internal/adaptive/mesh"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/health"
	"fairlead.dev/agents/internal/netspace"
)

// node is one of the lab.
type node struct {
	*cgroups
	index                  int
	at, at6                netip.Addr
	space                  *netspace.Space
	pins                   string
	online                 string // file with the CPU of its server
	server, agent, clients *process
	neighbour              *process // only during its event
	outside                *outside // only with clients outside
}

// newNode creates a node with its server. Close it after a failure, too.
func newNode(m *mounts, index int) (n *node, err error) {
	name := nameOf(index)
	n = &node{index: index, at: addressOf(index), at6: address6Of(index), pins: filepath.Join(m.bpf(), name), online: filepath.Join(m.folder, name)}
	if err := os.WriteFile(n.online, []byte(strconv.Itoa(n.processor())), 0o644); err != nil {
		return n, err
	}
	if n.cgroups, err = newCgroups(m, name); err != nil {
		return n, err
	}
	if n.space, err = netspace.New(fmt.Sprintf("fairlead-bench-%d-%s", os.Getpid(), name)); err != nil {
		return n, err
	}
	if err := errors.Join(n.space.AddAddress("lo", wholly(n.at)), n.space.AddAddress("lo", wholly(n.at6))); err != nil {
		return n, err
	}
	return n, n.startServer()
}

func (n *node) startServer() (err error) {
	n.server, err = start(n.space, ServerCommand, n.limited(serverPart))
	return err
}

func (n *node) limited(part string) limitedOptions {
	return limitedOptions{
		Node: byte(n.index), At: []netip.Addr{n.at, n.at6}, Cgroups: n.of(part), CPU: n.processor(),
	}
}

func (n *node) processor() int { return n.index % runtime.NumCPU() }

func (n *node) startAgent() error {
	config, err := protojson.Marshal(configOf(n.index))
	if err != nil {
		return err
	}
	n.agent, err = start(n.space, AgentCommand, agentOptions{
		Cgroup: n.hooks, Limit: n.limit, Online: n.online, Pins: n.pins, At: netip.AddrPortFrom(n.at, mesh.Port), Config: config,
	})
	return err
}

func (n *node) startClients() (err error) {
	n.clients, err = start(n.space, ClientsCommand, clientsOptions{Entry: n.index, Cgroups: n.of(clientsPart)})
	return err
}

// status is what the agent would report, also as JSON.
func (n *node) status() (text json.RawMessage, status *agentv1.AdaptiveStatus, err error) {
	status = &agentv1.AdaptiveStatus{}
	if err := n.agent.order(agentOrder{}, &text); err != nil {
		return nil, nil, err
	}
	return text, status, protojson.Unmarshal(text, status)
}

// isInformed reports whether the agent has the figures of all nodes, knows how far they are, and finds its server up.
func (n *node) isInformed() (bool, error) {
	_, status, err := n.status()
	if err != nil {
		return false, err
	}
	for _, peer := range status.GetPeers() {
		if peer.GetRoundTripMs() == 0 {
			return false, nil
		}
	}
	for _, service := range status.GetServices() {
		for _, backend := range service.GetBackends() {
			if backend.GetHealth() == string(health.Down) {
				return false, nil
			}
		}
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
	if n.outside != nil {
		errs = append(errs, n.outside.Close())
	}
	for _, p := range []*process{n.clients, n.neighbour, n.agent, n.server} {
		if p != nil {
			errs = append(errs, p.stop())
		}
	}
	errs = append(errs, os.Remove(n.online)) // its agent reads it
	if n.space != nil {
		errs = append(errs, n.space.Delete())
	}
	if n.cgroups != nil {
		errs = append(errs, n.cgroups.Close())
	}
	return errors.Join(errs...)
}
