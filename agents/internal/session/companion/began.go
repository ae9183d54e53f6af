package companion

import (
	"maps"
	"net/netip"
	"slices"
	"sync"
	"time"

	"fairlead.dev/agents/internal/session/ids"
	"fairlead.dev/agents/internal/session/message"
)

// requestMost is how many ids a companion sends for one request.
const requestMost = 1024

// Room has the session ids of the companions of an agent.
type Room = ids.Room[struct{}]

// began are the newest sessions that the server began, numbered per service.
type began struct {
	room  *Room
	first uint64 // higher than all numbers of a former process, unless the clock was set back
	mutex sync.Mutex
	of    map[netip.AddrPort]*ids.Queue[struct{}]
}

func newBegan(room *Room) *began {
	return &began{room: room, first: uint64(time.Now().UnixNano()), of: map[netip.AddrPort]*ids.Queue[struct{}]{}}
}

func (b *began) queue(service *Service) *ids.Queue[struct{}] {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.of[service.Address] == nil {
		b.of[service.Address] = b.room.NewQueue(b.first)
	}
	return b.of[service.Address]
}

// add stores a new id, and returns it as replicas get it.
func (b *began) add(service *Service, id ids.ID, now time.Time) (m message.Message, isNew bool) {
	p, isNew := b.queue(service).Add(id, struct{}{}, service.lifetime(), now)
	return message.Message{Kind: message.SessionIDs, Last: p.Last, Before: p.Before, IDs: p.IDs}, isNew
}

// find returns the answer to the request for the backend of a session id.
func (b *began) find(service *Service, id ids.ID, now time.Time) message.Message {
	if age, ok := b.queue(service).Age(id, service.lifetime(), now); ok {
		return message.Message{Kind: message.HasID, IDs: []ids.ID{id}, Ages: []time.Duration{age}}
	}
	return message.Message{Kind: message.HasNotID, IDs: []ids.ID{id}}
}

// answer returns the messages that answer a request. A replica signs its own address: what is replayed with another
// one leads to one message, as a request of an earlier version. The replica has all ids if there are none.
func (b *began) answer(service *Service, m message.Message, to netip.AddrPort, now time.Time) []message.Message {
	if m.Until == 0 || m.Client != to {
		return []message.Message{b.after(service, m.Last, now)}
	}
	return b.between(service, m.Last, m.Until, now)
}

// after returns the oldest ids after a number, as replicas of earlier versions get them. If they are fewer than a
// message has room for, there are no more.
func (b *began) after(service *Service, number uint64, now time.Time) message.Message {
	m := b.message(service, number, message.IDsMost, now)
	return message.Message{Kind: message.SessionIDs, Last: m.Last, Before: m.Before, IDs: m.IDs}
}

// between returns the ids with the numbers after last until another one, or of the oldest ones if those have
// expired. It returns at least one message: without ids, if there are none.
func (b *began) between(service *Service, last, until uint64, now time.Time) (all []message.Message) {
	left := int(min(until-min(last, until), requestMost))
	for {
		m := b.message(service, last, min(left, message.AgedMost(service.Backend)), now)
		all = append(all, m)
		left -= len(m.IDs)
		if len(m.IDs) == 0 || left == 0 || m.Last >= m.Newest {
			return all
		}
		last = m.Last
	}
}

func (b *began) message(service *Service, number uint64, most int, now time.Time) message.Message {
	p := b.queue(service).After(number, most, service.lifetime(), now)
	return message.Message{Kind: message.AgedIDs, Last: p.Last, Before: p.Before, Newest: p.Newest, IDs: p.IDs, Ages: p.Ages}
}

// keep forgets the ids of all other services.
func (b *began) keep(services []Service) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	maps.DeleteFunc(b.of, func(address netip.AddrPort, queue *ids.Queue[struct{}]) bool {
		gone := !slices.ContainsFunc(services, func(s Service) bool { return s.Address == address })
		if gone {
			queue.Close()
		}
		return gone
	})
}
