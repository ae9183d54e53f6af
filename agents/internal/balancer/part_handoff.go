package balancer

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/session/cookie"
)

// handoff gives connections to the proxy as to a backend. handoff.Handoff is one.
type handoff interface {
	AddressFor(is4 bool) (netip.Addr, error)
	Companion() netip.AddrPort
	Set(services []handedOff) error
	Began(service netip.AddrPort, id [32]byte)
	Close() error
	Remove() error
}

// handedOff is a service whose connections the proxy gets.
type handedOff struct {
	address  netip.AddrPort
	number   uint8
	keys     cookie.Set
	replica  netip.AddrPort // this one
	lifetime time.Duration  // of session ids
}

// handoffs has the one of this process, which engines share: the next one uses it before the last one ends.
type handoffs struct {
	open         func(listen netip.Addr) (handoff, error)
	removeFormer func() error
	running      handoff    // nil while nothing is handed off
	at           netip.Addr // where it listens
}

// openHandoff returns the proxy's address as a backend, or why there is none.
func (p *placing) openHandoff(is4 bool) (at netip.Addr, reason string) {
	if len(p.listens) == 0 {
		return at, "the interface of this replica has no address; give it one"
	}
	h, listen := p.handoffs, p.listens[0].Addr()
	if h.running != nil && h.at != listen {
		if err := h.close(); err != nil {
			return at, err.Error()
		}
	}
	var err error
	if h.running == nil {
		if h.running, err = h.open(listen); err != nil {
			h.running = nil
			return at, err.Error()
		}
		h.at = listen
	}
	if at, err = h.running.AddressFor(is4); err != nil {
		return at, err.Error()
	}
	return at, ""
}

// setHandoff makes the proxy get connections of what is about to be carried, too, or only of what is carried.
func (p *placing) setHandoff(all map[datapath.Key]proxyPart) error {
	if p.handoffs.running == nil {
		return nil
	}
	for key, own := range p.fallbacks {
		if _, is := all[key]; !is {
			own.table.WhenSessionsBegin(nil)
		}
	}
	var services []handedOff
	for _, key := range slices.SortedFunc(maps.Keys(all), compareKeys) {
		one, address := all[key], netip.AddrPortFrom(key.Address, key.Port)
		services = append(services, handedOff{address, one.number, one.keys, one.replica, one.program.Lifetime})
		if own := p.fallbacks[key]; own != nil {
			running := p.handoffs.running
			own.table.WhenSessionsBegin(func(id [32]byte) { running.Began(address, id) })
		}
	}
	if err := p.handoffs.running.Set(services); err != nil {
		return fmt.Errorf("hand connections off to the proxy: %w", err)
	}
	return nil
}

// setParts makes the proxy get connections of only what the engine carries.
func (p *placing) setParts(services []datapath.Service) error {
	p.partsLast = p.partsIn(services)
	return p.setHandoff(p.partsLast)
}

// handsOff reports whether the proxy gets connections, or is about to.
func (p *placing) handsOff() bool { return len(p.parts)+len(p.partsLast) > 0 }

// close leaves the interfaces for the next one.
func (h *handoffs) close() error {
	if h.running == nil {
		return nil
	}
	err := h.running.Close()
	h.running = nil
	return err
}

// remove removes it, also what a former process left.
func (h *handoffs) remove() error {
	if h.running == nil {
		return h.removeFormer()
	}
	err := h.running.Remove()
	h.running = nil
	return err
}
