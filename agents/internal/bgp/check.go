package bgp

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"
)

// maxPasswordLength is the kernel's limit for TCP MD5.
const maxPasswordLength = 80

// Check rejects an invalid value. Its errors name the field and the fix.
func (d *Desired) Check() error {
	if d.AS == 0 {
		return errors.New("AS: 0 is not a valid AS: use the number of your network, or a private one such as 65021")
	}
	if !d.RouterID.Is4() || d.RouterID.IsUnspecified() {
		return fmt.Errorf("router ID: %s is not an IPv4 address: use one of this host, even if only IPv6 is routed", textOf(d.RouterID))
	}
	peers := map[string]bool{}
	for i := range d.Peers {
		peer := &d.Peers[i]
		if err := peer.check(); err != nil {
			return fmt.Errorf("peer %s: %w", peer.Name(), err)
		}
		if peers[peer.Name()] {
			return fmt.Errorf("peer %s: it is listed twice: remove one of them", peer.Name())
		}
		peers[peer.Name()] = true
		if !peer.Address.IsValid() && len(d.Listens) == 0 {
			return fmt.Errorf("peer %s: it connects to this host, and no listen address is set: set one", peer.Name())
		}
	}
	for _, prefix := range d.Accepts {
		if err := checkPrefix(prefix); err != nil {
			return fmt.Errorf("accepted prefix %s: %w", prefix, err)
		}
	}
	offers := map[netip.Prefix]bool{}
	for _, offer := range d.Offers {
		if err := offer.check(); err != nil {
			return fmt.Errorf("offer of %s: %w", offer.Prefix, err)
		}
		if offers[offer.Prefix] {
			return fmt.Errorf("offer of %s: it is listed twice: remove one of them", offer.Prefix)
		}
		offers[offer.Prefix] = true
	}
	return nil
}

// Name returns the peer's address, or the prefix that callers connect from.
func (p *Peer) Name() string {
	if p.Address.IsValid() {
		return p.Address.String()
	}
	return p.Callers.String()
}

func (p *Peer) check() error {
	switch {
	case p.Address.IsValid() == p.Callers.IsValid():
		return errors.New("set either an address or a prefix that peers connect from")
	case p.Address.IsValid() && (p.Address.IsUnspecified() || p.Address.IsMulticast() || p.Address.Is4In6()):
		return errors.New("this can't be a router's address: use the one that the peer listens on")
	case p.Callers.IsValid() && p.Callers != p.Callers.Masked():
		return fmt.Errorf("host bits are set: use %s", p.Callers.Masked())
	case p.Callers.IsValid() && p.Callers.Bits() == 0:
		return errors.New("any host could connect: use the prefix of your balancers")
	case p.AS == 0:
		return errors.New("AS: 0 is not a valid AS: use the AS of the peer")
	case p.Source.IsValid() && p.Address.IsValid() && p.Source.Is4() != p.Address.Is4():
		return fmt.Errorf("source %s: its address family differs from the peer's: use the same family", p.Source)
	case len(p.Password) > maxPasswordLength:
		return fmt.Errorf("password: it has %d bytes, and TCP MD5 allows %d: use a shorter one", len(p.Password), maxPasswordLength)
	case p.NoIPv4 && p.NoIPv6:
		return errors.New("both address families are disabled: enable at least one")
	case !slices.Contains([]Giving{Nothing, Best, EveryRoute}, p.Gives):
		return fmt.Errorf("advertised routes: %q is unknown: use %q, %q, or leave it empty", p.Gives, Best, EveryRoute)
	}
	if err := p.Timers.check(); err != nil {
		return err
	}
	return p.Detection.check()
}

func (t Timers) check() error {
	switch {
	case t.Hold < 3*time.Second || t.Hold > 65535*time.Second:
		return fmt.Errorf("hold time %s: BGP allows 3s to 65535s: use 9s", t.Hold)
	case t.KeepAlive < time.Second || t.KeepAlive > t.Hold/3:
		return fmt.Errorf("keep-alive time %s: use 1s to a third of the hold time, %s", t.KeepAlive, t.Hold/3)
	case t.Retry < time.Second || t.Retry > time.Hour:
		return fmt.Errorf("retry time %s: use 1s to 1h", t.Retry)
	}
	return nil
}

func (d Detection) check() error {
	if d == (Detection{}) {
		return nil
	}
	if d.Interval < 10*time.Millisecond || d.Interval > 10*time.Second || d.Multiplier < 2 {
		return fmt.Errorf("detection by BFD every %s × %d: use 10ms to 10s, and a multiplier of at least 2", d.Interval, d.Multiplier)
	}
	return nil
}

func (o *Offer) check() error {
	if err := checkPrefix(o.Prefix); err != nil {
		return err
	}
	if !o.NextHop.IsValid() || o.NextHop.Is4() != o.Prefix.Addr().Is4() || o.NextHop.IsUnspecified() || o.NextHop.IsMulticast() {
		return fmt.Errorf("next hop %s: use an address of this host of the same family", textOf(o.NextHop))
	}
	return nil
}

func checkPrefix(prefix netip.Prefix) error {
	switch {
	case !prefix.IsValid():
		return errors.New("it is not a prefix: use one such as 203.0.113.0/24")
	case prefix != prefix.Masked():
		return fmt.Errorf("host bits are set: use %s", prefix.Masked())
	case prefix.Bits() == 0:
		return errors.New("a default route is never accepted or advertised: use the prefix of your services")
	}
	return nil
}

func textOf(address netip.Addr) string {
	if !address.IsValid() {
		return "(none)"
	}
	return address.String()
}
