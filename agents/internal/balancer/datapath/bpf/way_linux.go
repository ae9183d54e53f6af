package bpf

import (
	"fmt"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// wayTo returns how frames get to a backend. Its errors continue a sentence about the
// backend.
func (e *Engine) wayTo(s datapath.Service, b datapath.Backend) (backendEntry, hop, error) {
	h, err := e.network.hopTo(b.Address)
	if err != nil {
		return backendEntry{}, hop{}, err
	}
	if s.Delivery == datapath.Direct && h.next != b.Address {
		return backendEntry{}, hop{}, fmt.Errorf("is behind the router %s, and delivery %q reaches only the same network; give %q or %q", h.next, datapath.Direct, datapath.Tunnel, datapath.NAT)
	}
	if h.link != e.network.index && (s.Delivery == datapath.NAT || e.hook.AgentResolves) {
		return backendEntry{}, hop{}, ofEngine{fmt.Errorf("is not reached by %s, where its replies have to return; give another engine or interface", e.network.name)}
	}
	own, err := e.network.device(h.link)
	if err != nil {
		return backendEntry{}, hop{}, err
	}
	entry := backendEntry{
		Address: toAddress(b.Address), NextHop: toAddress(h.next), Interface: uint32(h.link),
		From: own.hardware, Port: wire(b.Port), Mtu: own.mtu,
	}
	if s.Delivery != datapath.Direct && s.Delivery != datapath.NAT {
		entry.Mtu = e.sizes.width(b.Address, own.mtu)
	}
	e.address(&entry, h)
	return entry, h, nil
}

// address fills in the link address, if known.
func (e *Engine) address(entry *backendEntry, h hop) {
	entry.To = [6]uint8{}
	entry.Flags &^= resolved
	if hardware, known := e.network.linkAddress(h); known {
		entry.To = hardware
		entry.Flags |= resolved
	}
}

// refresh updates link addresses, which doesn't count as a change.
func (e *Engine) refresh() error {
	for slot, b := range e.model.slots {
		entry := b.entry
		e.address(&entry, b.hop)
		if b.hop == noHop || entry == b.entry {
			continue
		}
		b.entry = entry
		if err := e.maps[TcxMapBackends].Put(uint32(slot), entry); err != nil {
			return fmt.Errorf("write backend %q: %w", b.id, err)
		}
	}
	return nil
}

// followNeighbours applies updates of link addresses as they arrive. The kernel ends the
// subscription if updates are not read in time; then it subscribes again.
func (e *Engine) followNeighbours(updates <-chan netlink.NeighUpdate) {
	for {
		e.takeNews(updates)
		if !e.rest() {
			return
		}
		if again, err := e.network.follow(e.done); err == nil { // on an error, the closed channel ends at once, and it retries
			updates = again
		}
	}
}

func (e *Engine) takeNews(updates <-chan netlink.NeighUpdate) {
	for update := range updates {
		e.mutex.Lock()
		if update.Type == unix.RTM_DELNEIGH {
			update.State = netlink.NUD_NONE
		}
		if about, changed := e.network.note(update.Neigh); changed {
			for slot, b := range e.model.slots {
				if b.hop.next != about {
					continue
				}
				e.address(&b.entry, b.hop)
				// A failure is repaired by the next Set, which compares.
				_ = e.maps[TcxMapBackends].Put(uint32(slot), b.entry)
			}
			select {
			case e.updated <- struct{}{}:
			default:
			}
		}
		e.mutex.Unlock()
		_ = e.first.passOnUnsent() // a client whose packet could not be sent retries
	}
}
