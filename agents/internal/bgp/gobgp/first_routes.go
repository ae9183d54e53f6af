package gobgp

import (
	"slices"

	"fairlead.dev/agents/internal/bgp"
)

// firstRoutes keeps the first routes of an unsorted sequence, sorted: a page needs one pass over a
// table, which is never sorted as a whole.
type firstRoutes struct {
	limit  int
	routes []bgp.Route
}

func newFirstRoutes(most int) *firstRoutes { return &firstRoutes{limit: most} }

func (f *firstRoutes) full() bool { return len(f.routes) == f.limit }

// last is replaced when a route before it is added.
func (f *firstRoutes) last() bgp.Route { return f.routes[len(f.routes)-1] }

func (f *firstRoutes) add(route bgp.Route) {
	place := bgp.CursorOf(route)
	if f.full() && place.Compare(bgp.CursorOf(f.last())) > 0 {
		return
	}
	at, _ := slices.BinarySearchFunc(f.routes, place, func(one bgp.Route, place bgp.Cursor) int { return bgp.CursorOf(one).Compare(place) })
	if f.full() {
		f.routes = f.routes[:f.limit-1]
	}
	f.routes = slices.Insert(f.routes, at, route)
}
