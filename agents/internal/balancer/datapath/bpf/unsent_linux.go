package bpf

import (
	"errors"
	"slices"
	"sync"
)

// unsentMost bounds how many first packets wait for link addresses; the clients of
// more try again.
const unsentMost = 256

// unsent are first packets that were released before anybody knew the link address
// of their backend. Who brings news of one sends them.
type unsent struct {
	mutex   sync.Mutex
	packets []*heldPacket
}

// passOnLater asks for the link address. It is heard as any news of a neighbour.
func (e *Engine) passOnLater(packet *heldPacket, to hop) error {
	if err := e.unsent.add(packet); err != nil {
		return err
	}
	if err := e.network.ask(to); err != nil {
		return err
	}
	return e.passOnUnsent() // the news may have come before it waited
}

func (u *unsent) add(packet *heldPacket) error {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	if u.packets = slices.DeleteFunc(u.packets, isLate); len(u.packets) >= unsentMost {
		return errors.New("a first packet is lost: too many wait for link addresses of backends")
	}
	u.packets = append(u.packets, packet)
	return nil
}

// passOnUnsent sends those whose backend is known by now, and forgets those that are
// too late.
func (e *Engine) passOnUnsent() error {
	e.unsent.mutex.Lock()
	defer e.unsent.mutex.Unlock()
	var wait []*heldPacket
	var errs []error
	for _, packet := range e.unsent.packets {
		if isLate(packet) {
			continue
		}
		unresolved, err := e.passOn(packet)
		if unresolved != (hop{}) {
			wait = append(wait, packet)
		}
		errs = append(errs, err)
	}
	e.unsent.packets = wait
	return errors.Join(errs...)
}
