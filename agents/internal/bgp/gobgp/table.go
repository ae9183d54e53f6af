package gobgp

import (
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/osrg/gobgp/v4/pkg/apiutil"

	"fairlead.dev/agents/internal/bgp"
)

// defaultPageSize is the default size of a page.
const defaultPageSize = 100

// table is a copy of gobgp's routes. Reading gobgp's own table takes a lock that waits for all
// updates in progress, which takes seconds while many speakers connect or leave. Readers of this
// copy delay only the goroutine that updates it.
type table struct {
	mutex     sync.RWMutex
	started   bool
	multipath bool
	accepts   []netip.Prefix
	routes    map[netip.Prefix][]entry
	total     int
}

// entry is one route to a prefix.
type entry struct {
	from       netip.Addr // not valid for our own route
	pathID     uint32
	best       bool
	since      int64 // Unix seconds, as in gobgp
	attributes *attributes
}

// attributes are shared by the prefixes of one update.
type attributes struct {
	hop             netip.Addr
	preference, med uint32
	asPath          []uint32
	communities     []bgp.Community
}

func newTable() *table { return &table{routes: map[netip.Prefix][]entry{}} }

// start is called when gobgp starts with an empty table.
func (t *table) start(multipath bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.started, t.multipath = true, multipath
}

func (t *table) stop() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.started, t.accepts, t.total = false, nil, 0
	clear(t.routes)
}

func (t *table) setFilter(accepts []netip.Prefix) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.accepts = accepts
}

// received adds and removes routes of peers and of this engine.
func (t *table) received(paths []*apiutil.Path) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	var last *attributes
	for _, path := range paths {
		if path == nil {
			continue
		}
		prefix, ok := prefixOf(path.Nlri)
		if !ok {
			continue
		}
		from, number := sourceOf(path)
		if path.Withdrawal {
			t.remove(prefix, from, number)
			continue
		}
		if attrs := attributesOf(path.Attrs); last == nil || !attrs.equal(last) {
			last = attrs
		}
		t.put(prefix, entry{from: from, pathID: number, since: path.Age, attributes: last})
	}
}

// put keeps the best flag of an existing route, until gobgp reports it.
func (t *table) put(prefix netip.Prefix, route entry) {
	of := t.routes[prefix]
	if i := indexOf(of, route.from, route.pathID); i >= 0 {
		route.best = of[i].best
		of[i] = route
		return
	}
	t.routes[prefix] = append(of, route)
	t.total++
}

func (t *table) remove(prefix netip.Prefix, from netip.Addr, number uint32) {
	if i := indexOf(t.routes[prefix], from, number); i >= 0 {
		t.keep(prefix, slices.Delete(t.routes[prefix], i, i+1), 1)
	}
}

func (t *table) keep(prefix netip.Prefix, rest []entry, gone int) {
	t.total -= gone
	if t.routes[prefix] = rest; len(rest) == 0 {
		delete(t.routes, prefix)
	}
}

// removePeer removes the routes of a peer whose session ended: gobgp doesn't withdraw them one by
// one.
func (t *table) removePeer(peer netip.Addr) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for prefix, of := range t.routes {
		rest := slices.DeleteFunc(of, func(route entry) bool { return route.from == peer })
		t.keep(prefix, rest, len(of)-len(rest))
	}
}

// setBest updates which routes are best. With multipath gobgp reports each of them; without, the
// new best route replaces the old one.
func (t *table) setBest(paths []*apiutil.Path) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for _, path := range paths {
		if path == nil {
			continue
		}
		prefix, ok := prefixOf(path.Nlri)
		if !ok {
			continue
		}
		of := t.routes[prefix]
		if !t.multipath {
			for i := range of {
				of[i].best = false
			}
		}
		from, number := sourceOf(path)
		if i := indexOf(of, from, number); i >= 0 {
			of[i].best = !path.Withdrawal
		}
	}
}

// read returns the page after the query's cursor.
func (t *table) read(query bgp.Query) (page bgp.Page, err error) {
	most := query.Limit
	if most <= 0 {
		most = defaultPageSize
	}
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	if !t.started {
		return page, errNotStarted
	}
	page.Total = t.total
	first := newFirstRoutes(most + 1)
	for prefix, of := range t.candidates(query) {
		if bgp.ComparePrefixes(prefix, query.After.Prefix) < 0 || first.full() && bgp.ComparePrefixes(prefix, first.last().Prefix) > 0 {
			continue
		}
		for _, one := range of {
			if query.FromPeer.IsValid() && one.from != query.FromPeer {
				continue
			}
			if route := t.route(prefix, one); query.After == (bgp.Cursor{}) || bgp.CursorOf(route).Compare(query.After) > 0 {
				first.add(route)
			}
		}
	}
	if page.Routes = first.routes; len(page.Routes) > most {
		page.Routes = page.Routes[:most]
		page.Next = bgp.CursorOf(page.Routes[most-1])
	}
	return page, nil
}

// candidates are the prefixes that a query may match: all only if it doesn't narrow them.
func (t *table) candidates(query bgp.Query) func(yield func(netip.Prefix, []entry) bool) {
	return func(yield func(netip.Prefix, []entry) bool) {
		switch {
		case query.Covers.IsValid():
			address := query.Covers.Unmap()
			for bits := 0; bits <= address.BitLen(); bits++ {
				prefix, _ := address.Prefix(bits) // the length is always valid
				if !query.Within(prefix) {
					continue
				}
				if of, has := t.routes[prefix]; has && !yield(prefix, of) {
					return
				}
			}
		case query.Prefix.IsValid() && !query.Longer:
			if of, has := t.routes[query.Prefix.Masked()]; has {
				yield(query.Prefix.Masked(), of)
			}
		default:
			for prefix, of := range t.routes {
				if query.Within(prefix) && !yield(prefix, of) {
					return
				}
			}
		}
	}
}

func (t *table) route(prefix netip.Prefix, one entry) bgp.Route {
	return bgp.Route{
		Prefix: prefix, NextHop: one.attributes.hop, From: one.from, PathID: one.pathID, Preference: one.attributes.preference, MED: one.attributes.med,
		ASPath: one.attributes.asPath, Communities: one.attributes.communities, Best: one.best, Since: time.Unix(one.since, 0),
		Refused: one.from.IsValid() && !(&refusals{accepts: t.accepts}).allows(prefix),
	}
}

func indexOf(of []entry, from netip.Addr, number uint32) int {
	return slices.IndexFunc(of, func(route entry) bool { return route.from == from && route.pathID == number })
}

// sourceOf identifies a route among those to a prefix.
func sourceOf(path *apiutil.Path) (from netip.Addr, number uint32) {
	if !path.PeerAddress.IsValid() || path.PeerAddress.IsUnspecified() {
		return netip.Addr{}, 0
	}
	return path.PeerAddress, path.RemoteID
}
