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

// RoleName is what the laboratory's own agent is called in the protocol, and
// its node, and its token's file.
const RoleName = "lab"

// inventory tells a control plane which pods there are and what clients see. It
// is told nothing: what a laboratory should be is in its topology.
type inventory struct {
	newest  atomic.Pointer[agentv1.Inventory] // nil, not empty, before it is known
	news    chan struct{}
	traffic func(context.Context) ([]TrafficStatus, error)
	tally   tally
}

// told is the content of a report.
type told struct {
	pods   *agentv1.Inventory
	series []*agentv1.SeriesPoints
}

func newInventory(traffic func(context.Context) ([]TrafficStatus, error)) *inventory {
	return &inventory{news: make(chan struct{}, 1), traffic: traffic}
}

// tell replaces what is known.
func (i *inventory) tell(pods *agentv1.Inventory) {
	if proto.Equal(pods, i.newest.Load()) {
		return
	}
	i.newest.Store(pods)
	select {
	case i.news <- struct{}{}:
	default: // somebody is about to look anyway
	}
}

// Set has nothing to make so.
func (i *inventory) Set(context.Context, struct{}) (int, error) { return 0, nil }

// Observe says which pods there are, and what clients saw since they began.
func (i *inventory) Observe(ctx context.Context) (told, error) {
	traffic, err := i.traffic(ctx)
	if err != nil {
		return told{}, fmt.Errorf("ask clients what they saw: %w", err)
	}
	return told{i.newest.Load(), i.tally.series(traffic, time.Now())}, nil
}

// Close has nothing to let go of.
func (i *inventory) Close() error { return nil }

func (i *inventory) role() agent.Role[struct{}, told] {
	return agent.Role[struct{}, told]{
		Name: RoleName, Driver: i,
		Desired: func(*agentv1.NodeConfig) (struct{}, error) { return struct{}{}, nil },
		Wake:    i.news,
		Woken:   func(context.Context) (bool, error) { return true, nil },
		Fill: func(told told, report *agentv1.ReportRequest) {
			report.Inventory, report.Series = told.pods, told.series
		},
	}
}

// instances are all pods by name. One that leaves takes no new connections.
func (p *pods) instances() *agentv1.Inventory {
	all := &agentv1.Inventory{}
	for _, entry := range p.members {
		if len(entry.addresses) == 0 {
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
