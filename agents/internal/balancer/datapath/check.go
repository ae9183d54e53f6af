package datapath

import (
	"fmt"
	"net/netip"
	"slices"
)

// String is "192.0.2.1:80/tcp".
func (k Key) String() string {
	return netip.AddrPortFrom(k.Address, k.Port).String() + "/" + k.Protocol.String()
}

// String is the lower-case name.
func (p Protocol) String() string {
	switch p {
	case TCP:
		return "tcp"
	case UDP:
		return "udp"
	}
	return fmt.Sprintf("protocol %d", uint8(p))
}

// Check rejects what no engine can carry, and what this one can't, which supports only
// the known deliveries. An engine calls it before it changes the kernel.
func Check(services []Service, known []Delivery) error {
	seen := make(map[Key]bool, len(services))
	for i := range services {
		service := &services[i]
		if err := service.Check(known); err != nil {
			return fmt.Errorf("service %s: %w", service.Key, err)
		}
		if seen[service.Key] {
			return fmt.Errorf("service %s is defined twice; give each address, port and protocol once", service.Key)
		}
		seen[service.Key] = true
	}
	return nil
}

// Check rejects a service that no engine with these deliveries can carry. Its error names field and fix.
func (s *Service) Check(known []Delivery) error {
	switch {
	case !s.Key.Address.IsValid() || s.Key.Address.IsUnspecified() || s.Key.Address.IsMulticast() || s.Key.Address.Is4In6():
		return fmt.Errorf("address %s can't be a service address; give one unicast IPv4 or IPv6 address", s.Key.Address)
	case s.Key.Port == 0:
		return fmt.Errorf("port 0 can't be connected to; give 1 to 65535")
	case s.Key.Protocol != TCP && s.Key.Protocol != UDP:
		return fmt.Errorf("%s isn't supported; give tcp or udp", s.Key.Protocol)
	case !slices.Contains(known, s.Delivery):
		return fmt.Errorf("delivery %q isn't supported by this engine; give one of %q", s.Delivery, known)
	case s.Chooser != Agreed && s.Chooser != Private && s.Chooser != BySession && s.Chooser != ByCost:
		return fmt.Errorf("chooser %q is unknown; give %q, %q, %q, or none for the tables that replicas share", s.Chooser, Private, BySession, ByCost)
	case s.Chooser == ByCost && s.Delivery == Proxy:
		return fmt.Errorf("backends can't be chosen by cost with delivery %q; give %q, %q, %q or %q", Proxy, Direct, Tunnel, GUE, NAT)
	case s.Chooser == BySession && (s.Key.Protocol != TCP || s.Delivery == NAT):
		return fmt.Errorf("backends can only be chosen by TLS session for TCP with delivery %q, %q, %q or %q; choose one of them", Direct, Tunnel, GUE, Proxy)
	case s.Chooser == BySession && s.ByServerName():
		return fmt.Errorf("server names can't be combined with a choice by TLS session; leave one of them out")
	case s.Chooser == Private && s.ByServerName():
		return fmt.Errorf("server names can't be combined with a private chooser; leave one of them out")
	case s.ProxyProtocol && (s.Delivery != Proxy || s.Key.Protocol != TCP):
		return fmt.Errorf("the PROXY protocol needs TCP with delivery %q; leave it off", Proxy)
	case s.ByServerName() && (s.Delivery != Proxy || s.Key.Protocol != TCP):
		return fmt.Errorf("server names are only read from TCP with delivery %q; leave them out", Proxy)
	}
	ids, byName := make(map[string]bool, len(s.Backends)), s.ByServerName()
	for _, backend := range s.Backends {
		if err := backend.check(s); err != nil {
			return fmt.Errorf("backend %q: %w", backend.ID, err)
		}
		if byName && len(backend.ServerNames) == 0 {
			return fmt.Errorf("backend %q has no server name, as others of the service have, so no client would reach it; give it one", backend.ID)
		}
		if ids[backend.ID] {
			return fmt.Errorf("backend %q is defined twice; give each ID once", backend.ID)
		}
		ids[backend.ID] = true
	}
	return nil
}

func (b *Backend) check(s *Service) error {
	switch {
	case b.ID == "":
		return fmt.Errorf("has no ID; give it one")
	case !b.Address.IsValid() || b.Address.IsUnspecified() || b.Address.IsMulticast() || b.Address.Is4In6():
		return fmt.Errorf("address %s can't be a backend address; give one unicast IPv4 or IPv6 address", b.Address)
	case b.Address.Is4() != s.Key.Address.Is4() && s.Delivery != Proxy:
		return fmt.Errorf("address %s is of another family than the service's; only delivery %q connects the two", b.Address, Proxy)
	case b.Port == 0:
		return fmt.Errorf("port 0 can't be connected to; give 1 to 65535")
	case b.Port != s.Key.Port && s.Delivery.KeepsPacket():
		return fmt.Errorf("port %d differs from the service's %d, which delivery %q can't rewrite; give the same or delivery %q", b.Port, s.Key.Port, s.Delivery, NAT)
	case b.Weight == 0 && s.Chooser != ByCost || b.Weight > 256:
		return fmt.Errorf("weight %d is out of range; give 1 to 256, or state %q for no traffic", b.Weight, Inactive)
	}
	switch b.State {
	case Active, Draining, Filling, Inactive:
		return nil
	}
	return fmt.Errorf("state %q is unknown; give %q, %q, %q or %q", b.State, Active, Draining, Filling, Inactive)
}
