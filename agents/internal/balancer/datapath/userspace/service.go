package userspace

import (
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/session/proxied"
)

// service is one address and port with a listener.
type service struct {
	key    datapath.Key
	limits *limits
	view   atomic.Pointer[view]
	table  atomic.Pointer[proxied.Table] // nil: no sessions are known
	own    counter                       // counts of the service itself, because backends are added and removed
	drops  [reasons]atomic.Uint64
	front  front
	work   sync.WaitGroup
}

// front accepts clients.
type front interface {
	run()
	close()
	ended() // called once all its connections are over
}

// view is the immutable state for new connections.
type view struct {
	wanted   datapath.Service
	backends []*backend // as in the spec
	all      group      // backends that take new connections
	names    names      // not nil: each name has a group
}

func listen(key datapath.Key, limits *limits) (*service, error) {
	s := &service{key: key, limits: limits}
	s.view.Store(&view{})
	var err error
	if key.Protocol == datapath.TCP {
		s.front, err = listenTCP(s)
	} else {
		s.front, err = listenUDP(s)
	}
	return s, err
}

func (s *service) drop(why reason) { s.drops[why].Add(1) }

// lose counts a client whose backend can't be reached.
func (s *service) lose(b *backend) {
	s.drop(backendUnreachable)
	b.lost.Add(1)
}

func (s *service) start() { s.work.Go(s.front.run) }

// carry applies the spec to new connections, and drops existing ones whose backend is
// gone or inactive.
func (s *service) carry(wanted datapath.Service, weights map[string]uint32) (changed bool) {
	before := s.view.Load()
	if before.backends != nil && before.wanted.Equal(&wanted) {
		return false
	}
	next := &view{wanted: wanted, backends: make([]*backend, len(wanted.Backends))}
	for i, one := range wanted.Backends {
		next.backends[i] = before.find(one)
	}
	next.index(weights)
	s.view.Store(next)
	for _, b := range before.backends {
		if !slices.Contains(next.backends, b) {
			b.letGo()
		}
	}
	for i, b := range next.backends {
		b.keep(wanted.Keeps(wanted.Backends[i]))
	}
	return true
}

// weigh applies weights of backends to new connections.
func (s *service) weigh(weights map[string]uint32) {
	before := s.view.Load()
	next := &view{wanted: before.wanted, backends: before.backends}
	next.index(weights)
	s.view.Store(next)
}

// find returns an existing backend, with its counts and connections, if it has the same
// address and port.
func (v *view) find(wanted datapath.Backend) *backend {
	for i, was := range v.wanted.Backends {
		if was.ID == wanted.ID && was.Address == wanted.Address && was.Port == wanted.Port {
			return v.backends[i]
		}
	}
	return &backend{id: wanted.ID, address: netip.AddrPortFrom(wanted.Address, wanted.Port), flows: map[flow]struct{}{}}
}

func (v *view) index(weights map[string]uint32) {
	if v.wanted.ByServerName() {
		v.names = names{}
	}
	members := datapath.Fresh(v.wanted.Backends)
	at := 0
	for i, b := range v.backends {
		wanted, takes := v.wanted.Backends[i], at < len(members) && members[at].ID == v.wanted.Backends[i].ID
		for _, name := range wanted.ServerNames {
			if group := v.names.of(name); takes {
				group.add(members[at], b)
			}
		}
		if takes && v.names == nil {
			v.all.add(members[at], b)
		}
		if takes {
			at++
		}
	}
	if v.wanted.Chooser == datapath.Private {
		v.all.weigh(weights)
		return
	}
	v.all.build()
	for _, group := range v.names {
		group.build()
	}
}

func (s *service) observe() datapath.ServiceCounts {
	v := s.view.Load()
	counts := datapath.ServiceCounts{Key: s.key, Counts: s.own.read(), Drops: make(map[string]uint64, reasons)}
	for why := range s.drops {
		counts.Drops[reasonNames[why]] = s.drops[why].Load()
	}
	for _, b := range v.backends {
		of := datapath.BackendCounts{ID: b.id, Counts: b.counter.read()}
		if lost := b.lost.Load(); lost > 0 {
			of.Drops = map[string]uint64{reasonNames[backendUnreachable]: lost}
		}
		counts.Backends = append(counts.Backends, of)
	}
	return counts
}

// close ends all connections of the service and waits for that.
func (s *service) close() {
	s.front.close()
	for _, b := range s.view.Load().backends {
		b.letGo()
	}
	s.work.Wait()
	s.front.ended()
}
