// Package hostaddress finds the addresses at which other hosts reach an interface.
package hostaddress

import (
	"fmt"
	"net"
	"net/netip"
)

// Addresses are the first global ones of an interface; a missing one is not valid.
type Addresses struct{ IPv4, IPv6 netip.Addr }

// Of returns the current addresses of an interface.
func Of(name string) (found Addresses, err error) {
	link, err := net.InterfaceByName(name)
	if err != nil {
		return found, fmt.Errorf("find interface %s: %w", name, err)
	}
	addresses, err := link.Addrs()
	if err != nil {
		return found, fmt.Errorf("read the addresses of %s: %w", name, err)
	}
	for _, address := range addresses {
		prefix, err := netip.ParsePrefix(address.String())
		if err != nil || !prefix.Addr().IsGlobalUnicast() {
			continue
		}
		own := &found.IPv6
		if prefix.Addr().Is4() {
			own = &found.IPv4
		}
		if !own.IsValid() {
			*own = prefix.Addr()
		}
	}
	return found, nil
}

// Family is the IPv4 or IPv6 address.
func (a Addresses) Family(v4 bool) netip.Addr {
	if v4 {
		return a.IPv4
	}
	return a.IPv6
}

// All are the valid ones, IPv4 first.
func (a Addresses) All() (all []netip.Addr) {
	for _, address := range []netip.Addr{a.IPv4, a.IPv6} {
		if address.IsValid() {
			all = append(all, address)
		}
	}
	return all
}
