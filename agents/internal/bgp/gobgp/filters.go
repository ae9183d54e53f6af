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

// global is what gobgp calls the policy of its one table.
const global = "global"

// draining names who asks that others are preferred. A preference isn't told to another AS,
// and gobgp does nothing of its own about the community.
const draining = "draining"

// setFilters says which routes come in and who is given any: all others aren't. It names
// both anew and whole, and looks again at the routes that are there.
func (e *Engine) setFilters(ctx context.Context, desired bgp.Desired) (changes int, err error) {
	given := givenTo(desired.Peers)
	if e.filters && slices.Equal(e.set.Accepts, desired.Accepts) && slices.Equal(e.given, given) {
		return 0, nil
	}
	in := &api.Policy{Name: "in", Statements: []*api.Statement{accept("own", &api.Conditions{RouteType: api.Conditions_ROUTE_TYPE_LOCAL})}}
	out := &api.Policy{Name: "out"}
	var sets []*api.DefinedSet
	for _, family := range []string{"IPv4", "IPv6"} {
		prefixes := accepted(desired.Accepts, family == "IPv4")
		if len(prefixes) == 0 {
			continue // gobgp takes no empty set
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
	if len(given) > 0 {
		sets = append(sets, &api.DefinedSet{DefinedType: api.DefinedType_DEFINED_TYPE_NEIGHBOR, Name: "given", List: given})
		give := accept("given", &api.Conditions{NeighborSet: &api.MatchSet{Type: api.MatchSet_TYPE_ANY, Name: "given"}})
		// To a router of another AS, gobgp would name itself as the next hop of all.
		give.Actions.Nexthop = &api.NexthopAction{Unchanged: true}
		out.Statements = append(out.Statements, give)
	}
	if err := e.server.SetPolicies(ctx, &api.SetPoliciesRequest{DefinedSets: sets, Policies: []*api.Policy{in, out}}); err != nil {
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
		return 0, fmt.Errorf("filter again what is there: %w", err)
	}
	e.filters, e.set.Accepts, e.given = true, slices.Clone(desired.Accepts), given
	return 1, e.refuseAgain(ctx)
}

// refuseAgain counts what the filter refuses of the routes that were offered before it was set.
func (e *Engine) refuseAgain(ctx context.Context) error {
	e.news.filter(e.set.Accepts)
	var peers []string
	if err := e.server.ListPeer(ctx, &api.ListPeerRequest{}, func(peer *api.Peer) {
		peers = append(peers, peer.GetState().GetNeighborAddress())
	}); err != nil {
		return fmt.Errorf("read peers: %w", err)
	}
	for _, peer := range peers {
		for _, family := range []packet.Family{packet.RF_IPv4_UC, packet.RF_IPv6_UC} {
			// A peer that has gone in between, or without this family, offers nothing.
			_ = e.server.ListPath(apiutil.ListPathRequest{TableType: api.TableType_TABLE_TYPE_ADJ_IN, Name: peer, Family: family},
				func(_ packet.NLRI, paths []*apiutil.Path) { e.news.offered(paths) })
		}
	}
	return nil
}

func accept(name string, when *api.Conditions) *api.Statement {
	return &api.Statement{Name: name, Conditions: when, Actions: &api.Actions{RouteAction: api.RouteAction_ROUTE_ACTION_ACCEPT}}
}

// accepted are the prefixes of a family, each with all that lie inside.
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

// givenTo are those who are given anything, as gobgp wants them: as prefixes.
func givenTo(peers []bgp.Peer) (given []string) {
	for _, peer := range peers {
		switch {
		case peer.Gives == bgp.Nothing:
		case peer.Address.IsValid():
			given = append(given, netip.PrefixFrom(peer.Address, peer.Address.BitLen()).String())
		default:
			given = append(given, peer.Callers.String())
		}
	}
	return given
}
