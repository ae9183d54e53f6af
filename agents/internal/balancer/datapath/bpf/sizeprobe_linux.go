package bpf

import (
	"encoding/binary"
	"time"
)

// reported handles a message about a path. Anyone can send one, so it is only a hint: the
// path becomes narrower once a router also rejects a probe of our own, whose content only
// the routers on the path can know.
func (e *Engine) reported(found narrow, now time.Time) {
	link, frame := e.consider(found, now)
	if frame == nil {
		return
	}
	// A failure is repaired by the next message, which repeats the probe.
	_ = e.network.send(link, frame)
}

// consider returns the probe to send, which must not wait for an interface with the lock held.
func (e *Engine) consider(found narrow, now time.Time) (link int, frame []byte) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	probes := &e.network.probes
	if !probes.counts(now) {
		return 0, nil
	}
	if probes.confirms(found, now) {
		delete(probes.sent, found.to)
		e.narrowTo(found)
		return 0, nil
	}
	return e.newProbe(found, now)
}

// newProbe returns a packet of the current size for a backend for which a smaller one was
// reported; nil for other messages, and for those that are too frequent.
func (e *Engine) newProbe(found narrow, now time.Time) (link int, frame []byte) {
	if found.from != e.network.sources[0] && found.from != e.network.sources[1] || e.network.rawError != nil {
		return 0, nil
	}
	for _, slot := range e.model.slotsAt(found.to) {
		b := e.model.slots[slot]
		if b.entry.Mtu <= found.mtu || !isTunnelled(b.entry.Delivery) || b.entry.Flags&resolved == 0 {
			continue
		}
		delivery, port := TcxDelivery(b.entry.Delivery), uint16(0)
		if delivery == TcxDeliveryGUE {
			if port = portOf(found); port < gueFlows {
				continue
			}
		}
		if !e.network.probes.allows(found.to, port, now) {
			return 0, nil
		}
		packet := newSizeProbe(found.from, found.to, delivery, port, int(b.entry.Mtu))
		e.network.probes.sent[found.to] = append(e.network.probes.sent[found.to], sizeProbe{packet, port, now})
		frame = append(append(b.entry.To[:], b.entry.From[:]...), 0x08, 0x00)
		if found.to.Is6() {
			frame = append(frame[:headerEthernet-2], 0x86, 0xdd)
		}
		return b.hop.link, append(frame, packet...)
	}
	return 0, nil
}

// portOf returns the UDP source port of a rejected packet.
func portOf(found narrow) uint16 {
	if len(found.layer4) < 2 {
		return 0
	}
	return binary.BigEndian.Uint16(found.layer4)
}
