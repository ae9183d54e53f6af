package gobgp

import (
	"context"
	"fmt"
	"net/netip"
	"slices"

	"github.com/osrg/gobgp/v4/api"
	"github.com/osrg/gobgp/v4/pkg/apiutil"
	packet "github.com/osrg/gobgp/v4/pkg/packet/bgp"

	"fairlead.dev/agents/internal/bgp"
)

// global is gobgp's name for the policy of its table.
const global = "global"

// draining names the set of the graceful shutdown community. The local preference isn't sent to
// another AS, and gobgp doesn't act on the community itself.
const draining = "draining"

// setFilters sets which routes are accepted and which peers receive routes. It replaces both
// policies, and applies them to existing routes.
func (e *Engine) setFilters(ctx context.Context, desired bgp.Desired) (changes int, err error) {
	gives := receiversOf(desired.Peers)
	if e.filters && slices.Equal(e.set.Accepts, desired.Accepts) && slices.Equal(e.receivers, gives) {
		return 0, nil
	}
	in := &api.Policy{Name: "in", Statements: []*api.Statement{accept("own", &api.Conditions{RouteType: api.Conditions_ROUTE_TYPE_LOCAL})}}
	out := &api.Policy{Name: "out"}
	var sets []*api.DefinedSet
	for _, family := range []string{"IPv4", "IPv6"} {
		prefixes := accepted(desired.Accepts, family == "IPv4")
		if len(prefixes) == 0 {
			continue // gobgp rejects empty sets
		}
		sets = append(sets, &api.DefinedSet{DefinedType: api.DefinedType_DEFINED_TYPE_PREFIX, Name: family, Prefixes: prefixes})
		of := &api.MatchSet{Type: api.MatchSet_TYPE_ANY, Name: family}
		drains := accept("drains of "+family, &api.Conditions{PrefixSet: of, CommunitySet: &api.MatchSet{Type: api.MatchSet_TYPE_ANY, Name: draining}})
		drains.Actions.LocalPref = &api.LocalPrefAction{Value: bgp.Drained}
		in.Statements = append(in.Statements, drains, accept("of "+family, &api.Conditions{PrefixSet: of}))
	}
	if len(sets) > 0 {
		sets = append(sets, &api.DefinedSet{DefinedType: api.DefinedType_DEFINED_TYPE_COMMUNITY, Name: draining, List: []string{fmt.Sprintf("%d:%d", bgp.GracefulShutdown>>16, bgp.GracefulShutdown&0xffff)}})
	}
	if len(gives) > 0 {
		give := accept(exportSet, &api.Conditions{NeighborSet: &api.MatchSet{Type: api.MatchSet_TYPE_ANY, Name: exportSet}})
		// To a router of another AS, gobgp would send itself as the next hop.
		give.Actions.Nexthop = &api.NexthopAction{Unchanged: true}
		out.Statements = append(out.Statements, give)
	}
	if err := e.gate.setReceivers(gives, func(open []string) error {
		sets = append(sets, &api.DefinedSet{DefinedType: api.DefinedType_DEFINED_TYPE_NEIGHBOR, Name: exportSet, List: open})
		return e.server.SetPolicies(ctx, &api.SetPoliciesRequest{DefinedSets: sets, Policies: []*api.Policy{in, out}})
	}); err != nil {
		return 0, fmt.Errorf("set the filters: %w", err)
	}
	for direction, policy := range map[api.PolicyDirection]*api.Policy{api.PolicyDirection_POLICY_DIRECTION_IMPORT: in, api.PolicyDirection_POLICY_DIRECTION_EXPORT: out} {
		if err := e.server.SetPolicyAssignment(ctx, &api.SetPolicyAssignmentRequest{Assignment: &api.PolicyAssignment{
			Name: global, Direction: direction, Policies: []*api.Policy{{Name: policy.Name}}, DefaultAction: api.RouteAction_ROUTE_ACTION_REJECT,
		}}); err != nil {
			return 0, fmt.Errorf("set the filter %q: %w", policy.Name, err)
		}
	}
	if err := e.server.ResetPeer(ctx, &api.ResetPeerRequest{Soft: true, Direction: api.ResetPeerRequest_DIRECTION_BOTH}); err != nil {
		return 0, fmt.Errorf("apply the filters to existing routes: %w", err)
	}
	e.filters, e.set.Accepts, e.receivers = true, slices.Clone(desired.Accepts), gives
	return 1, e.refuseAgain(ctx)
}

// refuseAgain records which of the existing routes the new filter rejects.
func (e *Engine) refuseAgain(ctx context.Context) error {
	e.collector.setFilter(e.set.Accepts)
	var peers []string
	if err := e.server.ListPeer(ctx, &api.ListPeerRequest{}, func(peer *api.Peer) {
		peers = append(peers, peer.GetState().GetNeighborAddress())
	}); err != nil {
		return fmt.Errorf("read peers: %w", err)
	}
	for _, peer := range peers {
		for _, family := range []packet.Family{packet.RF_IPv4_UC, packet.RF_IPv6_UC} {
			// A peer that was removed meanwhile, or doesn't use this family, has no routes.
			_ = e.server.ListPath(apiutil.ListPathRequest{TableType: api.TableType_TABLE_TYPE_ADJ_IN, Name: peer, Family: family},
				func(_ packet.NLRI, paths []*apiutil.Path) { e.collector.received(paths) })
		}
	}
	return nil
}

func accept(name string, when *api.Conditions) *api.Statement {
	return &api.Statement{Name: name, Conditions: when, Actions: &api.Actions{RouteAction: api.RouteAction_ROUTE_ACTION_ACCEPT}}
}

// accepted returns the prefixes of one family, each with all prefixes inside it.
func accepted(prefixes []netip.Prefix, v4 bool) (accepted []*api.Prefix) {
	for _, prefix := range prefixes {
		if prefix.Addr().Is4() == v4 {
			accepted = append(accepted, &api.Prefix{
				IpPrefix: prefix.String(), MaskLengthMin: uint32(prefix.Bits()), MaskLengthMax: uint32(prefix.Addr().BitLen()),
			})
		}
	}
	return accepted
}

// receiversOf returns the addresses of peers that receive routes.
func receiversOf(peers []bgp.Peer) (gives []netip.Prefix) {
	for _, peer := range peers {
		switch {
		case peer.Gives == bgp.Nothing:
		case peer.Address.IsValid():
			gives = append(gives, netip.PrefixFrom(peer.Address, peer.Address.BitLen()))
		default:
			gives = append(gives, peer.Callers)
		}
	}
	return gives
}
