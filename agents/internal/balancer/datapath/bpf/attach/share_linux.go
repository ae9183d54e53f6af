package attach

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/cilium/ebpf"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
)

// namesOfDecaps is followed by a number per process.
const namesOfDecaps = namesOfOurs + "decap/"

// Share attaches a program of backends to the interface of a network in the current
// namespace. Several may be attached, so that one can replace another without a gap.
func (p Point) Share(program *ebpf.Program, network *neighbour.Network) (detach func() error, err error) {
	if p.isFilter() {
		return shareFilter(program, network)
	}
	attached, err := p.Attach(program, network.Index)
	if err != nil {
		return nil, err
	}
	return attached.Close, nil
}

// shareFilter attaches the program of backends on a kernel without TCX. It stays
// when the process is killed, and the next process removes it: each holds a socket by the
// name of its filter, which the kernel frees when the process ends.
func shareFilter(program *ebpf.Program, network *neighbour.Network) (detach func() error, err error) {
	links, err := netlink.NewHandleAt(network.Space, unix.NETLINK_ROUTE)
	if err != nil {
		return nil, fmt.Errorf("open netlink: %w", err)
	}
	own := &filters{links: links, owner: fmt.Sprintf("%s%016x", namesOfDecaps, rand.Uint64())}
	holder, err := holdName(own.owner)
	if err == nil {
		if err = own.add(program, network.Index); err == nil {
			err = own.removeAbandoned()
		}
	}
	detach = func() error {
		err := own.remove()
		links.Close()
		_ = unix.Close(holder)
		return err
	}
	if err != nil {
		return nil, errors.Join(err, detach())
	}
	return detach, nil
}

// removeAbandoned removes the filters of processes that were killed, on any interface.
func (f *filters) removeAbandoned() error {
	all, err := f.ingress()
	for _, one := range all {
		bpf, ok := one.(*netlink.BpfFilter)
		if !ok || f.owns(one) || !strings.HasPrefix(bpf.Name, namesOfDecaps) {
			continue
		}
		holder, held := holdName(strings.TrimSuffix(bpf.Name, ownersMark))
		if held != nil {
			continue // its process runs
		}
		err = errors.Join(err, f.delete(bpf), unix.Close(holder))
	}
	return err
}

// holdName fails while another process of this network namespace holds the name.
func holdName(name string) (socket int, err error) {
	socket, err = unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, fmt.Errorf("open a socket: %w", err)
	}
	if err := unix.Bind(socket, &unix.SockaddrUnix{Name: "@" + name}); err != nil {
		return -1, errors.Join(fmt.Errorf("hold the name %s: %w", name, err), unix.Close(socket))
	}
	return socket, nil
}
