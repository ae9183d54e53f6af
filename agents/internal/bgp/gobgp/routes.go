package gobgp

import (
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/osrg/gobgp/v4/api"
	"github.com/osrg/gobgp/v4/pkg/apiutil"
	packet "github.com/osrg/gobgp/v4/pkg/packet/bgp"

	"fairlead.dev/agents/internal/bgp"
)

// pageOf is how many prefixes an answer has when nobody says.
const pageOf = 100

// Routes implements bgp.Engine.
func (e *Engine) Routes(_ context.Context, query bgp.Query) (bgp.Page, error) {
	if e.server == nil {
		return bgp.Page{}, errNotStarted
	}
	request := apiutil.ListPathRequest{TableType: api.TableType_TABLE_TYPE_GLOBAL, Family: packet.RF_IPv4_UC}
	if query.IPv6 || query.Prefix.IsValid() && query.Prefix.Addr().Is6() {
		request.Family = packet.RF_IPv6_UC
	}
	if query.FromPeer.IsValid() {
		request.TableType, request.Name, request.EnableFiltered = api.TableType_TABLE_TYPE_ADJ_IN, query.FromPeer.String(), true
	}
	if query.Prefix.IsValid() {
		lookup := &apiutil.LookupPrefix{Prefix: query.Prefix.Masked().String()}
		if query.Longer {
			lookup.LookupOption = apiutil.LOOKUP_LONGER
		}
		request.Prefixes = []*apiutil.LookupPrefix{lookup}
	}
	found := map[netip.Prefix][]bgp.Route{}
	if err := e.server.ListPath(request, func(route packet.NLRI, paths []*apiutil.Path) {
		prefix, ok := prefixOf(route)
		if !ok || query.After.IsValid() && comparePrefixes(prefix, query.After) <= 0 {
			return
		}
		for _, path := range paths {
			found[prefix] = append(found[prefix], routeOf(prefix, path))
		}
	}); err != nil {
		return bgp.Page{}, fmt.Errorf("read routes: %w", err)
	}
	return pageFrom(found, cmp.Or(query.Most, pageOf)), nil
}

func pageFrom(found map[netip.Prefix][]bgp.Route, most int) (page bgp.Page) {
	prefixes := make([]netip.Prefix, 0, len(found))
	for prefix := range found {
		prefixes = append(prefixes, prefix)
	}
	slices.SortFunc(prefixes, comparePrefixes)
	if len(prefixes) > most {
		prefixes = prefixes[:most]
		page.Next = prefixes[most-1]
	}
	for _, prefix := range prefixes {
		page.Routes = append(page.Routes, found[prefix]...) // gobgp has the best first
	}
	return page
}

// Hops implements bgp.Engine.
func (e *Engine) Hops(ctx context.Context, prefix netip.Prefix) (hops []netip.Addr, err error) {
	page, err := e.Routes(ctx, bgp.Query{Prefix: prefix})
	if err != nil {
		return nil, err
	}
	for _, route := range page.Routes {
		if route.Best && route.NextHop.IsValid() {
			hops = append(hops, route.NextHop)
		}
	}
	slices.SortFunc(hops, netip.Addr.Compare)
	return slices.Compact(hops), nil // two reflectors tell of the same one
}

func routeOf(prefix netip.Prefix, path *apiutil.Path) bgp.Route {
	route := bgp.Route{Prefix: prefix, From: path.PeerAddress, Best: path.Best, Refused: path.Filtered, Since: time.Unix(path.Age, 0)}
	for _, attribute := range path.Attrs {
		switch a := attribute.(type) {
		case *packet.PathAttributeNextHop:
			route.NextHop = a.Value
		case *packet.PathAttributeMpReachNLRI:
			route.NextHop = a.Nexthop
		case *packet.PathAttributeLocalPref:
			route.Preference = a.Value
		case *packet.PathAttributeMultiExitDisc:
			route.MED = a.Value
		case *packet.PathAttributeAsPath:
			for _, segment := range a.Value {
				route.ASPath = append(route.ASPath, segment.GetAS()...)
			}
		case *packet.PathAttributeCommunities:
			for _, community := range a.Value {
				route.Communities = append(route.Communities, bgp.Community(community))
			}
		}
	}
	return route
}

func prefixOf(route packet.NLRI) (netip.Prefix, bool) {
	address, ok := route.(*packet.IPAddrPrefix)
	if !ok {
		return netip.Prefix{}, false
	}
	return address.Prefix, true
}

func comparePrefixes(a, b netip.Prefix) int {
	return cmp.Or(a.Addr().Compare(b.Addr()), cmp.Compare(a.Bits(), b.Bits()))
}
