package bpf

import (
	"encoding/binary"
	"time"
)

// reported handles a message about a path. Anyone can send one, so it is only a hint: the
// path becomes narrower once a router also rejects a probe of our own, whose content only
// the routers on the path can know.
func (e *Engine) reported(found narrow, now time.Time) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	probes := &e.network.probes
	if !probes.counts(now) {
		return
	}
	if probes.confirms(found, now) {
		delete(probes.sent, found.to)
		e.narrowTo(found)
		return
	}
	if last, ok := probes.sent[found.to]; ok && now.Sub(last.at) < probeEvery {
		return
	}
	e.probeSize(found, now)
}

// probeSize sends a packet of the current size to a backend for which a smaller one was
// reported.
func (e *Engine) probeSize(found narrow, now time.Time) {
	if found.from != e.network.sources[0] && found.from != e.network.sources[1] || e.network.rawError != nil {
		return
	}
	for _, b := range e.model.slots {
		if fromAddress(b.entry.Address) != found.to || b.entry.Mtu <= found.mtu || !isTunnelled(b.entry.Delivery) || b.entry.Flags&resolved == 0 {
			continue
		}
		packet := newSizeProbe(found.from, found.to, TcxDelivery(b.entry.Delivery), portOf(found), int(b.entry.Mtu))
		e.network.probes.sent[found.to] = sizeProbe{packet, now}
		frame := append(append(b.entry.To[:], b.entry.From[:]...), 0x08, 0x00)
		if found.to.Is6() {
			frame = append(frame[:headerEthernet-2], 0x86, 0xdd)
		}
		// A failure is repaired by the next message, which repeats the probe.
		_ = e.network.send(b.hop.link, append(frame, packet...))
		return
	}
}

// portOf returns the UDP source port of a rejected packet.
func portOf(found narrow) uint16 {
	if len(found.layer4) < 2 {
		return 0
	}
	return binary.BigEndian.Uint16(found.layer4)
}
