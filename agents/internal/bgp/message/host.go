package message

import (
	"fmt"
	"net/netip"

	"fairlead.dev/agents/internal/events"
	"fairlead.dev/agents/internal/hostaddress"
)

// AddressChanged is the reason of the event that tells of it.
const AddressChanged = "AddressChanged"

// Host is where a role stands: peers reach it at the interface. It belongs to the agent's loop.
type Host struct {
	Interface string
	News      *events.Events
	known     hostaddress.Addresses
}

// Addresses are those of now. That one is another than before is news; that one is missing
// is not yet, since the new one may come when the old one has gone.
func (h *Host) Addresses() (hostaddress.Addresses, error) {
	now, err := hostaddress.Of(h.Interface)
	if err != nil {
		return now, err
	}
	h.see(&h.known.IPv4, now.IPv4)
	h.see(&h.known.IPv6, now.IPv6)
	return now, nil
}

func (h *Host) see(known *netip.Addr, now netip.Addr) {
	if !now.IsValid() || now == *known {
		return
	}
	if known.IsValid() {
		h.News.Say(events.Event{Reason: AddressChanged, Message: fmt.Sprintf(
			"%s has the address %s now, and had %s: peers are called anew from there.", h.Interface, now, *known)})
	}
	*known = now
}
