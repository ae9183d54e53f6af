package bpf

import (
	"net/netip"
	"time"
)

// narrowFor is how long a path MTU is used: the path may change. Routers report packets
// that are still too big again.
const narrowFor = 10 * time.Minute

// sizes are what the paths of tunnels carry. Their owner's lock guards them.
type sizes struct {
	known  map[netip.Addr]narrowed
	probes sizeProbes
}

// narrowed is a known path MTU.
type narrowed struct {
	mtu   uint16
	until time.Time
}

func newSizes() *sizes {
	return &sizes{known: map[netip.Addr]narrowed{}, probes: sizeProbes{sent: map[netip.Addr][]sizeProbe{}}}
}

// width returns the MTU of a path to a backend by an interface with this MTU.
func (s *sizes) width(to netip.Addr, own uint16) uint16 {
	if known, ok := s.known[to]; ok {
		return min(known.mtu, own)
	}
	return own
}

// keep uses a reported MTU for a while. Its caller must have confirmed the report.
func (s *sizes) keep(found narrow, now time.Time) {
	s.known[found.to] = narrowed{mtu: found.mtu, until: now.Add(narrowFor)}
}

// outdated returns the backends whose path MTU is too old. It also drops probes that no
// router rejected.
func (s *sizes) outdated(now time.Time) (all []netip.Addr) {
	s.probes.forget(now)
	for to, known := range s.known {
		if !now.Before(known.until) {
			all = append(all, to)
		}
	}
	return all
}

// drop forgets the path MTU of a backend.
func (s *sizes) drop(to netip.Addr) { delete(s.known, to) }

// counts reports whether one more message is considered.
func (s *sizes) counts(now time.Time) bool { return s.probes.counts(now) }

// confirm reports whether a message is about a probe that is in progress, which is over
// then.
func (s *sizes) confirm(found narrow, now time.Time) bool {
	if !s.probes.confirms(found, now) {
		return false
	}
	delete(s.probes.sent, found.to)
	return true
}

// allows reports whether a probe for a reported path may be sent now.
func (s *sizes) allows(found narrow, port uint16, now time.Time) bool {
	return s.probes.allows(found.to, port, now)
}

// probe returns a packet of a size for a reported path, and expects a message about it. The
// source port is that of the rejected packet, with GUE.
func (s *sizes) probe(found narrow, delivery TcxDelivery, port uint16, size int, now time.Time) []byte {
	packet := newSizeProbe(found.from, found.to, delivery, port, size)
	s.probes.sent[found.to] = append(s.probes.sent[found.to], sizeProbe{packet, port, now})
	return packet
}
