package rawip

import (
	"net/netip"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Reserve holds a port during a probe, so that no other process uses it: the given one, or an unused
// one for port 0. The kernel drops what arrives there, instead of rejecting it by a packet to the
// service address.
func Reserve(at netip.AddrPort, protocol byte) (port uint16, release func(), err error) {
	kind := unix.SOCK_STREAM
	if protocol == UDP {
		kind = unix.SOCK_DGRAM
	}
	family, address := unix.AF_INET6, unix.Sockaddr(&unix.SockaddrInet6{Addr: at.Addr().As16(), Port: int(at.Port())})
	if at.Addr().Is4() {
		family, address = unix.AF_INET, &unix.SockaddrInet4{Addr: at.Addr().As4(), Port: int(at.Port())}
	}
	socket, err := unix.Socket(family, kind|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, nil, err
	}
	release = func() { _ = unix.Close(socket) }
	nothing, err := assemble([]bpf.Instruction{bpf.RetConstant{Val: 0}})
	if err == nil {
		err = unix.SetsockoptSockFprog(socket, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, nothing)
	}
	if err == nil {
		err = unix.Bind(socket, address)
	}
	if err == nil && protocol == TCP {
		err = unix.Listen(socket, 1)
	}
	if err == nil {
		address, err = unix.Getsockname(socket)
	}
	if err != nil {
		release()
		return 0, nil, err
	}
	if six, is := address.(*unix.SockaddrInet6); is {
		return uint16(six.Port), release, nil
	}
	return uint16(address.(*unix.SockaddrInet4).Port), release, nil
}
