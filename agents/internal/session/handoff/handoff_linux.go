package handoff

import (
	"errors"
	"fmt"
	"net/netip"

	"fairlead.dev/agents/internal/session/companion"
	"fairlead.dev/agents/internal/session/message"
)

// Handoff is the pair of interfaces and the companion.
type Handoff struct {
	companion *companion.Companion
	pair      pair
}

// Open creates the pair in the current namespace, or uses that of a former process. Replicas send messages to a free
// port of this address.
func Open(listen netip.Addr) (*Handoff, error) {
	if err := companion.Preflight(); err != nil {
		return nil, err
	}
	var own *companion.Companion
	pair, err := openPair()
	if err == nil {
		own, err = companion.Open(inner, netip.AddrPortFrom(listen, 0))
	}
	if err != nil {
		return nil, errors.Join(err, pair.remove())
	}
	return &Handoff{own, pair}, nil
}

// AddressFor returns the address of the proxy as a backend, and makes it reachable.
func (h *Handoff) AddressFor(is4 bool) (netip.Addr, error) {
	address := address6
	if is4 {
		address = address4
	}
	return address, h.pair.lead(address)
}

// Companion returns where the companion gets messages.
func (h *Handoff) Companion() netip.AddrPort { return h.companion.Listens() }

// Set makes the proxy get connections of exactly these services.
func (h *Handoff) Set(services []companion.Service) error { return h.companion.Set(services) }

// Began adds a TLS 1.2 session that a backend behind the proxy began.
func (h *Handoff) Began(service netip.AddrPort, id [message.IDBytes]byte) {
	h.companion.Began(service, id)
}

// Close ends the companion. The interfaces stay for the next process.
func (h *Handoff) Close() error { return h.companion.Close() }

// Remove removes the interfaces, too.
func (h *Handoff) Remove() error {
	if err := errors.Join(h.companion.Close(), h.pair.remove()); err != nil {
		return fmt.Errorf("remove the hand-off to the proxy: %w", err)
	}
	return nil
}

// RemoveFormer removes the interfaces of a former process.
func RemoveFormer() error { return pair{}.remove() }
