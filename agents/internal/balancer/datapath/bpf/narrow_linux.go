package bpf

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// narrowFor is how long a path MTU is used: the path may change. Routers report packets
// that are still too big again.
const narrowFor = 10 * time.Minute

// listener receives the ICMP messages of one family.
type listener struct {
	socket *os.File
	read   func([]byte) (narrow, bool)
}

// listen opens both sockets, in the engine's namespace.
func (n *network) listen() (listeners []listener, err error) {
	err = n.within(func() error {
		unreachable := uint32(1 << icmpUnreachable)
		four, err := listenICMP(unix.AF_INET, unix.IPPROTO_ICMP, func(fd int) error {
			return unix.SetsockoptInt(fd, unix.SOL_RAW, 1, int(int32(^unreachable))) // ICMP_FILTER: types to drop
		})
		if err != nil {
			return err
		}
		listeners = append(listeners, listener{four, readNarrow4})
		six, err := listenICMP(unix.AF_INET6, unix.IPPROTO_ICMPV6, func(fd int) error {
			var filter unix.ICMPv6Filter
			for i := range filter.Data {
				filter.Data[i] = ^uint32(0)
			}
			filter.Data[0] &^= 1 << icmp6TooBig
			return unix.SetsockoptICMPv6Filter(fd, unix.IPPROTO_ICMPV6, unix.ICMPV6_FILTER, &filter)
		})
		if err == nil {
			listeners = append(listeners, listener{six, readNarrow6})
		}
		return err
	})
	return listeners, err
}

func listenICMP(family, protocol int, filter func(int) error) (*os.File, error) {
	fd, err := unix.Socket(family, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, protocol)
	if err != nil {
		return nil, fmt.Errorf("open a socket for ICMP (give the agent CAP_NET_RAW): %w", err)
	}
	if err := filter(fd); err != nil {
		return nil, errors.Join(fmt.Errorf("filter ICMP: %w", err), unix.Close(fd))
	}
	return os.NewFile(uintptr(fd), "icmp"), nil
}

// followNarrow reads messages until the socket is closed.
func (e *Engine) followNarrow(l listener) {
	message := make([]byte, 2048)
	for {
		size, err := l.socket.Read(message)
		if errors.Is(err, os.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		if found, ok := l.read(message[:size]); ok {
			e.reported(found, time.Now())
		}
	}
}

// listen receives routers' messages about paths to backends.
func (e *Engine) listen() error {
	listeners, err := e.network.listen()
	for _, each := range listeners {
		e.listeners = append(e.listeners, each.socket)
		e.ended.Go(func() { e.followNarrow(each) })
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
		e.network.narrow[found.to] = narrowed{mtu: found.mtu, until: time.Now().Add(narrowFor)}
	}
}

// widen drops outdated path MTUs.
func (e *Engine) widen() error {
	e.network.probes.forget(time.Now())
	for to, known := range e.network.narrow {
		if time.Now().Before(known.until) {
			continue
		}
		delete(e.network.narrow, to)
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

func isTunnelled(delivery uint8) bool {
	return delivery == uint8(TcxDeliveryTUNNEL) || delivery == uint8(TcxDeliveryGUE)
}

// narrowed is a known path MTU.
type narrowed struct {
	mtu   uint16
	until time.Time
}

// width returns the MTU of a path that starts at a device.
func (n *network) width(to netip.Addr, own device) uint16 {
	if known, ok := n.narrow[to]; ok {
		return min(known.mtu, own.mtu)
	}
	return own.mtu
}
