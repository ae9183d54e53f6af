package bpf

import (
	"fmt"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/pathmtu"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// reported handles a message about a path. Anyone can send one, so it is only a hint: the
// path becomes narrower once a router also rejects a probe of our own, whose content only
// the routers on the path can know.
func (e *Engine) reported(found pathmtu.Report, now time.Time) {
	link, frame := e.consider(found, now)
	if frame == nil {
		return
	}
	// A failure is repaired by the next message, which repeats the probe.
	_ = e.network.Send(link, frame)
}

// consider returns the probe to send, which must not wait for an interface with the lock held.
func (e *Engine) consider(found pathmtu.Report, now time.Time) (link int, frame []byte) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if !e.sizes.Counts(now) {
		return 0, nil
	}
	if e.sizes.Confirm(found, now) {
		e.narrowTo(found)
		return 0, nil
	}
	return e.newProbe(found, now)
}

// newProbe returns a packet of the current size for a backend for which a smaller one was
// reported; nil for other messages, and for those that are too frequent.
func (e *Engine) newProbe(found pathmtu.Report, now time.Time) (link int, frame []byte) {
	if found.From != e.network.Sources[0] && found.From != e.network.Sources[1] || e.network.RawError != nil {
		return 0, nil
	}
	for _, slot := range e.model.SlotsAt(found.To) {
		b := e.model.Slots[slot]
		if b.Entry.Mtu <= found.MTU || !program.IsTunnelled(b.Entry.Delivery) || b.Entry.Flags&program.BackendResolved == 0 {
			continue
		}
		delivery := program.TcxDelivery(b.Entry.Delivery)
		port, ok := found.PortOf(delivery)
		if !ok {
			continue
		}
		if !e.sizes.Allows(found, port, now) {
			return 0, nil
		}
		packet := e.sizes.Probe(found, delivery, port, int(b.Entry.Mtu), now)
		frame = append(append(b.Entry.To[:], b.Entry.From[:]...), 0x08, 0x00)
		if found.To.Is6() {
			frame = append(frame[:12], 0x86, 0xdd)
		}
		return b.Hop.Link, append(frame, packet...)
	}
	return 0, nil
}

// listen receives routers' messages about paths to backends.
func (e *Engine) listen() (err error) {
	e.listeners, err = pathmtu.Listen(e.network.Within)
	for _, each := range e.listeners {
		e.ended.Go(func() { each.Follow(func(found pathmtu.Report) { e.reported(found, time.Now()) }) })
	}
	return err
}

// narrowed reduces the size of packets to a backend. It only accepts messages about our
// own tunnels, and its caller must have confirmed them.
func (e *Engine) narrowed(found pathmtu.Report) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.narrowTo(found)
}

func (e *Engine) narrowTo(found pathmtu.Report) {
	if found.From != e.network.Sources[0] && found.From != e.network.Sources[1] {
		return
	}
	changed := false
	for _, slot := range e.model.SlotsAt(found.To) {
		b := e.model.Slots[slot]
		if b.Entry.Mtu <= found.MTU || !program.IsTunnelled(b.Entry.Delivery) {
			continue
		}
		b.Entry.Mtu = found.MTU
		changed = true
		// A failure is repaired by the next Set, which compares.
		_ = e.writeBackend(slot, b.Entry)
	}
	if changed {
		e.sizes.Keep(found, time.Now())
	}
}

// widen drops outdated path MTUs.
func (e *Engine) widen() error {
	for _, to := range e.sizes.Outdated(time.Now()) {
		e.sizes.Drop(to)
		for slot, b := range e.model.Slots {
			if program.FromAddress(b.Entry.Address) != to || !program.IsTunnelled(b.Entry.Delivery) || b.Hop == neighbour.NoHop {
				continue
			}
			own, err := e.network.Device(b.Hop.Link)
			if err != nil {
				return err
			}
			b.Entry.Mtu = own.MTU
			if err := e.writeBackend(slot, b.Entry); err != nil {
				return fmt.Errorf("write backend %q: %w", b.ID, err)
			}
		}
	}
	return nil
}
