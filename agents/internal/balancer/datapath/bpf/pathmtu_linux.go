package bpf

import (
	"fmt"
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
	if !e.sizes.counts(now) {
		return 0, nil
	}
	if e.sizes.confirm(found, now) {
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
		delivery := TcxDelivery(b.entry.Delivery)
		port, ok := found.portOf(delivery)
		if !ok {
			continue
		}
		if !e.sizes.allows(found, port, now) {
			return 0, nil
		}
		packet := e.sizes.probe(found, delivery, port, int(b.entry.Mtu), now)
		frame = append(append(b.entry.To[:], b.entry.From[:]...), 0x08, 0x00)
		if found.to.Is6() {
			frame = append(frame[:12], 0x86, 0xdd)
		}
		return b.hop.link, append(frame, packet...)
	}
	return 0, nil
}

// listen receives routers' messages about paths to backends.
func (e *Engine) listen() (err error) {
	e.listeners, err = listen(e.network.within)
	for _, each := range e.listeners {
		e.ended.Go(func() { each.follow(func(found narrow) { e.reported(found, time.Now()) }) })
	}
	return err
}

// narrowed reduces the size of packets to a backend. It only accepts messages about our
// own tunnels, and its caller must have confirmed them.
func (e *Engine) narrowed(found narrow) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.narrowTo(found)
}

func (e *Engine) narrowTo(found narrow) {
	if found.from != e.network.sources[0] && found.from != e.network.sources[1] {
		return
	}
	changed := false
	for _, slot := range e.model.slotsAt(found.to) {
		b := e.model.slots[slot]
		if b.entry.Mtu <= found.mtu || !isTunnelled(b.entry.Delivery) {
			continue
		}
		b.entry.Mtu = found.mtu
		changed = true
		// A failure is repaired by the next Set, which compares.
		_ = e.maps[TcxMapBackends].Put(uint32(slot), b.entry)
	}
	if changed {
		e.sizes.keep(found, time.Now())
	}
}

// widen drops outdated path MTUs.
func (e *Engine) widen() error {
	for _, to := range e.sizes.outdated(time.Now()) {
		e.sizes.drop(to)
		for slot, b := range e.model.slots {
			if fromAddress(b.entry.Address) != to || !isTunnelled(b.entry.Delivery) || b.hop == noHop {
				continue
			}
			own, err := e.network.device(b.hop.link)
			if err != nil {
				return err
			}
			b.entry.Mtu = own.mtu
			if err := e.maps[TcxMapBackends].Put(uint32(slot), b.entry); err != nil {
				return fmt.Errorf("write backend %q: %w", b.id, err)
			}
		}
	}
	return nil
}
