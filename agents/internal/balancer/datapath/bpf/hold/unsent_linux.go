package bpf

import (
	"errors"
	"slices"
	"sync"
)

// unsentMost bounds how many first packets wait for link addresses; clients of further
// ones retry.
const unsentMost = 256

// unsent are released first packets whose backend's link address wasn't known yet. The
// neighbour update sends them.
type unsent struct {
	mutex   sync.Mutex
	packets []*heldPacket
}

// passOnLater solicits the link address. The answer arrives as a neighbour update.
func (f *first) passOnLater(packet *heldPacket, to hop) error {
	if err := f.unsent.add(packet); err != nil {
		return err
	}
	if err := f.network.solicit(to); err != nil {
		return err
	}
	return f.passOnUnsent() // the update may have arrived before the packet was queued
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

// passOnUnsent sends packets whose backend is resolved by now, and drops late ones.
func (f *first) passOnUnsent() error {
	f.unsent.mutex.Lock()
	defer f.unsent.mutex.Unlock()
	var wait []*heldPacket
	var errs []error
	for _, packet := range f.unsent.packets {
		if isLate(packet) {
			continue
		}
		unresolved, err := f.passOn(packet)
		if unresolved != (hop{}) {
			wait = append(wait, packet)
		}
		errs = append(errs, err)
	}
	f.unsent.packets = wait
	return errors.Join(errs...)
}
