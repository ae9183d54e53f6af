package userspace

import (
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/maglev"
)

// service is one address and port that is listened on.
type service struct {
	key    datapath.Key
	limits *limits
	view   atomic.Pointer[view]
	own    counter // what the service counts beside its backends, who come and go
	drops  [reasons]atomic.Uint64
	front  front
	work   sync.WaitGroup
}

// front takes clients in.
type front interface {
	run()
	close()
}

// view is what new connections look at; it never changes.
type view struct {
	wanted   datapath.Service
	backends []*backend // as wanted
	fresh    []*backend // members of the table
	table    *maglev.Table
}

func listen(key datapath.Key, limits *limits) (*service, error) {
	s := &service{key: key, limits: limits}
	s.view.Store(&view{table: maglev.Build(nil)})
	var err error
	if key.Protocol == datapath.TCP {
		s.front, err = listenTCP(s)
	} else {
		s.front, err = listenUDP(s)
	}
	return s, err
}

func (s *service) drop(why reason) { s.drops[why].Add(1) }

// lose drops what was for a backend that can't be reached.
func (s *service) lose(b *backend) {
	s.drop(backendUnreachable)
	b.lost.Add(1)
}

func (s *service) start() { s.work.Go(s.front.run) }

// carry makes new connections go as wanted, and lets go of those whose backend
// is gone or inactive.
func (s *service) carry(wanted datapath.Service) (changed bool) {
	before := s.view.Load()
	if before.backends != nil && sameService(before.wanted, wanted) {
		return false
	}
	next := &view{wanted: wanted, backends: make([]*backend, len(wanted.Backends))}
	for i, one := range wanted.Backends {
		next.backends[i] = before.find(one)
	}
	next.index()
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

// find keeps a backend with its counts and connections while it is the same place.
func (v *view) find(wanted datapath.Backend) *backend {
	for i, was := range v.wanted.Backends {
		if was.ID == wanted.ID && was.Address == wanted.Address && was.Port == wanted.Port {
			return v.backends[i]
		}
	}
	return &backend{id: wanted.ID, address: netip.AddrPortFrom(wanted.Address, wanted.Port), flows: map[flow]struct{}{}}
}

func (v *view) index() {
	members := datapath.Fresh(v.wanted.Backends)
	v.table = maglev.Build(members)
	at := 0
	for i, b := range v.backends {
		if at < len(members) && members[at].ID == v.wanted.Backends[i].ID {
			v.fresh = append(v.fresh, b)
			at++
		}
	}
}

// pick says where a new connection goes: to the backend of the client's row or,
// where those of the first rows were tried already, of the next row that has
// another one; nil when there is nowhere.
func (v *view) pick(key datapath.Key, client netip.AddrPort, tried ...*backend) *backend {
	first := rowOf(key, client)
	for step := range maglev.Rows {
		index := v.table[(first+step)%maglev.Rows]
		if index == maglev.Empty {
			return nil
		}
		if b := v.fresh[index]; !slices.Contains(tried, b) {
			return b
		}
	}
	return nil
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
}

func sameService(a, b datapath.Service) bool {
	return a.Key == b.Key && a.Delivery == b.Delivery && a.Scheduler == b.Scheduler &&
		a.ProxyProtocol == b.ProxyProtocol && slices.Equal(a.Backends, b.Backends)
}
