package pathmtu

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/checksum"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

const (
	// probeEvery is the least time between two probes of one path.
	probeEvery = time.Second

	// probeFor is how long a router may take to reject a probe.
	probeFor = 2 * time.Second

	// probesMost bounds how many probes to one backend count at a time: packets by GUE take
	// several paths, of which a spoofed message may name any.
	probesMost = 8

	// gueFlows is the first of the source ports that GUE has here.
	gueFlows = 0xc000

	// reportsMost bounds how many messages count in a second: guesses of a probe's content
	// must not succeed by their number.
	reportsMost = 1000

	probeHops      = 64
	noNextHeader   = 59 // of IPv6: receivers discard it silently
	dontFragment   = 0x4000
	quotedAtLeast  = 8   // bytes of layer 4 in a message (RFC 792), or of random content
	quotedMost     = 128 // bytes compared: after these, a message may have extensions (RFC 4884)
	headerUDP      = 8
	headerEthernet = 14
)

// sizeProbes are packets of a tunnel's current size, sent to find out whether a path really
// carries less: a message about one of them comes from a router that received it. The
// owner's lock guards them.
type sizeProbes struct {
	sent    map[netip.Addr][]sizeProbe // by backend, of different source ports
	second  time.Time                  // start of the current second
	reports int                        // messages in it
}

type sizeProbe struct {
	packet []byte // from its IP header on
	port   uint16 // its source port, by GUE
	at     time.Time
}

// counts reports whether one more message is considered.
func (s *sizeProbes) counts(now time.Time) bool {
	if now.Sub(s.second) >= time.Second {
		s.second, s.reports = now, 0
	}
	s.reports++
	return s.reports <= reportsMost
}

// confirms reports whether a message is about a probe that is in progress. Routers change
// only the hop limit, the traffic class and the checksum of the IP header.
func (s *sizeProbes) confirms(found Report, now time.Time) bool {
	size := min(len(found.quoted), quotedMost)
	return slices.ContainsFunc(s.sent[found.To], func(sent sizeProbe) bool {
		return now.Sub(sent.at) <= probeFor && quotesEnough(found, sent) &&
			bytes.Equal(sameEverywhere(found.quoted[:size]), sameEverywhere(sent.packet[:size]))
	})
}

// quotesEnough reports whether the quoted bytes can't be guessed. With IPv4, the header is
// partly random. With IPv6, everything before the inner payload is known, and routers quote
// 1232 bytes (RFC 4443).
func quotesEnough(found Report, sent sizeProbe) bool {
	if found.To.Is4() {
		return len(found.layer4) >= quotedAtLeast
	}
	known := 2 * headerIPv6
	if sent.packet[6] == protocolUDP {
		known += headerUDP
	}
	return len(found.quoted) >= known+quotedAtLeast
}

// allows reports whether another probe may be sent to a backend now.
func (s *sizeProbes) allows(to netip.Addr, port uint16, now time.Time) bool {
	s.forget(now)
	sent := s.sent[to]
	isRecent := func(one sizeProbe) bool { return one.port == port && now.Sub(one.at) < probeEvery }
	return len(sent) < probesMost && !slices.ContainsFunc(sent, isRecent)
}

// forget drops probes that no router rejected.
func (s *sizeProbes) forget(now time.Time) {
	for to, sent := range s.sent {
		sent = slices.DeleteFunc(sent, func(one sizeProbe) bool { return now.Sub(one.at) > probeFor })
		if s.sent[to] = sent; len(sent) == 0 {
			delete(s.sent, to)
		}
	}
}

func sameEverywhere(packet []byte) []byte {
	same := bytes.Clone(packet)
	if packet[0]>>4 == 4 {
		same[1], same[8], same[10], same[11] = 0, 0, 0, 0
	} else {
		same[0], same[1], same[7] = 0x60, same[1]&0xf, 0
	}
	return same
}

// newSizeProbe returns a packet of a tunnel. Its content is random, and nothing replies to
// it: the inner packet has no payload protocol, and with IPv4 a wrong checksum. With GUE it
// has the source port of the packet that a router rejected, so that it takes the same path.
func newSizeProbe(from, to netip.Addr, delivery program.TcxDelivery, port uint16, size int) []byte {
	packet := make([]byte, size)
	_, _ = rand.Read(packet) // never fails
	inner := packet[headerIPv6:]
	if to.Is4() {
		inner = packet[headerIPv4:]
		setProbe4(packet, from, to, protocolIPIP)
	} else {
		setProbe6(packet, from, to, protocolIPv6)
	}
	outer := inner
	if delivery == program.TcxDeliveryGUE {
		inner = inner[headerUDP:]
	}
	if to.Is4() {
		id, check := [2]byte(inner[4:6]), [2]byte(inner[10:12])
		setProbe4(inner, from, to, noNextHeader)
		copy(inner[4:], id[:])
		if right := [2]byte(inner[10:12]); check == right {
			check[0]++
		}
		copy(inner[10:], check[:])
	} else {
		setProbe6(inner, from, to, noNextHeader)
	}
	if delivery == program.TcxDeliveryGUE {
		if to.Is4() {
			packet[9] = protocolUDP
			finishIPv4(packet)
		} else {
			packet[6] = protocolUDP
		}
		setProbeUDP(outer, from, to, port)
	}
	return packet
}

// setProbe4 leaves the random identification.
func setProbe4(packet []byte, from, to netip.Addr, protocol byte) {
	packet[0], packet[1] = 0x45, 0
	binary.BigEndian.PutUint16(packet[2:], uint16(len(packet)))
	binary.BigEndian.PutUint16(packet[6:], dontFragment)
	packet[8], packet[9] = probeHops, protocol
	copy(packet[12:], from.AsSlice())
	copy(packet[16:], to.AsSlice())
	finishIPv4(packet)
}

func finishIPv4(packet []byte) {
	packet[10], packet[11] = 0, 0
	binary.BigEndian.PutUint16(packet[10:], ^checksum.Ones(packet[:headerIPv4], 0))
}

func setProbe6(packet []byte, from, to netip.Addr, next byte) {
	clear(packet[:4]) // without a flow label, as all packets of the tunnel
	packet[0] = 0x60
	binary.BigEndian.PutUint16(packet[4:], uint16(len(packet)-headerIPv6))
	packet[6], packet[7] = next, probeHops
	copy(packet[8:], from.AsSlice())
	copy(packet[24:], to.AsSlice())
}

// setProbeUDP sets a checksum, unlike the tunnel itself: as a function of the random
// payload it is as hard to guess.
func setProbeUDP(layer4 []byte, from, to netip.Addr, port uint16) {
	binary.BigEndian.PutUint16(layer4[0:], port)
	binary.BigEndian.PutUint16(layer4[2:], guePort)
	binary.BigEndian.PutUint16(layer4[4:], uint16(len(layer4)))
	layer4[6], layer4[7] = 0, 0
	pseudo := append(from.AsSlice(), to.AsSlice()...)
	pseudo = append(binary.BigEndian.AppendUint32(pseudo, uint32(len(layer4))), 0, 0, 0, protocolUDP)
	sum := ^checksum.Ones(layer4, uint32(checksum.Ones(pseudo, 0)))
	if sum == 0 {
		sum = 0xffff // 0 means that there is none
	}
	binary.BigEndian.PutUint16(layer4[6:], sum)
}
