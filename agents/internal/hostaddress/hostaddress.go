// Package hostaddress tells where others reach an interface of this host.
package hostaddress

import (
	"fmt"
	"net"
	"net/netip"
)

// Addresses are the first global ones of an interface; one that it lacks is not valid.
type Addresses struct{ IPv4, IPv6 netip.Addr }

// Of reads those of an interface as they are now.
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

// Family is the one of IPv4 or of IPv6.
func (a Addresses) Family(v4 bool) netip.Addr {
	if v4 {
		return a.IPv4
	}
	return a.IPv6
}

// All are those that there are, IPv4 first.
func (a Addresses) All() (all []netip.Addr) {
	for _, address := range []netip.Addr{a.IPv4, a.IPv6} {
		if address.IsValid() {
			all = append(all, address)
		}
	}
	return all
}
