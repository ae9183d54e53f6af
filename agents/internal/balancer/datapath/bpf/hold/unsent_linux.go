package hold

import (
	"errors"
	"slices"
	"sync"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// unsentMost bounds how many first packets wait for link addresses; clients of further
// ones retry.
const unsentMost = 256

// unsent are released first packets whose backend's link address wasn't known yet. The
// neighbour update sends them.
type unsent struct {
	mutex   sync.Mutex
	packets []*program.HeldPacket
}

// passOnLater solicits the link address. The answer arrives as a neighbour update.
func (f *Packets) passOnLater(packet *program.HeldPacket, to neighbour.Hop) error {
	if err := f.unsent.add(packet); err != nil {
		return err
	}
	if err := f.network.Solicit(to); err != nil {
		return err
	}
	return f.PassOnUnsent() // the update may have arrived before the packet was queued
}

func (u *unsent) add(packet *program.HeldPacket) error {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	if u.packets = slices.DeleteFunc(u.packets, isLate); len(u.packets) >= unsentMost {
		return errors.New("a first packet is lost: too many wait for link addresses of backends")
	}
	u.packets = append(u.packets, packet)
	return nil
}

// PassOnUnsent sends packets whose backend is resolved by now, and drops late ones.
func (f *Packets) PassOnUnsent() error {
	f.unsent.mutex.Lock()
	defer f.unsent.mutex.Unlock()
	var wait []*program.HeldPacket
	var errs []error
	for _, packet := range f.unsent.packets {
		if isLate(packet) {
			continue
		}
		unresolved, err := f.passOn(packet)
		if unresolved != (neighbour.Hop{}) {
			wait = append(wait, packet)
		}
		errs = append(errs, err)
	}
	f.unsent.packets = wait
	return errors.Join(errs...)
}
