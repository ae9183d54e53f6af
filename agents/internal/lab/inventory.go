package lab

import (
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/proto"

	"fairlead.dev/agents/internal/agent"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// RoleName is the name of the lab's own agent in the protocol, of its node, and of its token file.
const RoleName = "lab"

// inventory reports pods and client traffic to a control plane. It receives nothing: the topology is the
// spec.
type inventory struct {
	newest  atomic.Pointer[agentv1.Inventory] // nil, not empty, until it is first set
	news    chan struct{}
	traffic func(context.Context) ([]TrafficStatus, error)
	tally   tally
}

// observed is the content of a report.
type observed struct {
	pods   *agentv1.Inventory
	series []*agentv1.SeriesPoints
}

func newInventory(traffic func(context.Context) ([]TrafficStatus, error)) *inventory {
	return &inventory{news: make(chan struct{}, 1), traffic: traffic}
}

// set replaces the inventory.
func (i *inventory) set(pods *agentv1.Inventory) {
	if proto.Equal(pods, i.newest.Load()) {
		return
	}
	i.newest.Store(pods)
	select {
	case i.news <- struct{}{}:
	default: // a wakeup is already pending
	}
}

// Set does nothing: this role has no desired state.
func (i *inventory) Set(context.Context, struct{}) (int, error) { return 0, nil }

// Observe returns the pods, and the clients' traffic since they started.
func (i *inventory) Observe(ctx context.Context) (observed, error) {
	traffic, err := i.traffic(ctx)
	if err != nil {
		return observed{}, fmt.Errorf("read the clients' counts: %w", err)
	}
	return observed{i.newest.Load(), i.tally.series(traffic, time.Now())}, nil
}

// Close has nothing to release.
func (i *inventory) Close() error { return nil }

func (i *inventory) role() agent.Role[struct{}, observed] {
	return agent.Role[struct{}, observed]{
		Name: RoleName, Driver: i,
		Desired: func(*agentv1.NodeConfig) (struct{}, error) { return struct{}{}, nil },
		Wake:    i.news,
		Woken:   func(context.Context) (bool, error) { return true, nil },
		Fill: func(seen observed, report *agentv1.ReportRequest) {
			report.Inventory, report.Series = seen.pods, seen.series
		},
	}
}

// instances are the pods of these nodes by name. A leaving pod takes no new connections.
func (p *pods) instances(nodes map[string]bool) *agentv1.Inventory {
	all := &agentv1.Inventory{}
	for _, entry := range p.members {
		if len(entry.addresses) == 0 || !nodes[entry.Node] {
			continue
		}
		instance := &agentv1.Instance{Name: entry.Name, Workload: entry.Group, NodeName: entry.Node, Ready: !entry.leaving, Weight: uint32(entry.Weight)}
		for _, address := range slices.SortedFunc(slices.Values(entry.addresses), netip.Addr.Compare) { // IPv4 first
			instance.Addresses = append(instance.Addresses, address.String())
		}
		all.Instances = append(all.Instances, instance)
	}
	slices.SortFunc(all.Instances, func(a, b *agentv1.Instance) int { return cmp.Compare(a.GetName(), b.GetName()) })
	return all
}
