package bpf

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// asksMost bounds how many neighbours are asked for at once: more would overflow
// the kernel's table of them.
const asksMost = 256

// answerWithin is how long a Set waits for neighbours on its own link.
const answerWithin = 200 * time.Millisecond

// wayTo says how frames get to a backend.
func (e *Engine) wayTo(s datapath.Service, b datapath.Backend) (backendEntry, hop, error) {
	h, err := e.network.hopTo(b.Address)
	if err != nil {
		return backendEntry{}, hop{}, err
	}
	if s.Delivery == datapath.Direct && h.next != b.Address {
		return backendEntry{}, hop{}, fmt.Errorf("%s is behind the router %s, and delivery %q reaches only the same network; give %q or %q", b.Address, h.next, datapath.Direct, datapath.Tunnel, datapath.NAT)
	}
	if h.link != e.network.index && (s.Delivery == datapath.NAT || e.hook.Asks) {
		return backendEntry{}, hop{}, fmt.Errorf("%s is not reached by %s, where its answers have to come back; give another engine or interface", b.Address, e.network.name)
	}
	own, err := e.network.device(h.link)
	if err != nil {
		return backendEntry{}, hop{}, err
	}
	entry := backendEntry{
		Address: toAddress(b.Address), NextHop: toAddress(h.next), Interface: uint32(h.link),
		From: own.hardware, Port: wire(b.Port), Mtu: own.mtu,
	}
	if s.Delivery != datapath.Direct && s.Delivery != datapath.NAT {
		entry.Mtu = e.network.width(b.Address, own)
	}
	e.address(&entry, h)
	return entry, h, nil
}

// address fills in the link address, when it is known.
func (e *Engine) address(entry *backendEntry, h hop) {
	entry.To = [6]uint8{}
	entry.Flags &^= resolved
	if n, ok := e.network.neighbour[h.next]; ok && n.link == h.link {
		entry.To = n.hardware
		entry.Flags |= resolved
	}
}

// refresh brings link addresses up to date, which is no change of ours.
func (e *Engine) refresh() error {
	for slot, b := range e.model.slots {
		entry := b.entry
		e.address(&entry, b.hop)
		if entry == b.entry {
			continue
		}
		b.entry = entry
		if err := e.maps[TcxMapBackends].Put(uint32(slot), entry); err != nil {
			return fmt.Errorf("write backend %q: %w", b.id, err)
		}
	}
	return nil
}

// ask finds out link addresses before packets need them. Where the program can't
// leave that to the kernel it waits for those that answer at once, so that the first
// packets of a service already find their way. Nobody is waited for twice: a change
// must not come late because of hosts that are silent.
func (e *Engine) ask(ctx context.Context) error {
	asked, fresh := e.toAsk()
	err := e.askEach(asked, e.network.ask)
	if !e.hook.Asks {
		return nil
	}
	if err != nil {
		return err
	}
	patience := time.NewTimer(answerWithin)
	defer patience.Stop()
	for e.waitsFor(fresh) {
		select {
		case <-e.heard:
		case <-patience.C:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

// toAsk are those whose link address isn't known, and of them those that were not so
// after the last Set.
func (e *Engine) toAsk() (asked, fresh map[hop]bool) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	asked, fresh = map[hop]bool{}, map[hop]bool{}
	silent := map[hop]bool{}
	for _, b := range e.model.slots {
		if b.entry.Flags&resolved != 0 {
			continue
		}
		silent[b.hop] = true
		if len(asked) < asksMost {
			asked[b.hop] = true
			if !e.silent[b.hop] {
				fresh[b.hop] = true
			}
		}
	}
	e.silent = silent
	return asked, fresh
}

// askEach asks until one can't be asked. That the kernel has no room for more neighbours
// is no failure of a Set: it is said with what is observed, and the others are carried.
func (e *Engine) askEach(hops map[hop]bool, ask func(hop) error) error {
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

// followNeighbours writes news of link addresses down as they come. They end where the
// kernel had more to say than was read in time; then they begin anew.
func (e *Engine) followNeighbours(updates <-chan netlink.NeighUpdate) {
	for {
		e.takeNews(updates)
		if !e.rest() {
			return
		}
		if again, err := e.network.follow(e.done); err == nil { // or what is closed ends at once, and it is tried again
			updates = again
		}
	}
}

func (e *Engine) takeNews(updates <-chan netlink.NeighUpdate) {
	for update := range updates {
		e.mutex.Lock()
		if update.Type == unix.RTM_DELNEIGH {
			update.State = netlink.NUD_NONE
		}
		if about, changed := e.network.note(update.Neigh); changed {
			for slot, b := range e.model.slots {
				if b.hop.next != about {
					continue
				}
				e.address(&b.entry, b.hop)
				// A failure is repaired by the next Set, which compares.
				_ = e.maps[TcxMapBackends].Put(uint32(slot), b.entry)
			}
			select {
			case e.heard <- struct{}{}:
			default:
			}
		}
		e.mutex.Unlock()
		_ = e.passOnUnsent() // a client whose packet could not be sent tries again
	}
}
