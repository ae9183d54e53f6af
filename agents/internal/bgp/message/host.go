package message

import (
	"fmt"
	"net/netip"

	"fairlead.dev/agents/internal/events"
	"fairlead.dev/agents/internal/hostaddress"
)

// AddressChanged is the event reason for a new address of the interface.
const AddressChanged = "AddressChanged"

// Host is the interface at which peers reach a role. It belongs to the agent's loop.
type Host struct {
	Interface string
	Events    *events.Events
	known     hostaddress.Addresses
}

// Addresses returns the current addresses. It reports a changed address. It doesn't report a
// missing one, since the new address may be added after the old one is removed.
func (h *Host) Addresses() (hostaddress.Addresses, error) {
	now, err := hostaddress.Of(h.Interface)
	if err != nil {
		return now, err
	}
	h.update(&h.known.IPv4, now.IPv4)
	h.update(&h.known.IPv6, now.IPv6)
	return now, nil
}

func (h *Host) update(known *netip.Addr, now netip.Addr) {
	if !now.IsValid() || now == *known {
		return
	}
	if known.IsValid() {
		h.Events.Record(events.Event{Reason: AddressChanged, Message: fmt.Sprintf(
			"The address of %s changed from %s to %s: sessions restart from the new address.", h.Interface, *known, now)})
	}
	*known = now
}
