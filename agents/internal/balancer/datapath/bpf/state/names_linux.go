package bpf

import (
	"net/netip"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// names is the part of the model that describes flows. It is immutable, so describing a
// flow never waits for a Set.
type names struct {
	bySlot map[uint16]*name
	byKey  map[datapath.Key]map[string]*name // then by the backend's ID

	translated map[natKey]bool // backends that may have translated flows, without a port of ours
}

// name is a backend, as flows refer to it.
type name struct {
	service     datapath.Key
	backend     string
	delivery    datapath.Delivery
	slot        uint16
	incarnation uint32
	keeps       bool
	table       uint32 // the slot of its service
	seed        uint32 // of its service
}

func namesOf(m *model) *names {
	n := &names{bySlot: make(map[uint16]*name, len(m.slots)), byKey: make(map[datapath.Key]map[string]*name, len(m.services)), translated: map[natKey]bool{}}
	for _, s := range m.services {
		backends := make(map[string]*name, len(s.backends))
		for _, b := range s.backends {
			one := &name{
				service: s.Key, backend: b.id, delivery: s.Delivery, slot: b.slot, incarnation: b.entry.Incarnation,
				keeps: b.entry.Flags&keeps != 0, table: s.entry.Slot, seed: s.entry.Seed,
			}
			n.bySlot[b.slot], backends[b.id] = one, one
			if s.Delivery == datapath.NAT && one.keeps {
				n.translated[natKey{Backend: b.entry.Address, BackendPort: b.entry.Port, Protocol: uint8(s.Key.Protocol)}] = true
			}
		}
		n.byKey[s.Key] = backends
	}
	return n
}

// keeper returns the backend of a flow; nil when that is gone or inactive.
func (n *names) keeper(flow flowEntry) *name {
	b := n.bySlot[flow.Slot]
	if b == nil || b.incarnation != flow.Incarnation || !b.keeps {
		return nil
	}
	return b
}

// aged returns a flow to this backend that was last seen some time ago.
func (b *name) aged(key flowKey, seen, now uint32) datapath.Flow {
	flow := b.flow(key)
	if age := ageOf(seen, now); age > ticks(sameTime) {
		flow.Age = time.Duration(age) << TcxLimitsSEEN_SHIFT
	}
	return flow
}

// flow returns a flow to this backend.
func (b *name) flow(key flowKey) datapath.Flow {
	client := netip.AddrPortFrom(fromAddress(key.Client), wire(key.ClientPort))
	return datapath.Flow{Service: b.service, Client: client, Backend: b.backend}
}
