package gobgp

import (
	"slices"

	"fairlead.dev/agents/internal/bgp"
)

// first keeps the first few of routes that come in any order, sorted: a page is found in one
// pass over a table, which is never sorted whole.
type first struct {
	most   int
	routes []bgp.Route
}

func newFirst(most int) *first { return &first{most: most} }

func (f *first) full() bool { return len(f.routes) == f.most }

// last is the one that goes when a better one comes.
func (f *first) last() bgp.Route { return f.routes[len(f.routes)-1] }

func (f *first) add(route bgp.Route) {
	place := bgp.PlaceOf(route)
	if f.full() && place.Compare(bgp.PlaceOf(f.last())) > 0 {
		return
	}
	at, _ := slices.BinarySearchFunc(f.routes, place, func(one bgp.Route, place bgp.Place) int { return bgp.PlaceOf(one).Compare(place) })
	if f.full() {
		f.routes = f.routes[:f.most-1]
	}
	f.routes = slices.Insert(f.routes, at, route)
}
