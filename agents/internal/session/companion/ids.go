package companion

import (
	"maps"
	"net/netip"
	"slices"
	"sync"
	"time"

	"fairlead.dev/agents/internal/session/message"
)

const idsMost = 65536 // of a service

// ids are the newest sessions that the server began, numbered per service.
type ids struct {
	mutex sync.Mutex
	first uint64 // higher than all numbers of a former process
	of    map[netip.AddrPort]*numbered
}

type numbered struct {
	last uint64
	ring [][message.IDBytes]byte // the id of number n is at n % idsMost
}

func newIDs() ids {
	return ids{first: uint64(time.Now().UnixNano()), of: map[netip.AddrPort]*numbered{}}
}

// add stores an id, and returns it as replicas get it.
func (i *ids) add(service netip.AddrPort, id [message.IDBytes]byte) message.Message {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	n := i.of[service]
	if n == nil {
		n = &numbered{last: i.first}
		i.of[service] = n
	}
	n.last++
	if at := (n.last - i.first - 1) % idsMost; at < uint64(len(n.ring)) {
		n.ring[at] = id
	} else {
		n.ring = append(n.ring, id)
	}
	return message.Message{Kind: message.SessionIDs, Last: n.last, Before: n.before(), IDs: [][message.IDBytes]byte{id}}
}

// before returns the number before the oldest id.
func (n *numbered) before() uint64 { return n.last - uint64(len(n.ring)) }

// after returns the oldest ids after a number. If they are fewer than a message has room for, there are no more.
func (i *ids) after(service netip.AddrPort, number uint64) message.Message {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	n := i.of[service]
	if n == nil {
		n = &numbered{last: i.first}
	}
	m := message.Message{Kind: message.SessionIDs, Last: max(number, n.before()), Before: n.before()}
	for ; m.Last < n.last && len(m.IDs) < message.IDsMost; m.Last++ {
		m.IDs = append(m.IDs, n.ring[(m.Last-i.first)%idsMost])
	}
	return m
}

// keep forgets the ids of all other services.
func (i *ids) keep(services []Service) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	maps.DeleteFunc(i.of, func(address netip.AddrPort, _ *numbered) bool {
		return !slices.ContainsFunc(services, func(s Service) bool { return s.Address == address })
	})
}
