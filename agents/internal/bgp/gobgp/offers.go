package gobgp

import (
	"context"
	"fmt"
	"math"
	"net/netip"
	"reflect"
	"slices"
	"time"

	"github.com/osrg/gobgp/v4/pkg/apiutil"
	packet "github.com/osrg/gobgp/v4/pkg/packet/bgp"

	"fairlead.dev/agents/internal/bgp"
)

// setOffers withdraws old routes before it advertises new and changed ones.
func (e *Engine) setOffers(_ context.Context, desired bgp.Desired) (changes int, err error) {
	offered := make(map[netip.Prefix]bgp.Offer, len(e.set.Offers))
	for _, offer := range e.set.Offers {
		offered[offer.Prefix] = offer
	}
	var news []*apiutil.Path
	for _, offer := range desired.Offers {
		before, had := offered[offer.Prefix]
		delete(offered, offer.Prefix)
		if had && reflect.DeepEqual(before, offer) {
			continue
		}
		path, err := pathOf(offer, desired.AS)
		if err != nil {
			return 0, fmt.Errorf("offer %s: %w", offer.Prefix, err)
		}
		news = append(news, path)
	}
	var gone []*apiutil.Path
	for _, offer := range offered {
		path, err := pathOf(offer, desired.AS)
		if err != nil {
			return 0, fmt.Errorf("withdraw %s: %w", offer.Prefix, err)
		}
		path.Withdrawal = true
		gone = append(gone, path)
	}
	e.collector.table.received(slices.Concat(gone, news)) // before gobgp reports the best routes
	if len(gone) > 0 {
		if err := e.server.DeletePath(apiutil.DeletePathRequest{Paths: gone}); err != nil {
			return 0, fmt.Errorf("withdraw %d routes: %w", len(gone), err)
		}
	}
	e.set.Offers = slices.DeleteFunc(e.set.Offers, func(offer bgp.Offer) bool { _, is := offered[offer.Prefix]; return is })
	if len(news) > 0 {
		if _, err := e.server.AddPath(apiutil.AddPathRequest{Paths: news}); err != nil {
			return len(gone), fmt.Errorf("advertise %d routes: %w", len(news), err)
		}
	}
	e.set.Offers = slices.Clone(desired.Offers)
	return len(gone) + len(news), nil
}

func pathOf(offer bgp.Offer, as uint32) (*apiutil.Path, error) {
	route, err := packet.NewIPAddrPrefix(offer.Prefix)
	if err != nil {
		return nil, err
	}
	path := &apiutil.Path{Family: familyOf(offer.Prefix.Addr()), Nlri: route, Age: time.Now().Unix()}
	path.Attrs = []packet.PathAttributeInterface{packet.NewPathAttributeOrigin(packet.BGP_ORIGIN_ATTR_TYPE_IGP)}
	if offer.Prefix.Addr().Is4() {
		hop, err := packet.NewPathAttributeNextHop(offer.NextHop)
		if err != nil {
			return nil, err
		}
		path.Attrs = append(path.Attrs, hop)
	} else {
		reach, err := packet.NewPathAttributeMpReachNLRI(path.Family, []packet.PathNLRI{{NLRI: route}}, offer.NextHop)
		if err != nil {
			return nil, err
		}
		path.Attrs = append(path.Attrs, reach)
	}
	if offer.Preference > 0 {
		path.Attrs = append(path.Attrs, packet.NewPathAttributeLocalPref(offer.Preference))
	}
	if offer.MED > 0 {
		path.Attrs = append(path.Attrs, packet.NewPathAttributeMultiExitDisc(offer.MED))
	}
	if len(offer.Communities) > 0 {
		communities := make([]uint32, len(offer.Communities))
		for i, community := range offer.Communities {
			communities[i] = uint32(community)
		}
		path.Attrs = append(path.Attrs, packet.NewPathAttributeCommunities(communities))
	}
	if offer.Bandwidth > 0 {
		bandwidth := packet.NewLinkBandwidthExtended(twoByteAS(as), offer.Bandwidth)
		path.Attrs = append(path.Attrs, packet.NewPathAttributeExtendedCommunities([]packet.ExtendedCommunityInterface{bandwidth}))
	}
	return path, nil
}

// asTrans stands for an AS that doesn't fit into two bytes (RFC 6793).
const asTrans = 23456

func twoByteAS(as uint32) uint16 {
	if as > math.MaxUint16 {
		return asTrans
	}
	return uint16(as)
}

func familyOf(address netip.Addr) packet.Family {
	if address.Is4() {
		return packet.RF_IPv4_UC
	}
	return packet.RF_IPv6_UC
}
