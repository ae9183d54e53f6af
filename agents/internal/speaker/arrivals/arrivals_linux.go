package arrivals

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

// prefixesMost limits the prefixes that are observed at a time.
const prefixesMost = 10_000

// Arrivals belong to one goroutine.
type Arrivals struct {
	link    string
	seen    *ebpf.Map
	filter  *ebpf.Program
	socket  int // -1 while nothing is watched
	watched map[netip.Prefix]bool
}

// times use the clock since boot; 0 is never.
type times struct{ First, Last uint64 }

// prefixKey is struct bpf_lpm_trie_key of linux/bpf.h. IPv4 is mapped into IPv6.
type prefixKey struct {
	Bits    uint32
	Address [16]byte
}

// Open needs the capabilities of an eBPF data path.
func Open(link string) (*Arrivals, error) {
	seen, err := ebpf.NewMap(&ebpf.MapSpec{
		Name: "fl_arrivals", Type: ebpf.LPMTrie, KeySize: 20, ValueSize: 16, MaxEntries: prefixesMost, Flags: unix.BPF_F_NO_PREALLOC,
	})
	if err != nil {
		return nil, fmt.Errorf("create the map of arrivals: %w", err)
	}
	filter, err := ebpf.NewProgram(&ebpf.ProgramSpec{
		Name: "fl_arrivals", Type: ebpf.SocketFilter, License: "Dual MIT/GPL", Instructions: instructions(seen.FD()),
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("load the filter of arrivals: %w", err), seen.Close())
	}
	return &Arrivals{link: link, seen: seen, filter: filter, socket: -1, watched: map[netip.Prefix]bool{}}, nil
}

// Watch starts, or restarts, to observe packets to a prefix.
func (a *Arrivals) Watch(prefix netip.Prefix) error {
	if err := a.seen.Put(keyOf(prefix), times{}); err != nil {
		return fmt.Errorf("watch for packets to %s: %w", prefix, err)
	}
	a.watched[prefix] = true
	if a.socket >= 0 {
		return nil
	}
	return a.listen()
}

func (a *Arrivals) listen() error {
	link, err := net.InterfaceByName(a.link)
	if err != nil {
		return fmt.Errorf("find interface %s: %w", a.link, err)
	}
	socket, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open a packet socket: %w", err)
	}
	// The filter is attached first: packets that arrive before it is bound would otherwise count.
	err = unix.SetsockoptInt(socket, unix.SOL_SOCKET, unix.SO_ATTACH_BPF, a.filter.FD())
	if err == nil {
		const everyProtocol = uint16(unix.ETH_P_ALL)<<8 | uint16(unix.ETH_P_ALL)>>8 // network order
		err = unix.Bind(socket, &unix.SockaddrLinklayer{Protocol: everyProtocol, Ifindex: link.Index})
	}
	if err != nil {
		return errors.Join(fmt.Errorf("listen on %s: %w", a.link, err), unix.Close(socket))
	}
	a.socket = socket
	return nil
}

// Seen returns when the first and last packet since Watch arrived; the zero time if none did.
func (a *Arrivals) Seen(prefix netip.Prefix) (first, last time.Time) {
	var seen times
	if !a.watched[prefix] || a.seen.Lookup(keyOf(prefix), &seen) != nil || seen.First == 0 {
		return first, last
	}
	var boot unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &boot) != nil {
		return first, last
	}
	now := time.Now()
	at := func(moment uint64) time.Time { return now.Add(time.Duration(int64(moment) - boot.Nano())) }
	return at(seen.First), at(seen.Last)
}

// Forget stops observing a prefix.
func (a *Arrivals) Forget(prefix netip.Prefix) {
	if a.watched[prefix] {
		_ = a.seen.Delete(keyOf(prefix)) // it exists
	}
	if delete(a.watched, prefix); len(a.watched) == 0 {
		a.stopListening()
	}
}

func (a *Arrivals) stopListening() {
	if a.socket >= 0 {
		_ = unix.Close(a.socket)
	}
	a.socket = -1
}

// Close implements io.Closer.
func (a *Arrivals) Close() error {
	a.stopListening()
	return errors.Join(a.filter.Close(), a.seen.Close())
}

func keyOf(prefix netip.Prefix) prefixKey {
	bits := prefix.Bits()
	if prefix.Addr().Is4() {
		bits += 96
	}
	return prefixKey{Bits: uint32(bits), Address: prefix.Addr().As16()}
}
