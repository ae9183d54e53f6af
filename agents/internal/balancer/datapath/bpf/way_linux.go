package bpf

import (
	"fmt"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// wayTo returns how frames get to a backend. Its errors continue a sentence about the
// backend.
func (e *Engine) wayTo(s datapath.Service, b datapath.Backend) (program.BackendEntry, neighbour.Hop, error) {
	h, err := e.network.HopTo(b.Address)
	if err != nil {
		return program.BackendEntry{}, neighbour.Hop{}, err
	}
	if s.Delivery == datapath.Direct && h.Next != b.Address {
		return program.BackendEntry{}, neighbour.Hop{}, fmt.Errorf("is behind the router %s, and delivery %q reaches only the same network; give %q or %q", h.Next, datapath.Direct, datapath.Tunnel, datapath.NAT)
	}
	if h.Link != e.network.Index && (s.Delivery == datapath.NAT || e.hook.AgentResolves) {
		return program.BackendEntry{}, neighbour.Hop{}, neighbour.OfEngine{Reason: fmt.Errorf("is not reached by %s, where its replies have to return; give another engine or interface", e.network.Name)}
	}
	own, err := e.network.Device(h.Link)
	if err != nil {
		return program.BackendEntry{}, neighbour.Hop{}, err
	}
	entry := program.BackendEntry{
		Address: program.ToAddress(b.Address), NextHop: program.ToAddress(h.Next), Interface: uint32(h.Link),
		From: own.Hardware, Port: program.Wire(b.Port), Mtu: own.MTU,
	}
	if s.Delivery != datapath.Direct && s.Delivery != datapath.NAT {
		entry.Mtu = e.sizes.Width(b.Address, own.MTU)
	}
	e.address(&entry, h)
	return entry, h, nil
}

// address fills in the link address, if known.
func (e *Engine) address(entry *program.BackendEntry, h neighbour.Hop) {
	entry.To = [6]uint8{}
	entry.Flags &^= program.BackendResolved
	if hardware, known := e.network.LinkAddress(h); known {
		entry.To = hardware
		entry.Flags |= program.BackendResolved
	}
}

// refresh updates link addresses, which doesn't count as a change.
func (e *Engine) refresh() error {
	for slot, b := range e.model.Slots {
		entry := b.Entry
		e.address(&entry, b.Hop)
		if b.Hop == neighbour.NoHop || entry == b.Entry {
			continue
		}
		b.Entry = entry
		if err := e.writeBackend(slot, entry); err != nil {
			return fmt.Errorf("write backend %q: %w", b.ID, err)
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
		if again, err := e.network.Follow(e.done); err == nil { // on an error, the closed channel ends at once, and it retries
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
		if about, changed := e.network.Note(update.Neigh); changed {
			for slot, b := range e.model.Slots {
				if b.Hop.Next != about {
					continue
				}
				e.address(&b.Entry, b.Hop)
				// A failure is repaired by the next Set, which compares.
				_ = e.writeBackend(slot, b.Entry)
			}
			select {
			case e.updated <- struct{}{}:
			default:
			}
		}
		e.mutex.Unlock()
		_ = e.first.PassOnUnsent() // a client whose packet could not be sent retries
	}
}
