package bpf

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// The kernel's neighbour table is shared by all namespaces of a host, and has 1 024
// entries by default. A solicited address without an answer occupies one for half a
// minute: too many of them evict others.
const (
	solicitMost = 128
	solicitFor  = 30 * time.Second
)

// answerWithin is how long a Set waits for neighbours on its own link.
const answerWithin = 200 * time.Millisecond

// solicit resolves link addresses before packets need them. If the program can't leave
// that to the kernel, it waits for those that answer at once, so that the first packets
// of a service are delivered. It waits only once per address: unresponsive hosts must not
// delay later changes.
func (e *Engine) solicit(ctx context.Context) error {
	patience := time.NewTimer(answerWithin)
	defer patience.Stop()
	for {
		solicited := e.toSolicit(time.Now())
		err := e.solicitEach(solicited, e.network.Solicit)
		if !e.hook.AgentResolves {
			return nil
		}
		if err != nil || len(solicited) == 0 {
			return err
		}
		for e.waitsFor(solicited) {
			select {
			case <-e.updated:
			case <-patience.C:
				return nil
			case <-ctx.Done():
				return nil
			}
		}
	}
}

// toSolicit returns addresses without a known link address that were not solicited yet,
// as far as there is room.
func (e *Engine) toSolicit(now time.Time) map[neighbour.Hop]bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	silent := map[neighbour.Hop]bool{}
	for _, b := range e.model.Slots {
		if b.Hop != neighbour.NoHop && b.Entry.Flags&program.BackendResolved == 0 {
			silent[b.Hop] = true
		}
	}
	if len(silent) == 0 {
		e.crowded.Store(nil)
	}
	for h, at := range e.solicited {
		if e.network.IsNeighbour(h.Next) || now.Sub(at) > solicitFor {
			delete(e.solicited, h)
		}
	}
	solicited := map[neighbour.Hop]bool{}
	for h := range silent {
		if len(e.solicited) >= solicitMost {
			break
		}
		if _, before := e.solicited[h]; !before {
			e.solicited[h] = now
			solicited[h] = true
		}
	}
	return solicited
}

// solicitEach solicits until one fails. A full neighbour table is no failure of a Set:
// Observe reports it, and the others are carried.
func (e *Engine) solicitEach(hops map[neighbour.Hop]bool, solicit func(neighbour.Hop) error) error {
	if len(hops) == 0 {
		return nil // and there are no new ones
	}
	for h := range hops {
		err := solicit(h)
		if errors.Is(err, unix.ENOBUFS) {
			e.crowded.Store(&h.Next)
			return nil
		}
		if err != nil {
			return err
		}
	}
	e.crowded.Store(nil)
	return nil
}

// neighboursFull is the warning for a full neighbour table.
func neighboursFull(unsolicited netip.Addr) string {
	family := "ipv4"
	if unsolicited.Is6() {
		family = "ipv6"
	}
	return fmt.Sprintf("The kernel's neighbour table is full, so the link addresses of %s and maybe others were not resolved: set the host's sysctl net.%s.neigh.default.gc_thresh3 above the number of hosts on its links.", unsolicited, family)
}

func (e *Engine) waitsFor(solicited map[neighbour.Hop]bool) bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for _, b := range e.model.Slots {
		if solicited[b.Hop] && b.Entry.Flags&program.BackendResolved == 0 {
			return true
		}
	}
	return false
}
