package lab

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

const reportInterval = time.Second

func (l *Lab) configPath(m *member) string { return l.folder.at(m.name, "config.json") }

// publish writes the config of every balancer whose config changed, or reports the pods to the control plane.
func (l *Lab) publish(now time.Time) {
	for cluster, inventory := range l.inventories {
		inventory.set(l.pods.instances(l.topology.NodesOf(cluster)))
	}
	services := l.source.Services(now)
	for _, name := range l.order {
		if m := l.members[name]; m.kind == balancer || m.kind == backend || l.byBGP() {
			if err := l.writeConfig(m, services); err != nil {
				l.options.Log.Error("an agent keeps its old config", "agent", name, "err", err)
			}
		}
	}
}

// configOf is the config of one of the lab's agents; nil for a member without an agent.
func (l *Lab) configOf(m *member, services []*agentv1.BalancerService) *agentv1.NodeConfig {
	config := &agentv1.NodeConfig{ReportIntervalMs: uint32(reportInterval.Milliseconds())}
	switch m.kind {
	case balancer:
		config.Balancer = &agentv1.BalancerRole{Engine: l.topology.Engine, Services: services, Peers: l.peers(m)}
	case backend:
		config.Backend = &agentv1.BackendRole{Servers: l.pods.servers(m.node, services, l.replicas())}
	case speaker:
		config.Speaker = l.speakerRole(services)
	case reflector:
		config.Reflector = l.reflectorRole()
	case router:
		config.Router = l.routerRole()
	default:
		return nil
	}
	return config
}

// writeConfig replaces an agent's config by rename, so that the agent never reads half a file. With a control
// plane there is none to write.
func (l *Lab) writeConfig(m *member, services []*agentv1.BalancerService) error {
	config := l.configOf(m, services)
	if l.options.ControlPlane != "" || config == nil {
		return nil
	}
	plain, err := proto.MarshalOptions{Deterministic: true}.Marshal(config)
	if err != nil {
		return fmt.Errorf("describe the config of %s: %w", m.name, err)
	}
	sum := sha256.Sum256(plain)
	config.Digest = hex.EncodeToString(sum[:])
	if config.Digest == m.digest {
		return nil
	}
	config.Revision = m.revision + 1
	data, err := protojson.MarshalOptions{Multiline: true}.Marshal(config)
	if err != nil {
		return fmt.Errorf("describe the config of %s: %w", m.name, err)
	}
	// Not synced to disk: the folder is in memory and is removed at the end.
	fresh := l.configPath(m) + ".new"
	if err := os.WriteFile(fresh, data, 0o600); err != nil {
		return fmt.Errorf("write the config of %s: %w", m.name, err)
	}
	if err := os.Rename(fresh, l.configPath(m)); err != nil {
		return fmt.Errorf("replace the config of %s: %w", m.name, err)
	}
	m.revision, m.digest = config.Revision, config.Digest
	return nil
}

// forgetConfig resets a member's config. A later member of the same name numbers its configs from one, and an
// agent rejects a revision older than the one it has.
func (l *Lab) forgetConfig(m *member) error {
	errs := []error{os.RemoveAll(l.configPath(m))}
	if l.options.ControlPlane == "" {
		errs = append(errs, os.RemoveAll(l.statePath(m)))
	}
	return errors.Join(errs...)
}

// peers are the other balancers, by the first address of each. A balancer being removed stays a peer until
// its end: it placed connections until the router stopped using it.
func (l *Lab) peers(of *member) []*agentv1.BalancerPeer {
	var peers []*agentv1.BalancerPeer
	for _, name := range l.order {
		if m := l.members[name]; m.kind == balancer && m != of && !m.parted {
			address := net.JoinHostPort(m.addresses[0].Addr().String(), strconv.Itoa(flowPort))
			peers = append(peers, &agentv1.BalancerPeer{AgentId: l.spaceName(m.name), Address: address})
		}
	}
	return peers
}

// replicas are where balancers receive messages of agents next to servers.
func (l *Lab) replicas() (replicas []string) {
	for _, name := range l.order {
		if m := l.members[name]; m.kind == balancer {
			replicas = append(replicas, netip.AddrPortFrom(m.addresses[0].Addr(), replicaPort).String())
		}
	}
	return replicas
}
