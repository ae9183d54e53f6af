package gobgp

import (
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"slices"

	"github.com/osrg/gobgp/v4/api"
	"github.com/osrg/gobgp/v4/pkg/apiutil"
	packet "github.com/osrg/gobgp/v4/pkg/packet/bgp"

	"fairlead.dev/agents/internal/bgp"
)

// Routes implements bgp.Engine.
func (e *Engine) Routes(_ context.Context, query bgp.Query) (bgp.Page, error) {
	return e.collector.table.read(query)
}

// Hops implements bgp.Engine.
func (e *Engine) Hops(_ context.Context, prefix netip.Prefix) (hops []bgp.NextHop, err error) {
	if e.server == nil {
		return nil, errNotStarted
	}
	request := apiutil.ListPathRequest{
		TableType: api.TableType_TABLE_TYPE_GLOBAL, Family: familyOf(prefix.Addr()),
		Prefixes: []*apiutil.LookupPrefix{{Prefix: prefix.Masked().String()}},
	}
	if err := e.server.ListPath(request, func(_ packet.NLRI, paths []*apiutil.Path) {
		for _, path := range paths {
			if hop := attributesOf(path.Attrs).hop; path.Best && hop.IsValid() {
				hops = append(hops, bgp.NextHop{Via: hop, Bandwidth: bandwidthOf(path.Attrs)})
			}
		}
	}); err != nil {
		return nil, fmt.Errorf("read the routes to %s: %w", prefix, err)
	}
	slices.SortFunc(hops, func(a, b bgp.NextHop) int {
		return cmp.Or(a.Via.Compare(b.Via), cmp.Compare(b.Bandwidth, a.Bandwidth))
	})
	// Several reflectors send the same next hop. While a bandwidth changes, they may differ for a moment.
	return slices.CompactFunc(hops, func(a, b bgp.NextHop) bool { return a.Via == b.Via }), nil
}

// bandwidthOf returns the link bandwidth of a route; 0 if it has none.
func bandwidthOf(list []packet.PathAttributeInterface) float32 {
	for _, attribute := range list {
		extended, is := attribute.(*packet.PathAttributeExtendedCommunities)
		if !is {
			continue
		}
		for _, community := range extended.Value {
			if bandwidth, is := community.(*packet.LinkBandwidthExtended); is && bandwidth.Bandwidth > 0 {
				return bandwidth.Bandwidth
			}
		}
	}
	return 0
}

func attributesOf(list []packet.PathAttributeInterface) *attributes {
	var found attributes
	for _, attribute := range list {
		switch a := attribute.(type) {
		case *packet.PathAttributeNextHop:
			found.hop = a.Value
		case *packet.PathAttributeMpReachNLRI:
			found.hop = a.Nexthop
		case *packet.PathAttributeLocalPref:
			found.preference = a.Value
		case *packet.PathAttributeMultiExitDisc:
			found.med = a.Value
		case *packet.PathAttributeAsPath:
			for _, segment := range a.Value {
				found.asPath = append(found.asPath, segment.GetAS()...)
			}
		case *packet.PathAttributeCommunities:
			for _, community := range a.Value {
				found.communities = append(found.communities, bgp.Community(community))
			}
		}
	}
	return &found
}

func (s *attributes) equal(other *attributes) bool {
	return s.hop == other.hop && s.preference == other.preference && s.med == other.med &&
		slices.Equal(s.asPath, other.asPath) && slices.Equal(s.communities, other.communities)
}

func prefixOf(route packet.NLRI) (netip.Prefix, bool) {
	address, ok := route.(*packet.IPAddrPrefix)
	if !ok {
		return netip.Prefix{}, false
	}
	return address.Prefix, true
}
