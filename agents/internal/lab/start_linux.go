package lab

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/lab/app"
	"fairlead.dev/agents/internal/lab/topology"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/session/keys"
)

// metricsAddress is where a balancer serves /readyz, inside its own namespace.
const metricsAddress = "127.0.0.1:9100"

// flowPort is where a balancer receives flows from its peers.
const flowPort = 7444

// echoPort is where a node returns the datagrams of round trips.
const echoPort = 7445

// run starts a member's process and keeps it running.
func (l *Lab) run(m *member, arguments ...string) error {
	if err := os.MkdirAll(l.folder.at(m.name), 0o700); err != nil {
		return fmt.Errorf("create the folder of %s: %w", m.name, err)
	}
	m.process = &process{
		space: m.space, arguments: arguments, restart: l.topology.Restart, cgroup: l.cgroupOf(m),
		log: l.folder.at(m.name, "log"), record: l.folder.at(m.name, "process"),
		ended: func(p *process) { l.exits <- p },
	}
	return m.process.start()
}

func (l *Lab) addPod(p topology.Pod, now time.Time) error {
	m := &member{kind: pod, name: p.Name, node: p.Node, group: p.Group}
	if err := l.buildOnNode(m); err != nil {
		return err
	}
	if l.tunnels() {
		err := m.space.Do(func() error {
			unwrap, err := bpf.OpenDecap(uplink, addresses{l.topology}.pods())
			if err == nil {
				m.unwrap = unwrap
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("decapsulate the packets of %s: %w", p.Name, err)
		}
	}
	arguments := []string{l.options.Program, "lab-app", "serve", "--name", p.Name}
	seen := map[string]bool{}
	for _, service := range l.topology.Services {
		if service.Group != p.Group {
			continue
		}
		for _, address := range l.listens(service, m) {
			flag := "--" + string(service.Serve) + "=" + address
			if !seen[flag] {
				seen[flag] = true
				arguments = append(arguments, flag)
			}
		}
	}
	if len(seen) > 0 {
		tickets, err := l.writeTickets(m)
		if err != nil {
			return err
		}
		if err := l.run(m, append(arguments, "--tickets", tickets)...); err != nil {
			return err
		}
	}
	l.pods.add(p, m.addresses.addrs(), now)
	return nil
}

// writeTickets writes a pod's ticket keys: a name of its own, and the secret of all pods.
func (l *Lab) writeTickets(m *member) (path string, err error) {
	if err := os.MkdirAll(l.folder.at(m.name), 0o700); err != nil {
		return "", fmt.Errorf("create the folder of %s: %w", m.name, err)
	}
	path = l.folder.at(m.name, "tickets.key") // as an agent with managed keys for Go writes it
	return path, keys.Write(keys.Go(path, keys.For(m.name, nil, l.tickets)))
}

// listens are a service's addresses in a pod. Replies to datagrams come from the address the request was sent
// to, so each address needs a socket of its own.
func (l *Lab) listens(service topology.Service, m *member) []string {
	port := strconv.Itoa(int(service.Port))
	if service.Serve != topology.UDP {
		return []string{net.JoinHostPort("", port)}
	}
	var listens []string
	for _, address := range append(m.addresses.addrs(), service.Addresses()...) {
		listens = append(listens, net.JoinHostPort(address.String(), port))
	}
	return listens
}

// startBalancer starts a balancer in an existing namespace. Its first config is complete, with all current
// peers and backends.
func (l *Lab) startBalancer(ctx context.Context, m *member) error {
	if err := os.MkdirAll(l.folder.at(m.name), 0o700); err != nil {
		return fmt.Errorf("create the folder of %s: %w", m.name, err)
	}
	if err := l.writeConfig(m, l.source.Services(time.Now())); err != nil {
		return err
	}
	if err := l.forwardControlPlane(m); err != nil {
		return err
	}
	if err := l.run(m, l.balancerCommand(m)...); err != nil {
		return err
	}
	watching, unwatch := context.WithCancel(ctx)
	m.unwatch = unwatch
	go l.watchReady(watching, m.name, m.space)
	if l.byBGP() {
		return l.startSpeaker(m)
	}
	return nil
}

// balancerCommand runs our own balancer, or the topology's replacement.
func (l *Lab) balancerCommand(m *member) []string {
	if l.topology.Command != nil {
		return l.words(m, l.topology.Command)
	}
	command := []string{
		l.options.Program, "balancer", "--interface", uplink, "--metrics-listen", metricsAddress,
		"--node-name", m.node, "--replica", l.spaceName(m.name), "--state", l.statePath(m),
		"--adaptive", l.spaceName(cmp.Or(m.node, m.name)), // the agent of the node, if it has one
	}
	return append(command, l.sourceFlags(m)...)
}

// sourceFlags set where an agent's configs come from.
func (l *Lab) sourceFlags(m *member) []string {
	if l.options.ControlPlane == "" {
		return []string{"--config", l.configPath(m)}
	}
	return l.controlPlaneFlags(m)
}

// words is a topology's command with the lab's values filled in.
func (l *Lab) words(m *member, written []string) []string {
	replace := strings.NewReplacer(
		"{program}", l.options.Program, "{name}", m.name, "{address}", m.addresses[0].Addr().String(),
		"{config}", l.configPath(m), "{listen}", metricsAddress)
	var command []string
	for _, word := range written {
		command = append(command, replace.Replace(word))
	}
	return command
}

func (l *Lab) startTraffic(m *member, c topology.Client) error {
	if len(c.Traffic) == 0 {
		return nil
	}
	var loads []app.Load
	for _, traffic := range c.Traffic {
		service, err := l.topology.Service(traffic.Service)
		if err != nil {
			return err
		}
		load := app.Load{
			Waits: m.shares, Service: service.Name, Serve: string(service.Serve), Connections: traffic.Connections,
			PerSecond: traffic.PerSecond, RequestsPerConnection: traffic.RequestsPerConnection,
		}
		for _, pod := range l.topology.Pods {
			if service.Zone != "" && pod.Group == service.Group {
				load.ServerNames = append(load.ServerNames, service.ServerName(pod.Name))
			}
		}
		for _, address := range service.Addresses() {
			load.Addresses = append(load.Addresses, netip.AddrPortFrom(address, service.Port).String())
		}
		loads = append(loads, load)
	}
	described, err := json.Marshal(loads)
	if err != nil {
		return fmt.Errorf("describe the traffic of %s: %w", m.name, err)
	}
	return l.run(m, l.options.Program, "lab-app", "load", "--counts", l.folder.at(m.name, "counts.sock"), "--loads", string(described))
}

// startNodeAgent runs a node's agent if there is a control plane to report to.
func (l *Lab) startNodeAgent(m *member) error {
	if l.options.ControlPlane == "" {
		return nil
	}
	if err := l.forwardControlPlane(m); err != nil {
		return err
	}
	command := []string{l.options.Program, "node", "--node-name", m.name, "--state", l.statePath(m)}
	if len(m.addresses) > 0 { // its address towards the control plane is of no use to other nodes
		command = append(command, "--echo-listen", netip.AddrPortFrom(m.addresses[0].Addr(), echoPort).String())
	}
	return l.run(m, append(command, l.controlPlaneFlags(m)...)...)
}

// startBackend runs the agent of a node's servers, if the topology has it. It looks only into the lab's own
// namespaces: those of others have the same addresses.
func (l *Lab) startBackend(on *member) error {
	if !l.topology.Backends {
		return nil
	}
	m := &member{kind: backend, name: on.name + ".backend", node: on.name}
	l.share(m, on)
	if err := os.MkdirAll(l.folder.at(m.name), 0o700); err != nil {
		return fmt.Errorf("create the folder of %s: %w", m.name, err)
	}
	if err := l.writeConfig(m, l.source.Services(time.Now())); err != nil {
		return err
	}
	command := []string{
		l.options.Program, "backend", "--node-name", on.name, "--replica", on.space.Name, "--state", l.statePath(m),
		"--namespaces", filepath.Join(netspace.Folder, prefixOf(l.topology.Name)+"*"), "--metrics-listen", peerPages,
	}
	return l.run(m, append(command, l.sourceFlags(m)...)...)
}
