package bgp

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"
)

// longestPassword is what the kernel takes for TCP MD5.
const longestPassword = 80

// Check refuses what can't be, in sentences that name the field and the cure.
func (d *Desired) Check() error {
	if d.AS == 0 {
		return errors.New("AS: 0 is no AS: use the number of your network, or a private one such as 65021")
	}
	if !d.RouterID.Is4() || d.RouterID.IsUnspecified() {
		return fmt.Errorf("router ID: %s is no IPv4 address: use one of the host's, also where only IPv6 is routed", spoken(d.RouterID))
	}
	peers := map[string]bool{}
	for i := range d.Peers {
		peer := &d.Peers[i]
		if err := peer.check(); err != nil {
			return fmt.Errorf("peer %s: %w", peer.Name(), err)
		}
		if peers[peer.Name()] {
			return fmt.Errorf("peer %s: it is here twice: remove one of them", peer.Name())
		}
		peers[peer.Name()] = true
		if !peer.Address.IsValid() && len(d.Listens) == 0 {
			return fmt.Errorf("peer %s: it calls, and there is no address to listen on: name one", peer.Name())
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
			return fmt.Errorf("offer of %s: it is here twice: remove one of them", offer.Prefix)
		}
		offers[offer.Prefix] = true
	}
	return nil
}

// Name of a peer is its address, or the prefix that it may call from.
func (p *Peer) Name() string {
	if p.Address.IsValid() {
		return p.Address.String()
	}
	return p.Callers.String()
}

func (p *Peer) check() error {
	switch {
	case p.Address.IsValid() == p.Callers.IsValid():
		return errors.New("name either an address, or the prefix that peers call from")
	case p.Address.IsValid() && (p.Address.IsUnspecified() || p.Address.IsMulticast() || p.Address.Is4In6()):
		return errors.New("no router has this address: use the one that it answers at")
	case p.Callers.IsValid() && p.Callers != p.Callers.Masked():
		return fmt.Errorf("bits are set behind the length: use %s", p.Callers.Masked())
	case p.Callers.IsValid() && p.Callers.Bits() == 0:
		return errors.New("anybody could call: use the prefix that your balancers are in")
	case p.AS == 0:
		return errors.New("AS: 0 is no AS: use that of the peer")
	case p.Source.IsValid() && p.Address.IsValid() && p.Source.Is4() != p.Address.Is4():
		return fmt.Errorf("source %s: it is of the other family: use one of the peer's", p.Source)
	case len(p.Password) > longestPassword:
		return fmt.Errorf("password: it has %d bytes, and TCP MD5 takes %d: use a shorter one", len(p.Password), longestPassword)
	case p.NoIPv4 && p.NoIPv6:
		return errors.New("routes of neither family would be exchanged: leave one on")
	case !slices.Contains([]Giving{Nothing, Best, EveryRoute}, p.Gives):
		return fmt.Errorf("what it is given: %q is not known: use %q, %q, or leave it out", p.Gives, Best, EveryRoute)
	}
	if err := p.Timers.check(); err != nil {
		return err
	}
	return p.Detection.check()
}

func (t Timers) check() error {
	switch {
	case t.Hold < 3*time.Second || t.Hold > 65535*time.Second:
		return fmt.Errorf("hold time %s: BGP takes 3s to 65535s: use 9s", t.Hold)
	case t.KeepAlive < time.Second || t.KeepAlive > t.Hold/3:
		return fmt.Errorf("keep-alive time %s: use from 1s to a third of the hold time, %s", t.KeepAlive, t.Hold/3)
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
		return fmt.Errorf("next hop %s: use an address of this host that is of the same family", spoken(o.NextHop))
	}
	return nil
}

func checkPrefix(prefix netip.Prefix) error {
	switch {
	case !prefix.IsValid():
		return errors.New("it is no prefix: write one such as 203.0.113.0/24")
	case prefix != prefix.Masked():
		return fmt.Errorf("bits are set behind the length: use %s", prefix.Masked())
	case prefix.Bits() == 0:
		return errors.New("a default route is never taken or offered: use the prefix of your services")
	}
	return nil
}

func spoken(address netip.Addr) string {
	if !address.IsValid() {
		return "(none)"
	}
	return address.String()
}
