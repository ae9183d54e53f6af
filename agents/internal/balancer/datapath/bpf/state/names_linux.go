package state

import (
	"net/netip"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Names is the part of the model that describes flows. It is immutable, so describing a
// flow never waits for a Set.
type Names struct {
	bySlot map[uint16]*NamedBackend
	ByKey  map[datapath.Key]map[string]*NamedBackend // then by the backend's ID

	Translated map[program.NatKey]bool // backends that may have translated flows, without a port of ours
}

// NamedBackend is a backend, as flows refer to it.
type NamedBackend struct {
	Service     datapath.Key
	backend     string
	Delivery    datapath.Delivery
	Slot        uint16
	Incarnation uint32
	keeps       bool
	Private     bool   // its service isn't placed by the tables alone, so its flows aren't announced
	Table       uint32 // the slot of its service
	Seed        uint32 // of its service
}

func namesOf(m *Model) *Names {
	n := &Names{bySlot: make(map[uint16]*NamedBackend, len(m.Slots)), ByKey: make(map[datapath.Key]map[string]*NamedBackend, len(m.Services)), Translated: map[program.NatKey]bool{}}
	for _, s := range m.Services {
		backends := make(map[string]*NamedBackend, len(s.Placed))
		for _, b := range s.Placed {
			one := &NamedBackend{
				Service: s.Key, backend: b.ID, Delivery: s.Delivery, Slot: b.Slot, Incarnation: b.Entry.Incarnation,
				keeps: b.Entry.Flags&program.BackendKeeps != 0, Private: s.Chooser != datapath.Agreed, Table: s.Entry.Slot, Seed: s.Entry.Seed,
			}
			n.bySlot[b.Slot], backends[b.ID] = one, one
			if s.Delivery == datapath.NAT && one.keeps {
				n.Translated[program.NatKey{Backend: b.Entry.Address, BackendPort: b.Entry.Port, Protocol: uint8(s.Key.Protocol)}] = true
			}
		}
		n.ByKey[s.Key] = backends
	}
	return n
}

// Keeper returns the backend of a flow; nil when that is gone or inactive.
func (n *Names) Keeper(flow program.FlowEntry) *NamedBackend {
	b := n.bySlot[flow.Slot]
	if b == nil || b.Incarnation != flow.Incarnation || !b.keeps {
		return nil
	}
	return b
}

// Keeps reports whether the backend keeps its flows.
func (b *NamedBackend) Keeps() bool { return b.keeps }

// Aged returns a flow to this backend that was last seen some time ago.
func (b *NamedBackend) Aged(key program.FlowKey, seen, now uint32) datapath.Flow {
	flow := b.Flow(key)
	if age := program.AgeOf(seen, now); age > program.Ticks(program.SameTime) {
		flow.Age = time.Duration(age) << program.TcxLimitsSEEN_SHIFT
	}
	return flow
}

// Flow returns a flow to this backend.
func (b *NamedBackend) Flow(key program.FlowKey) datapath.Flow {
	client := netip.AddrPortFrom(program.FromAddress(key.Client), program.Wire(key.ClientPort))
	return datapath.Flow{Service: b.Service, Client: client, Backend: b.backend}
}
