package pathmtu

import (
	"net/netip"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// UsedFor is how long a path MTU is used: the path may change. Routers report packets
// that are still too big again.
const UsedFor = 10 * time.Minute

// Sizes are what the paths of tunnels carry. Their owner's lock guards them.
type Sizes struct {
	known  map[netip.Addr]narrowed
	probes sizeProbes
}

// narrowed is a known path MTU.
type narrowed struct {
	mtu   uint16
	until time.Time
}

// New returns one without known sizes.
func New() *Sizes {
	return &Sizes{known: map[netip.Addr]narrowed{}, probes: sizeProbes{sent: map[netip.Addr][]sizeProbe{}}}
}

// Width returns the MTU of a path to a backend by an interface with this MTU.
func (s *Sizes) Width(to netip.Addr, own uint16) uint16 {
	if known, ok := s.known[to]; ok {
		return min(known.mtu, own)
	}
	return own
}

// Keep uses a reported MTU for a while. Its caller must have confirmed the report.
func (s *Sizes) Keep(found Report, now time.Time) {
	s.known[found.To] = narrowed{mtu: found.MTU, until: now.Add(UsedFor)}
}

// Outdated returns the backends whose path MTU is too old. It also drops probes that no
// router rejected.
func (s *Sizes) Outdated(now time.Time) (all []netip.Addr) {
	s.probes.forget(now)
	for to, known := range s.known {
		if !now.Before(known.until) {
			all = append(all, to)
		}
	}
	return all
}

// Drop forgets the path MTU of a backend.
func (s *Sizes) Drop(to netip.Addr) { delete(s.known, to) }

// Counts reports whether one more message is considered.
func (s *Sizes) Counts(now time.Time) bool { return s.probes.counts(now) }

// Confirm reports whether a message is about a probe that is in progress, which is over
// then.
func (s *Sizes) Confirm(found Report, now time.Time) bool {
	if !s.probes.confirms(found, now) {
		return false
	}
	delete(s.probes.sent, found.To)
	return true
}

// Allows reports whether a probe for a reported path may be sent now.
func (s *Sizes) Allows(found Report, port uint16, now time.Time) bool {
	return s.probes.allows(found.To, port, now)
}

// Probe returns a packet of a size for a reported path, and expects a message about it. The
// source port is that of the rejected packet, with GUE.
func (s *Sizes) Probe(found Report, delivery program.TcxDelivery, port uint16, size int, now time.Time) []byte {
	packet := newSizeProbe(found.From, found.To, delivery, port, size)
	s.probes.sent[found.To] = append(s.probes.sent[found.To], sizeProbe{packet, port, now})
	return packet
}
