package companion

import (
	"maps"
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/session/message"
)

// requestMost is how many ids a companion sends for one request.
const requestMost = 1024

// ids are the newest sessions that the server began, numbered per service.
type ids struct {
	room  *Room
	first uint64 // higher than all numbers of a former process
	of    map[netip.AddrPort]*numbered
}

func newIDs(room *Room) ids {
	return ids{room: room, first: uint64(time.Now().UnixNano()), of: map[netip.AddrPort]*numbered{}}
}

// add stores a new id, and returns it as replicas get it.
func (i *ids) add(service *Service, id [message.IDBytes]byte, now time.Time) (m message.Message, isNew bool) {
	i.room.mutex.Lock()
	defer i.room.mutex.Unlock()
	n := i.of[service.Address]
	if n == nil {
		n = &numbered{last: i.first}
		i.of[service.Address], i.room.all[n] = n, struct{}{}
	}
	i.room.expire(n, service.lifetime(), now)
	if !i.room.add(n, id, now) {
		return m, false
	}
	return message.Message{Kind: message.SessionIDs, Last: n.last, Before: n.before(), IDs: [][message.IDBytes]byte{id}}, true
}

// answer returns the messages that answer a request. A replica signs its own address: what is replayed with another
// one leads to one message, as a request of an earlier version. The replica has all ids if there are none.
func (i *ids) answer(service *Service, m message.Message, to netip.AddrPort, now time.Time) []message.Message {
	if m.Until == 0 || m.Client != to {
		return []message.Message{i.after(service, m.Last, now)}
	}
	return i.between(service, m.Last, m.Until, now)
}

// after returns the oldest ids after a number, as replicas of earlier versions get them. If they are fewer than a
// message has room for, there are no more.
func (i *ids) after(service *Service, number uint64, now time.Time) message.Message {
	m := i.message(service, number, message.IDsMost, now)
	return message.Message{Kind: message.SessionIDs, Last: m.Last, Before: m.Before, IDs: m.IDs}
}

// between returns the ids with the numbers after last until another one, or of the oldest ones if those have
// expired. It returns at least one message: without ids, if there are none.
func (i *ids) between(service *Service, last, until uint64, now time.Time) (all []message.Message) {
	left := int(min(until-min(last, until), requestMost))
	for {
		m := i.message(service, last, min(left, message.AgedMost(service.Backend)), now)
		all = append(all, m)
		left -= len(m.IDs)
		if len(m.IDs) == 0 || left == 0 || m.Last >= m.Newest {
			return all
		}
		last = m.Last
	}
}

// message returns at most this many of the oldest ids after a number.
func (i *ids) message(service *Service, number uint64, most int, now time.Time) message.Message {
	i.room.mutex.Lock()
	defer i.room.mutex.Unlock()
	n := i.of[service.Address]
	if n == nil {
		n = &numbered{last: i.first}
	}
	i.room.expire(n, service.lifetime(), now)
	m := message.Message{Kind: message.AgedIDs, Last: max(number, n.before()), Before: n.before()}
	m.Newest = max(n.last, m.Last)
	for ; m.Last < n.last && len(m.IDs) < most; m.Last++ {
		one := n.at(int(m.Last - n.before()))
		m.IDs, m.Ages = append(m.IDs, one.id), append(m.Ages, now.Sub(i.room.start)-one.at)
	}
	return m
}

// keep forgets the ids of all other services.
func (i *ids) keep(services []Service) {
	i.room.mutex.Lock()
	defer i.room.mutex.Unlock()
	maps.DeleteFunc(i.of, func(address netip.AddrPort, n *numbered) bool {
		gone := !slices.ContainsFunc(services, func(s Service) bool { return s.Address == address })
		if gone {
			i.room.forget(n)
		}
		return gone
	})
}
