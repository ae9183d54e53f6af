package gobgp

import (
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/osrg/gobgp/v4/pkg/apiutil"

	"fairlead.dev/agents/internal/bgp"
)

// pageOf is how many routes an answer has when nobody says.
const pageOf = 100

// table is what gobgp tells of its routes, kept beside its own: that one is read under a lock
// which waits for every update that is being worked on, for seconds while many speakers come
// or go. Whoever reads here holds up nobody but the goroutine that takes news in.
type table struct {
	mutex     sync.RWMutex
	begun     bool
	multipath bool
	accepts   []netip.Prefix
	heard     map[netip.Prefix][]heard
	known     int
}

// heard is one route to a prefix.
type heard struct {
	from   netip.Addr // not valid: our own
	number uint32
	best   bool
	since  int64 // Unix seconds, as gobgp has it
	said   *said
}

// said is what prefixes of one update have in common.
type said struct {
	hop             netip.Addr
	preference, med uint32
	asPath          []uint32
	communities     []bgp.Community
}

func newTable() *table { return &table{heard: map[netip.Prefix][]heard{}} }

// begin is told when gobgp starts, with an empty table.
func (t *table) begin(multipath bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.begun, t.multipath = true, multipath
}

func (t *table) end() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.begun, t.accepts, t.known = false, nil, 0
	clear(t.heard)
}

func (t *table) filter(accepts []netip.Prefix) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.accepts = accepts
}

// offered takes in what peers offer and withdraw, and what we offer ourselves.
func (t *table) offered(paths []*apiutil.Path) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	var last *said
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
		if said := saidIn(path.Attrs); last == nil || !said.equal(last) {
			last = said
		}
		t.put(prefix, heard{from: from, number: number, since: path.Age, said: last})
	}
}

// put keeps whether it is a best one, until that is told anew.
func (t *table) put(prefix netip.Prefix, route heard) {
	of := t.heard[prefix]
	if i := indexOf(of, route.from, route.number); i >= 0 {
		route.best = of[i].best
		of[i] = route
		return
	}
	t.heard[prefix] = append(of, route)
	t.known++
}

func (t *table) remove(prefix netip.Prefix, from netip.Addr, number uint32) {
	if i := indexOf(t.heard[prefix], from, number); i >= 0 {
		t.keep(prefix, slices.Delete(t.heard[prefix], i, i+1), 1)
	}
}

func (t *table) keep(prefix netip.Prefix, rest []heard, gone int) {
	t.known -= gone
	if t.heard[prefix] = rest; len(rest) == 0 {
		delete(t.heard, prefix)
	}
}

// gone is told when the session with a peer has ended: its routes aren't withdrawn one by one.
func (t *table) gone(peer netip.Addr) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for prefix, of := range t.heard {
		rest := slices.DeleteFunc(of, func(route heard) bool { return route.from == peer })
		t.keep(prefix, rest, len(of)-len(rest))
	}
}

// chosen is told which routes are best ones now, and which are not any more. With multipath
// that is each of them; without, the one takes the place of the other.
func (t *table) chosen(paths []*apiutil.Path) {
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
		of := t.heard[prefix]
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

// read answers a query with the first routes after its place.
func (t *table) read(query bgp.Query) (page bgp.Page, err error) {
	most := query.Most
	if most <= 0 {
		most = pageOf
	}
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	if !t.begun {
		return page, errNotStarted
	}
	page.Known = t.known
	first := newFirst(most + 1)
	for prefix, of := range t.candidates(query) {
		if bgp.ComparePrefixes(prefix, query.After.Prefix) < 0 || first.full() && bgp.ComparePrefixes(prefix, first.last().Prefix) > 0 {
			continue
		}
		for _, one := range of {
			if query.FromPeer.IsValid() && one.from != query.FromPeer {
				continue
			}
			if route := t.route(prefix, one); query.After == (bgp.Place{}) || bgp.PlaceOf(route).Compare(query.After) > 0 {
				first.add(route)
			}
		}
	}
	if page.Routes = first.routes; len(page.Routes) > most {
		page.Routes = page.Routes[:most]
		page.Next = bgp.PlaceOf(page.Routes[most-1])
	}
	return page, nil
}

// candidates are the prefixes that a query may mean: all of them only if it says no more.
func (t *table) candidates(query bgp.Query) func(yield func(netip.Prefix, []heard) bool) {
	return func(yield func(netip.Prefix, []heard) bool) {
		switch {
		case query.Covers.IsValid():
			address := query.Covers.Unmap()
			for bits := 0; bits <= address.BitLen(); bits++ {
				prefix, _ := address.Prefix(bits) // a prefix of that length there is
				if !query.Within(prefix) {
					continue
				}
				if of, has := t.heard[prefix]; has && !yield(prefix, of) {
					return
				}
			}
		case query.Prefix.IsValid() && !query.Longer:
			if of, has := t.heard[query.Prefix.Masked()]; has {
				yield(query.Prefix.Masked(), of)
			}
		default:
			for prefix, of := range t.heard {
				if query.Within(prefix) && !yield(prefix, of) {
					return
				}
			}
		}
	}
}

func (t *table) route(prefix netip.Prefix, one heard) bgp.Route {
	return bgp.Route{
		Prefix: prefix, NextHop: one.said.hop, From: one.from, Number: one.number, Preference: one.said.preference, MED: one.said.med,
		ASPath: one.said.asPath, Communities: one.said.communities, Best: one.best, Since: time.Unix(one.since, 0),
		Refused: one.from.IsValid() && !(&refusals{accepts: t.accepts}).lets(prefix),
	}
}

func indexOf(of []heard, from netip.Addr, number uint32) int {
	return slices.IndexFunc(of, func(route heard) bool { return route.from == from && route.number == number })
}

// sourceOf tells routes to a prefix apart.
func sourceOf(path *apiutil.Path) (from netip.Addr, number uint32) {
	if !path.PeerAddress.IsValid() || path.PeerAddress.IsUnspecified() {
		return netip.Addr{}, 0
	}
	return path.PeerAddress, path.RemoteID
}
