package bpf

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"golang.org/x/sys/unix"
)

// The kernel's table of neighbours is one for all namespaces of a host, and has room
// for 1 024 where nobody changed that. Who is asked for is in it, for half a minute
// where nobody answers: with too many of these, others lose their place.
const (
	asksMost  = 128
	asksStand = 30 * time.Second
)

// answerWithin is how long a Set waits for neighbours on its own link.
const answerWithin = 200 * time.Millisecond

// ask finds out link addresses before packets need them. Where the program can't
// leave that to the kernel it waits for those that answer at once, so that the first
// packets of a service already find their way. Nobody is waited for twice: a change
// must not come late because of hosts that are silent.
func (e *Engine) ask(ctx context.Context) error {
	patience := time.NewTimer(answerWithin)
	defer patience.Stop()
	for {
		asked := e.toAsk(time.Now())
		err := e.askEach(asked, e.network.ask)
		if !e.hook.Asks {
			return nil
		}
		if err != nil || len(asked) == 0 {
			return err
		}
		for e.waitsFor(asked) {
			select {
			case <-e.heard:
			case <-patience.C:
				return nil
			case <-ctx.Done():
				return nil
			}
		}
	}
}

// toAsk are those whose link address isn't known, without those who were asked for
// already, and no more than there is room for.
func (e *Engine) toAsk(now time.Time) map[hop]bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	silent := map[hop]bool{}
	for _, b := range e.model.slots {
		if b.entry.Flags&resolved == 0 {
			silent[b.hop] = true
		}
	}
	if len(silent) == 0 {
		e.crowded.Store(nil)
	}
	for h, at := range e.asked {
		if _, answered := e.network.neighbour[h.next]; answered || now.Sub(at) > asksStand {
			delete(e.asked, h)
		}
	}
	asked := map[hop]bool{}
	for h := range silent {
		if len(e.asked) >= asksMost {
			break
		}
		if _, before := e.asked[h]; !before {
			e.asked[h] = now
			asked[h] = true
		}
	}
	return asked
}

// askEach asks until one can't be asked. That the kernel has no room for more neighbours
// is no failure of a Set: it is said with what is observed, and the others are carried.
func (e *Engine) askEach(hops map[hop]bool, ask func(hop) error) error {
	if len(hops) == 0 {
		return nil // and nothing is new
	}
	for h := range hops {
		err := ask(h)
		if errors.Is(err, unix.ENOBUFS) {
			e.crowded.Store(&h.next)
			return nil
		}
		if err != nil {
			return err
		}
	}
	e.crowded.Store(nil)
	return nil
}

// crowd says why backends are not found on the network, when the kernel said so.
func crowd(unasked netip.Addr) string {
	family := "ipv4"
	if unasked.Is6() {
		family = "ipv6"
	}
	return fmt.Sprintf("The kernel's table of neighbours is full, so %s and maybe others were not asked where they are on the network: set the host's sysctl net.%s.neigh.default.gc_thresh3 above the number of hosts on its links.", unasked, family)
}

func (e *Engine) waitsFor(asked map[hop]bool) bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for _, b := range e.model.slots {
		if asked[b.hop] && b.entry.Flags&resolved == 0 {
			return true
		}
	}
	return false
}
