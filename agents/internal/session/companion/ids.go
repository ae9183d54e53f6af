package companion

import (
	"net/netip"
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

// add returns the id's number.
func (i *ids) add(service netip.AddrPort, id [message.IDBytes]byte) uint64 {
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
	return n.last
}

// after returns the oldest ids after a number, and the number of the last of them.
func (i *ids) after(service netip.AddrPort, number uint64) (last uint64, out [][message.IDBytes]byte) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	n := i.of[service]
	if n == nil {
		return 0, nil
	}
	number = max(number, n.last-uint64(len(n.ring)))
	for ; number < n.last && len(out) < message.IDsMost; number++ {
		out = append(out, n.ring[(number-i.first)%idsMost])
	}
	return number, out
}
