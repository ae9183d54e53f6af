package ecmp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"sync"
	"time"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
)

// way is a prefix with a next hop.
type way struct {
	to  netip.Prefix
	via netip.Addr
}

// seen is since when the kernel has a way, or no longer has it.
type seen struct {
	there   bool
	at      time.Time
	changes int
}

// kernel watches the routes to services in one namespace. Any notification causes a full read, because
// routers differ in what they replace: next-hop objects, groups, or whole routes. A change counts from when
// it was read, never too early. The kernel announces a removal before it happens, so a read can be too early
// or be interrupted; another follows within rereadEvery.
type kernel struct {
	space  *netspace.Space
	socket *nl.NetlinkSocket
	ended  chan struct{}

	mutex   sync.Mutex
	ways    map[way]seen
	changed chan struct{} // closed at the next change
	err     error
}

const rereadEvery = 20 * time.Millisecond

func watchKernel(space *netspace.Space) (*kernel, error) {
	k := &kernel{space: space, ended: make(chan struct{}), ways: map[way]seen{}, changed: make(chan struct{})}
	if err := space.Do(func() (err error) {
		k.socket, err = nl.Subscribe(unix.NETLINK_ROUTE, unix.RTNLGRP_NEXTHOP, unix.RTNLGRP_IPV4_ROUTE)
		return err
	}); err != nil {
		return nil, fmt.Errorf("listen to the kernel of %s: %w", space.Name, err)
	}
	timeout := unix.NsecToTimeval(int64(rereadEvery))
	if err := errors.Join(k.socket.SetReceiveTimeout(&timeout), k.socket.SetReceiveBufferSize(1<<20, true), k.read()); err != nil {
		k.socket.Close()
		return nil, err
	}
	return k, nil
}

// follow reads until the context ends.
func (k *kernel) follow(ctx context.Context) {
	defer close(k.ended)
	defer k.socket.Close()
	for ctx.Err() == nil {
		_, _, err := k.socket.Receive()
		quiet := errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR)
		if err != nil && !quiet && !errors.Is(err, unix.ENOBUFS) { // an overflow means there was a change
			k.fail(err)
			return
		}
		if err := k.read(); err != nil {
			k.fail(err)
			return
		}
	}
}

func (k *kernel) fail(err error) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.err = err
	close(k.changed)
	k.changed = make(chan struct{})
}

func (k *kernel) read() error {
	routes, err := k.space.Links().RouteList(nil, unix.AF_INET)
	if errors.Is(err, netlink.ErrDumpInterrupted) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the routes of %s: %w", k.space.Name, err)
	}
	now, there := time.Now(), map[way]bool{}
	for _, route := range routes {
		for _, via := range hopsOf(route) {
			if to, ok := prefixOf(route); ok {
				there[way{to, via}] = true
			}
		}
	}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	before := maps.Clone(k.ways)
	for way := range there {
		if was := before[way]; !was.there {
			k.ways[way] = seen{true, now, was.changes + 1}
		}
	}
	for way, was := range before {
		if was.there && !there[way] {
			k.ways[way] = seen{false, now, was.changes + 1}
		}
	}
	close(k.changed)
	k.changed = make(chan struct{})
	return nil
}

func prefixOf(route netlink.Route) (netip.Prefix, bool) {
	if route.Dst == nil {
		return netip.Prefix{}, false
	}
	address, ok := netip.AddrFromSlice(route.Dst.IP.To4())
	bits, _ := route.Dst.Mask.Size()
	return netip.PrefixFrom(address, bits), ok && services.Contains(address)
}

func hopsOf(route netlink.Route) (hops []netip.Addr) {
	ways := route.MultiPath
	if len(ways) == 0 {
		ways = []*netlink.NexthopInfo{{Gw: route.Gw}}
	}
	for _, way := range ways {
		if hop, ok := netip.AddrFromSlice(way.Gw.To4()); ok {
			hops = append(hops, hop)
		}
	}
	return hops
}

// changes is how often a way was added or removed.
func (k *kernel) changes() (total int) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	for _, seen := range k.ways {
		total += seen.changes
	}
	return total
}

// await waits until the kernel has a way, or no longer has it, and returns since when.
func (k *kernel) await(ctx context.Context, way way, there bool, most time.Duration) (time.Time, error) {
	ctx, stop := context.WithTimeout(ctx, most)
	defer stop()
	for {
		k.mutex.Lock()
		seen, changed, err := k.ways[way], k.changed, k.err
		k.mutex.Unlock()
		if err != nil {
			return time.Time{}, err
		}
		if seen.there == there {
			return seen.at, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return time.Time{}, fmt.Errorf("wait for %s that %s goes by %s: %t, not %t: %w", most, way.to, way.via, seen.there, there, ctx.Err())
		}
	}
}
